//! Reads the data that learning uses and changes: the moves that a book keeps in certain positions, and the
//! values learned for these moves so far.

use std::collections::HashMap;

use book::BookFilter;
use experience::ExperienceFile;
use learn::crafty::{LearningBook, LearningBookBuilder};
use position::{Edge, ExperienceKind, Key, PackedMove};
use run::{Context, Result};
use table::{PositionCounts, PositionRows, SortedRows as _, Table, WeightedRows};

use super::KeptMoves;
use crate::counts::WeightedCounts;

/// The distinct keys of the positions that occurred in games or records.
///
/// # Memory
///
/// Uses eight bytes for each position, and twice as much while the vector grows.
#[derive(Default)]
pub struct TouchedKeys {
    keys: Vec<Key>,
    /// How many keys at the front of the vector are sorted and distinct.
    sorted: usize,
}

/// The keys are sorted again once the unsorted keys outnumber the sorted ones, but only if there are more
/// than this many unsorted keys.
const UNSORTED_KEYS: usize = 1 << 20;

impl TouchedKeys {
    /// Adds keys.
    pub fn extend(&mut self, keys: impl Iterator<Item = Key>) {
        self.keys.extend(keys);
        if self.keys.len() - self.sorted > self.sorted.max(UNSORTED_KEYS) {
            self.sort();
        }
    }

    fn sort(&mut self) {
        self.keys.sort_unstable();
        self.keys.dedup();
        self.sorted = self.keys.len();
    }

    /// The keys, in ascending order.
    #[must_use]
    pub fn finish(mut self) -> Vec<Key> {
        self.sort();
        self.keys
    }
}

/// For each move, the value learned so far and the number of lessons behind it.
type GameLesson = HashMap<(Key, PackedMove), (f32, u32)>;

/// Returns the moves that `filter` keeps at the positions `keys`, which must be in ascending order. Also
/// returns the number of games with each move, in the order of the book's edges.
pub fn book_moves(
    context: &Context,
    counts: &WeightedCounts,
    filter: &BookFilter,
    keys: &[Key],
    old: Option<&ExperienceFile>,
) -> Result<(LearningBook, Vec<u32>)> {
    let learned = learned_before(old, keys)?;
    let shards = context.for_each_shard("fetching book moves", counts.shards(), |shard| {
        let mut found = Found::default();
        found.read(PositionRows::new(counts.shard(shard)?), filter, keys)?;
        Ok(found)
    })?;
    let positions = shards.iter().map(|found| found.positions.len()).sum();
    let moves = shards.iter().map(|found| found.moves.len()).sum();
    let mut book = LearningBookBuilder::with_capacity(positions, moves);
    let mut games = Vec::with_capacity(moves);
    for found in shards {
        for (key, moves) in found.positions() {
            games.extend(moves.iter().map(|&(_, games)| games));
            let with_learned = moves.iter().map(|&(mv, _)| {
                let (learn, count) = learned.get(&(key, mv)).copied().unwrap_or_default();
                (mv, learn, count)
            });
            book.push(key, with_learned)?;
        }
    }
    Ok((book.finish(), games))
}

/// Returns the moves that a book made from the table keeps at the positions `keys`, which must be in
/// ascending order. Positions where no move is kept are left out.
///
/// # Errors
///
/// Fails if the table cannot be read.
pub fn kept_moves_of(table: &Table, keep: &KeptMoves, keys: &[Key]) -> Result<Vec<(Key, Vec<PackedMove>)>> {
    let (filter, weighing) = (keep.filter(), table.weighing(keep.weigh.weights())?);
    let mut found = Found::default();
    for shard in 0..table.shards().len() as u32 {
        let rows = WeightedRows::new(table.shard(shard)?, weighing.clone());
        found.read(PositionRows::new(Box::new(rows)), &filter, keys)?;
    }
    let moves = |moves: &[(PackedMove, u32)]| moves.iter().map(|&(mv, _)| mv).collect();
    Ok(found.positions().map(|(key, of_key)| (key, moves(of_key))).collect())
}

fn learned_before(old: Option<&ExperienceFile>, keys: &[Key]) -> Result<GameLesson> {
    let mut learned = GameLesson::new();
    let Some(old) = old else { return Ok(learned) };
    for row in old.read()? {
        let row = row?;
        let known = &row.experience;
        if row.kind == ExperienceKind::Book && known.learn_count > 0 && keys.binary_search(&row.key).is_ok() {
            learned.insert((row.key, row.mv), (known.learn, known.learn_count));
        }
    }
    Ok(learned)
}

/// The kept moves of one shard: positions in ascending order, each with the index in `moves` at which its
/// moves end.
#[derive(Default)]
struct Found {
    positions: Vec<(Key, usize)>,
    /// The moves, each with its number of games, which is capped at `u32::MAX`.
    moves: Vec<(PackedMove, u32)>,
}

impl Found {
    /// Reads rows and keys side by side, since both are in ascending order.
    fn read(&mut self, mut rows: PositionRows<'_>, filter: &BookFilter, keys: &[Key]) -> Result<()> {
        let (mut position, mut next) = (PositionCounts::default(), None);
        while rows.next_into(&mut position)? {
            let at = next.unwrap_or_else(|| keys.partition_point(|&key| key < position.key));
            let ahead = keys[at..].iter().take_while(|&&key| key < position.key).count();
            next = Some(at + ahead);
            if keys.get(at + ahead) != Some(&position.key) {
                continue;
            }
            filter.keep(position.step.mover(), position.tally, &mut position.edges);
            if !position.edges.is_empty() {
                let games = |edge: &Edge| u32::try_from(edge.tally.games()).unwrap_or(u32::MAX);
                self.moves.extend(position.edges.iter().map(|edge| (edge.mv, games(edge))));
                self.positions.push((position.key, self.moves.len()));
            }
        }
        Ok(())
    }

    fn positions(&self) -> impl Iterator<Item = (Key, &[(PackedMove, u32)])> {
        let starts = std::iter::once(0).chain(self.positions.iter().map(|&(_, end)| end));
        starts.zip(&self.positions).map(|(start, &(key, end))| (key, &self.moves[start..end]))
    }
}
