//! The moves from the start position to the position from which games are counted.

use std::collections::VecDeque;

use ::book::BookEdge;
use count::WeightedCounts;
use position::{Board, Key, Repeats, Tally};
use query::numbered;
use run::{Context, Result, RunError};
use shakmaty::{Chess, Color};
use table::{BoxedRows, Row, RowBatches, SortedRows};

/// The moves of the line that all counted games began with. Each move has the tally of the games that reached
/// the end of the line. If there are no moves, the book begins where the counts begin.
#[derive(Default)]
pub(super) struct LineFromStart {
    /// The rows of the moves, in ascending order, each move once.
    rows: Vec<Row>,
}

impl LineFromStart {
    /// Finds the moves to the position from which games are counted.
    ///
    /// # Errors
    ///
    /// Fails with [`RunError::NotFromLine`] if games were not counted from the end of a line, and with
    /// another error if the counts cannot be read.
    pub(super) fn find(context: &Context, counts: &WeightedCounts) -> Result<Self> {
        let counting = counts.counting();
        let Some(root) = counting.root else { return Err(RunError::NotFromLine("whole games").into()) };
        let Some(line) = &counting.line else {
            return Err(RunError::NotFromLine("games from a position that was given without a line").into());
        };
        let mut rows = rows_of_line(line)?;
        let tally = games_from(context, counts, root)?;
        for row in &mut rows {
            row.tally = tally;
        }
        rows.sort_by_key(Row::id);
        rows.dedup_by_key(|row| row.id());
        Ok(Self { rows })
    }

    /// Returns the rows of a shard of the counts, merged with the rows for this line's moves.
    pub(super) fn shard<'r>(&self, shard: u32, shards: u32, rows: BoxedRows<'r>) -> BoxedRows<'r> {
        let of_key = |key: Key| key.0.checked_shr(64 - shards.trailing_zeros()).unwrap_or(0);
        let ours = self.rows.iter().filter(|row| of_key(row.key) == u64::from(shard));
        Box::new(RowsWithLine { rows, way: ours.copied().collect() })
    }

    /// Whether the line has a move from the position `key`.
    pub(super) fn has(&self, key: Key) -> bool {
        self.rows.iter().any(|row| row.key == key)
    }

    /// Adds to `kept` the line's moves from the position `key`, unless the book is for one side, `color`, and
    /// the other side is to move.
    pub(super) fn add(
        &self,
        (key, turn): (Key, Color),
        color: Option<Color>,
        counted: &[BookEdge],
        kept: &mut Vec<BookEdge>,
    ) {
        let ours = self.rows.iter().filter(|row| row.key == key && color.is_none_or(|color| color == turn));
        let missing = ours.filter_map(|row| counted.iter().find(|edge| edge.mv == row.mv));
        let missing: Vec<_> = missing.filter(|edge| !kept.contains(edge)).copied().collect();
        kept.extend(missing);
        kept.sort_unstable_by_key(|edge| edge.mv);
    }
}

/// A row for each move of a line from the start position. The tallies of these rows are empty.
fn rows_of_line(line: &str) -> Result<Vec<Row>> {
    let moves = position::named_line(None, Some(line)).map_err(query::Error::from)?.moves;
    let mut board = Board::start();
    let mut row = |san: &shakmaty::san::SanPlus| {
        let key = board.key();
        let ply = board.play_san(&san.san).ok()?;
        Some(Row { key, mv: ply.mv, step: ply.step, ..Row::default() })
    };
    Ok(moves.iter().map_while(&mut row).collect())
}

/// The tally of the games that were counted from `root`. A game that returns to `root` visits it more than
/// once, so the tallies of all moves that lead to `root` are subtracted from the tally of the visits.
fn games_from(context: &Context, counts: &WeightedCounts, root: Key) -> Result<Tally> {
    let of_shards = context.for_each_shard("counting the games of the line", counts.shards(), |shard| {
        let (mut rows, mut batch) = (counts.shard(shard)?, Vec::new());
        let (mut visits, mut returns) = (Tally::default(), Tally::default());
        while rows.next_batch(&mut batch)? {
            for row in &batch {
                if row.key == root {
                    visits += row.tally;
                }
                if !row.mv.is_terminal() && row.step.child(row.key, row.mv) == root {
                    returns += row.tally;
                }
            }
        }
        Ok((visits, returns))
    })?;
    let visits: Tally = of_shards.iter().map(|(visits, _)| *visits).sum();
    let returns = of_shards.iter().map(|(_, returns)| *returns).sum();
    // If at most one visit to a position is counted for each game, there are as many visits as games.
    let is_each = counts.counting().repeats == Repeats::Each;
    Ok(visits.checked_sub(returns).filter(|_| is_each).unwrap_or(visits))
}

