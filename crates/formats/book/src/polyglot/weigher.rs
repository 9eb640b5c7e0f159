//! Rules that assign weights to a position's moves, from the book's counts or in any other way.

use position::{Experience, ExperienceKind, ExperienceRow, Key, PackedMove};

use super::{LearnField, Weight};
use crate::{Book, Error, PositionEntry, Result};

/// A move to export, before the weights of its position are scaled.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct WeightedMove {
    /// The move.
    pub mv: PackedMove,
    /// The weight of the move, below 2^98. If the largest weight of a position is above 65,535, all weights
    /// of the position are scaled down, so only their ratios matter.
    pub raw: u128,
    /// The last 32 bits of the entry.
    pub learn: u32,
}

/// A rule that computes the weights of a position's moves.
pub trait Weigher: Sync {
    /// The error that the rule returns.
    type Error: From<Error> + Send;

    /// The keys of positions to export even though the book does not have them, in ascending order. These
    /// positions are passed to [`weigh`](Self::weigh) without any games or moves.
    fn beyond(&self) -> &[Key] {
        &[]
    }

    /// Fills `moves`, which the caller passes in empty, with the moves of `position` that are to be exported.
    /// Returns the number of moves that were left out because they never scored.
    ///
    /// # Errors
    ///
    /// Fails if the rule fails.
    fn weigh(&self, position: &PositionEntry, moves: &mut Vec<WeightedMove>) -> Result<u64, Self::Error>;
}

/// Options for exporting a book with weights computed from its counts.
#[derive(Clone, Copy, Debug, Default)]
pub struct ExportOptions<'m> {
    /// The rule for weights. Moves that are left out do not affect how a position's weights are scaled.
    pub weight: Weight,
    /// The moves to leave out, in ascending order.
    pub left_out: &'m [(Key, PackedMove)],
    /// Whether to leave out moves that never won or drew a game, as `polyglot make-book` does.
    pub drop_unscored: bool,
    /// The contents of the last 32 bits of an entry.
    pub learn_field: LearnField,
    /// The number of threads that write; 0 means one per core.
    pub threads: usize,
}

/// The rule of [`ExportOptions`].
pub(super) struct ByCounts<'o> {
    pub(super) book: &'o Book,
    pub(super) options: ExportOptions<'o>,
}

impl Weigher for ByCounts<'_> {
    type Error = Error;

    #[inline]
    fn weigh(&self, position: &PositionEntry, moves: &mut Vec<WeightedMove>) -> Result<u64> {
        let ExportOptions { weight, drop_unscored, learn_field, .. } = self.options;
        let (turn, left_out) = (position.turn, self.left_out(position.key));
        let rows = match learn_field {
            LearnField::Learned => self.book.experience_of(position.key)?,
            LearnField::None | LearnField::Games => Vec::new(),
        };
        let mut unscored = 0;
        for edge in &position.edges {
            if !left_out.is_empty() && left_out.binary_search(&(position.key, edge.mv)).is_ok() {
                continue;
            }
            if drop_unscored && Weight::WinsDraws.raw(edge.tally, turn) == 0 {
                unscored += 1;
                continue;
            }
            let learn = match learn_field {
                LearnField::None => 0,
                field => field.bits(edge.tally, turn, &learned(&rows, edge.mv)),
            };
            moves.push(WeightedMove { mv: edge.mv, raw: weight.raw(edge.tally, turn), learn });
        }
        Ok(unscored)
    }
}

impl ByCounts<'_> {
    /// The position's moves that are to be left out.
    fn left_out(&self, key: Key) -> &[(Key, PackedMove)] {
        let moves = self.options.left_out;
        if moves.is_empty() {
            return moves;
        }
        let from = moves.partition_point(|(known, _)| *known < key);
        &moves[from..from + moves[from..].partition_point(|(known, _)| *known == key)]
    }
}

/// The experience of a book move.
fn learned(rows: &[ExperienceRow], mv: PackedMove) -> Experience {
    let row = rows.iter().find(|row| row.mv == mv && row.kind == ExperienceKind::Book);
    row.map_or_else(Experience::default, |row| row.experience)
}
