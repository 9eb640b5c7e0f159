//! Gathers all rows of a position.

use position::{Board, Group, Key, Step, Tally};
use shakmaty::Position as _;
use table::{Gather, Row};

/// All rows of one position.
#[derive(Default)]
pub(crate) struct GroupedPosition {
    pub(crate) key: Key,
    /// The step of the first row. It shows which side is to move in the position.
    pub(crate) step: Step,
    /// All visits to the position by result, including terminal visits.
    pub(crate) tally: Tally,
    /// The rows, sorted by move and group; terminal visits come first.
    pub(crate) rows: Vec<Row>,
}

impl Gather for GroupedPosition {
    fn begin(&mut self, first: &Row) {
        (self.key, self.step, self.tally) = (first.key, first.step, first.tally);
        self.rows.clear();
        self.rows.push(*first);
    }

    fn add(&mut self, row: &Row) {
        self.tally += row.tally;
        self.rows.push(*row);
    }
}

impl GroupedPosition {
    /// Returns the rows of each move, in ascending order of moves, without terminal visits.
    pub(crate) fn moves(&self) -> impl Iterator<Item = &[Row]> {
        self.rows.chunk_by(|a, b| a.mv == b.mv).filter(|rows| !rows[0].mv.is_terminal())
    }

    /// Sets `visits` to the number of visits in each group, in ascending order of groups.
    pub(crate) fn visits_by_group(&self, visits: &mut Vec<(Group, u64)>) {
        visits.clear();
        visits.extend(self.rows.iter().map(|row| (row.group, row.tally.games())));
        visits.sort_unstable_by_key(|(group, _)| *group);
        visits.dedup_by(|next, first| {
            let same = next.0 == first.0;
            first.1 += if same { next.1 } else { 0 };
            same
        });
    }
}

/// The position that a row's move leads to. If the row has no step, as in a book, the move is played on
/// `board`; without a board, the result is `None`.
pub(crate) fn child(row: &Row, board: Option<&Board>) -> Option<Key> {
    if row.step.role().is_some() {
        return Some(row.step.child(row.key, row.mv));
    }
    let mut after = board?.position();
    after.play_unchecked(row.mv.unpack(&after)?);
    Some(Key::of(&after))
}
