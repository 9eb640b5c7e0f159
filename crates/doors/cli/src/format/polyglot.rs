//! Describes the moves and positions that a Polyglot book leaves out.

use std::{
    collections::BTreeMap,
    io::{self, Write},
};

use run::{
    LEFT_OUT_MOVES, LEFT_OUT_POSITIONS, NEVER_PLAYED_MOVES, NEVER_PLAYED_POSITIONS, POSTBOOK_POSITIONS,
    UNREACHED_MOVES, UNREACHED_POSITIONS, UNSCORED_MOVES,
};

use super::counted;

/// The beginning of every line about moves or positions that were left out.
const LEFT_OUT: &str = "left out of the Polyglot book:";

/// Returns the summary's lines about moves and positions that were left out of a Polyglot book, and about
/// positions that only the Polyglot book has. The counts in these lines are removed from `exported`, so that
/// they are not printed twice.
pub(super) fn take_notes(exported: &mut BTreeMap<String, u64>) -> io::Result<Vec<u8>> {
    let mut out = Vec::new();
    let mut number = |what| exported.remove(what).unwrap_or(0);
    let left_out = [LEFT_OUT_MOVES, LEFT_OUT_POSITIONS].map(&mut number);
    write_moves(&mut out, left_out, "not to be played", " (--counts-only keeps them)")?;
    let never_played = [NEVER_PLAYED_MOVES, NEVER_PLAYED_POSITIONS].map(&mut number);
    write_moves(&mut out, never_played, "that the policy never plays", "")?;
    let unscored = number(UNSCORED_MOVES);
    if unscored > 0 {
        let moves = counted(unscored, "move that never scored", "moves that never scored");
        writeln!(out, "{LEFT_OUT} {moves}")?;
    }
    let postbook = number(POSTBOOK_POSITIONS);
    if postbook > 0 {
        let positions = counted(postbook, "position", "positions");
        writeln!(out, "of the Polyglot book, {positions} beyond the book, with PostBook moves")?;
    }
    let (positions, moves) = (number(UNREACHED_POSITIONS), number(UNREACHED_MOVES));
    if positions > 0 {
        let positions = counted(positions, "position", "positions");
        let moves = counted(moves, "move", "moves");
        writeln!(
            out,
            "{LEFT_OUT} {positions} with {moves}: the policy needs the board, and no line of the book's positions \
             leads there from the start position"
        )?;
    }
    Ok(out)
}

/// Writes how many moves were left out for one reason, and in how many positions all moves were left out.
fn write_moves(out: &mut Vec<u8>, [moves, positions]: [u64; 2], which: &str, remedy: &str) -> io::Result<()> {
    if moves == 0 {
        return Ok(());
    }
    write!(out, "{LEFT_OUT} {} {which}", counted(moves, "move", "moves"))?;
    if positions > 0 {
        let positions = counted(positions, "position that has", "positions that have");
        write!(out, ", and {positions} no other move")?;
    }
    writeln!(out, "{remedy}")
}
