//! All rows of a position together.

use position::{Board, Group, Key, Step, Tally};
use shakmaty::Position as _;
use table::{Gather, Row};

/// All rows of one position.
#[derive(Default)]
pub(crate) struct GroupedPosition {
    pub(crate) key: Key,
    /// Whose move it is, by the step of any row.
    pub(crate) step: Step,
    /// Every visit, terminal ones too.
    pub(crate) tally: Tally,
    /// The rows, ascending by move and group, terminal visits first.
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
    /// The rows of each move, ascending; terminal visits are left out.
    pub(crate) fn moves(&self) -> impl Iterator<Item = &[Row]> {
        self.rows.chunk_by(|a, b| a.mv == b.mv).filter(|rows| !rows[0].mv.is_terminal())
    }

    /// Visits of each group, ascending by group.
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

/// The position that a row's move leads to, by its step or, if it has none as in a book, by playing the move
/// on `board`; `None` if there is no board either.
pub(crate) fn child(row: &Row, board: Option<&Board>) -> Option<Key> {
    if row.step.role().is_some() {
        return Some(row.step.child(row.key, row.mv));
    }
    let mut after = board?.position();
    after.play_unchecked(row.mv.unpack(&after)?);
    Some(Key::of(&after))
}
