//! What a Polyglot book holds and leaves out.

use std::{
    collections::BTreeMap,
    io::{self, Write},
};

use run::{
    LEFT_OUT_MOVES, LEFT_OUT_POSITIONS, NEVER_PLAYED_MOVES, NEVER_PLAYED_POSITIONS, POSTBOOK_POSITIONS,
    UNREACHED_MOVES, UNREACHED_POSITIONS, UNSCORED_MOVES,
};

use super::counted;

/// The beginning of the lines.
const LEFT_OUT: &str = "left out of the Polyglot book:";

/// What a summary counts of Polyglot books besides their output.
pub(super) struct PolyglotNotes {
    /// Moves that may not be played, and positions that have no other moves.
    left_out: [u64; 2],
    /// Moves that the policy never plays, and positions that have no other moves.
    never_played: [u64; 2],
    unscored: u64,
    postbook: u64,
    /// Positions that the policy could not judge, and their moves.
    unreached: [u64; 2],
}

impl PolyglotNotes {
    /// Removes these counts from `exported`, so that they are not printed a second time.
    pub(super) fn take(exported: &mut BTreeMap<String, u64>) -> Self {
        let mut number = |what| exported.remove(what).unwrap_or(0);
        Self {
            left_out: [LEFT_OUT_MOVES, LEFT_OUT_POSITIONS].map(&mut number),
            never_played: [NEVER_PLAYED_MOVES, NEVER_PLAYED_POSITIONS].map(&mut number),
            unscored: number(UNSCORED_MOVES),
            postbook: number(POSTBOOK_POSITIONS),
            unreached: [UNREACHED_POSITIONS, UNREACHED_MOVES].map(&mut number),
        }
    }

    /// Writes a line for each count that is not 0.
    pub(super) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        write_moves(out, self.left_out, "not to be played", " (--counts-only keeps them)")?;
        write_moves(out, self.never_played, "that the policy never plays", "")?;
        if self.unscored > 0 {
            let moves = counted(self.unscored, "move that never scored", "moves that never scored");
            writeln!(out, "{LEFT_OUT} {moves}")?;
        }
        if self.postbook > 0 {
            let positions = counted(self.postbook, "position", "positions");
            writeln!(out, "of the Polyglot book, {positions} beyond the book, with PostBook moves")?;
        }
        self.write_unreached(out)
    }

    fn write_unreached(&self, out: &mut impl Write) -> io::Result<()> {
        let [positions, moves] = self.unreached;
        if positions == 0 {
            return Ok(());
        }
        let positions = counted(positions, "position", "positions");
        let moves = counted(moves, "move", "moves");
        writeln!(
            out,
            "{LEFT_OUT} {positions} with {moves}: the policy needs the board, and no line of the book's positions \
             leads there from the start position"
        )
    }
}

/// Writes the moves of one kind, and the positions that have no others.
fn write_moves(
    out: &mut impl Write,
    [moves, positions]: [u64; 2],
    which: &str,
    remedy: &str,
) -> io::Result<()> {
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