/// The moves of a line in SAN with move numbers, such as `1. e4 c5`.
pub(super) fn in_words(line: &str) -> String {
    let moves = position::named_line(None, Some(line)).map(|line| line.moves).unwrap_or_default();
    let moves: Vec<_> = moves.iter().map(ToString::to_string).collect();
    numbered(&Chess::default(), &moves)
}

/// The rows of a shard of the counts, merged with the rows of a line.
struct RowsWithLine<'r> {
    rows: BoxedRows<'r>,
    way: VecDeque<Row>,
}

impl RowBatches for RowsWithLine<'_> {
    fn next_batch(&mut self, rows: &mut Vec<Row>) -> Result<bool> {
        let is_more = self.rows.next_batch(rows)?;
        while let Some(row) = self.way.front().copied() {
            let at = rows.partition_point(|other| other.id() < row.id());
            match rows.get_mut(at) {
                Some(same) if same.id() == row.id() => same.tally += row.tally,
                None if is_more => break,
                _ => rows.insert(at, row),
            }
            self.way.pop_front();
        }
        Ok(!rows.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use position::PackedMove;

    use super::*;

    /// One row per key, in batches of two rows.
    struct Pairs<'k>(&'k [u64]);

    impl RowBatches for Pairs<'_> {
        fn next_batch(&mut self, rows: &mut Vec<Row>) -> Result<bool> {
            rows.clear();
            let (next, rest) = self.0.split_at(self.0.len().min(2));
            rows.extend(next.iter().copied().map(row));
            self.0 = rest;
            Ok(!rows.is_empty())
        }
    }

    fn row(key: u64) -> Row {
        Row {
            key: Key(key),
            mv: PackedMove(1),
            tally: Tally { white: 1, draws: 0, black: 0 },
            ..Row::default()
        }
    }

    fn merged(keys: &[u64], way: &[u64], (shard, shards): (u32, u32)) -> Vec<(u64, u64)> {
        let way = LineFromStart { rows: way.iter().copied().map(row).collect() };
        let mut rows = way.shard(shard, shards, Box::new(Pairs(keys)));
        let (mut found, mut batch) = (Vec::new(), Vec::new());
        while rows.next_batch(&mut batch).unwrap() {
            found.extend(batch.iter().map(|row| (row.key.0, row.tally.white)));
        }
        assert!(!rows.next_batch(&mut batch).unwrap());
        found
    }

    #[test]
    fn rows_of_the_way_come_in_order_and_add_up() {
        assert_eq!(merged(&[], &[3, 5], (0, 1)), [(3, 1), (5, 1)]);
        assert_eq!(merged(&[2, 4, 6, 8], &[], (0, 1)), [(2, 1), (4, 1), (6, 1), (8, 1)]);
        let expected = [(1, 1), (2, 1), (4, 2), (5, 1), (6, 1), (8, 1), (9, 1)];
        assert_eq!(merged(&[2, 4, 6, 8], &[1, 4, 5, 9], (0, 1)), expected);
        assert_eq!(merged(&[2, 1 << 63], &[1, 1 << 63], (1, 2))[1..], [(1 << 63, 2)]);
    }

    #[test]
    fn a_line_has_a_row_a_move() {
        let rows = rows_of_line("e2e4 c7c5 g1f3").unwrap();
        let keys: Vec<_> = rows.iter().map(|row| row.step.child(row.key, row.mv)).collect();
        assert_eq!((rows[0].key, rows.len()), (Key::START, 3));
        assert_eq!(keys[..2], [rows[1].key, rows[2].key]);
        assert_eq!(in_words("e2e4 c7c5"), "1. e4 c5");
    }
}
