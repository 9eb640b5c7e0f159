//! Uses a table's moves to find lines to positions that cannot be reached by moves with rows alone.

use std::{
    collections::{HashMap, HashSet, VecDeque},
    path::Path,
};

use position::{Key, PackedMove};
use table::{PositionCounts, PositionRows, SortedRows as _, Table};

use super::Lines;
use crate::Result;

/// The maximum number of table moves by which a line is extended to reach a missing position. Each of these
/// moves requires a pass over the table.
const MOVES_MAX: usize = 12;

/// Finds lines to the positions in `missing`, and adds them to `lines`. A new line continues the line to
/// another position by up to [`MOVES_MAX`] moves of the table at `path`. If there is no such line to a
/// position, none is added.
pub(super) fn add(lines: &mut Lines, path: &Path, missing: HashSet<Key>) -> Result<()> {
    let table = Table::open(path)?;
    let mut moves = moves_between(&table, |key| lines.0.contains_key(&key), missing)?;
    let mut waiting: Vec<_> = moves.keys().copied().filter(|key| lines.0.contains_key(key)).collect();
    // Positions are sorted by the length of their lines, to keep new lines short, and then by key.
    waiting.sort_by_key(|key| (lines.0[key].1.split(' ').count(), *key));
    let mut waiting = VecDeque::from(waiting);
    while let Some(key) = waiting.pop_front() {
        for mv in moves.remove(&key).unwrap_or_default() {
            waiting.extend(lines.go_on(key, mv));
        }
    }
    Ok(())
}

/// Returns the table's moves that lead from reached positions to missing ones, grouped by the position before
/// the move.
pub(crate) fn moves_between(
    table: &Table,
    is_reached: impl Fn(Key) -> bool,
    missing: HashSet<Key>,
) -> Result<HashMap<Key, Vec<PackedMove>>> {
    let mut moves = HashMap::<Key, Vec<PackedMove>>::new();
    let (mut known, mut wanted) = (missing.clone(), missing);
    for _ in 0..MOVES_MAX {
        let mut before = HashSet::new();
        for (key, mv) in moves_to(table, &wanted)? {
            moves.entry(key).or_default().push(mv);
            if known.insert(key) && !is_reached(key) {
                before.insert(key);
            }
        }
        if before.is_empty() {
            break;
        }
        wanted = before;
    }
    Ok(moves)
}

/// Returns the table's moves that lead to any of these positions, with the position before each move.
fn moves_to(table: &Table, wanted: &HashSet<Key>) -> Result<Vec<(Key, PackedMove)>> {
    let (mut moves, mut position) = (Vec::new(), PositionCounts::default());
    for shard in 0..table.shards().len() as u32 {
        let mut positions = PositionRows::new(table.shard(shard)?);
        while positions.next_into(&mut position)? {
            let edges = position.edges.iter().zip(&position.steps);
            let leads = edges.filter(|(edge, step)| wanted.contains(&step.child(position.key, edge.mv)));
            moves.extend(leads.map(|(edge, _)| (position.key, edge.mv)));
        }
    }
    Ok(moves)
}
