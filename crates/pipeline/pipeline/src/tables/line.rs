//! Finds the line of moves that leads to a position of a table. Messages show the line, because a key by
//! itself means nothing to people.

use std::{
    collections::{HashMap, HashSet},
    sync::atomic::{AtomicBool, Ordering::Relaxed},
};

use fault::Interrupt;
use position::{Key, PackedMove};
use query::numbered;
use run::Result;
use shakmaty::{Chess, EnPassantMode, fen::Fen, san::SanPlus};
use table::Table;

/// The search for a line reads at most this many rows. It reads the whole table once for each move of the
/// line.
const ROWS_MAX: u64 = 2_000_000_000;

/// Describes the games in which `mv` is played from the position `key`, for example as
/// `that play h5 after 1. a4 (FEN)`. If no line of the table leads from the start position to that position,
/// the text contains the key.
///
/// # Errors
///
/// Fails if the table cannot be read.
pub(super) fn place(table: &Table, (key, mv): (Key, PackedMove), stop: &AtomicBool) -> Result<String> {
    let Some((position, line)) = line_to(table, key, stop)? else {
        return Ok(format!("that play {mv} in the position with key {key}"));
    };
    let what = match mv.unpack(&position) {
        _ if mv.is_terminal() => "that end".into(),
        Some(m) => format!("that play {}", SanPlus::from_move(position.clone(), m)),
        None => format!("that play {mv}"),
    };
    let fen = Fen::from_position(&position, EnPassantMode::Legal);
    let after = if line.is_empty() { "at the start".into() } else { format!("after {line}") };
    Ok(format!("{what} {after} ({fen})"))
}

/// The position with the key `key` and the moves that lead to it from the start position; `None` if no such
/// moves are found.
fn line_to(table: &Table, key: Key, stop: &AtomicBool) -> Result<Option<(Chess, String)>> {
    let Some(next) = moves_towards(table, key, stop)? else { return Ok(None) };
    let mut position = Chess::default();
    let mut at = Key::START;
    let mut line = Vec::new();
    while at != key {
        let Some((mv, child)) = next.get(&at) else { return Ok(None) };
        let Some(m) = mv.unpack(&position) else { return Ok(None) };
        line.push(SanPlus::from_move_and_play_unchecked(&mut position, m).to_string());
        at = *child;
    }
    Ok(Some((position, numbered(&Chess::default(), &line))))
}

/// For each position on a line to `key`, finds the next move and the position that it leads to; `None` if no
/// line from the start position leads to `key`. Each row records where its move leads, but a key cannot be
/// turned back into a position. The line is therefore found from its end to its beginning, and each pass over
/// the table finds one more ply.
fn moves_towards(
    table: &Table,
    key: Key,
    stop: &AtomicBool,
) -> Result<Option<HashMap<Key, (PackedMove, Key)>>> {
    let (mut next, mut last, mut rows) = (HashMap::new(), HashSet::from([key]), 0);
    while !last.contains(&Key::START) {
        rows += table.manifest().rows;
        if last.is_empty() || rows > ROWS_MAX {
            return Ok(None);
        }
        last = positions_before(table, &last, (key, &mut next), stop)?;
    }
    Ok(Some(next))
}

/// Returns the positions that have a move to one of `positions` and have not been found yet.
fn positions_before(
    table: &Table,
    positions: &HashSet<Key>,
    (key, next): (Key, &mut HashMap<Key, (PackedMove, Key)>),
    stop: &AtomicBool,
) -> Result<HashSet<Key>> {
    let (mut before, mut batch) = (HashSet::new(), Vec::new());
    for shard in 0..table.shards().len() as u32 {
        let mut rows = table.shard_rows(shard)?;
        while rows.next_batch(&mut batch)? {
            if stop.load(Relaxed) {
                return Err(Interrupt.into());
            }
            for row in &batch {
                let child = row.step.child(row.key, row.mv);
                let leads = !row.mv.is_terminal() && positions.contains(&child);
                if leads && row.key != key && !next.contains_key(&row.key) {
                    next.insert(row.key, (row.mv, child));
                    before.insert(row.key);
                }
            }
        }
    }
    Ok(before)
}
