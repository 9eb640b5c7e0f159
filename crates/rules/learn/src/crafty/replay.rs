//! Replays one record over the book: looks up its moves, backs up its value, and updates the moves.

use std::ops::Range;

use position::{Key, PackedMove};

use super::{Family, LearningBook, LessonSummary, Nothing, Origin, RESULT_VALUE};
use crate::search::{back_up, is_playable, updated};

/// The lesson, in pawns, for the loser's last choice in a lost game (15.17 `LearnResult`).
pub(super) const LOST: f32 = -999.0;

/// In 18.0 and 18.1, the lesson for all other moves of a lost game, in pawns. It is negative for White's
/// moves and positive for Black's, no matter which side lost.
const LOST_ELSEWHERE: f32 = 0.1;

/// Buffers that are reused for every record.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    /// For each ply, a range in the book's list of positions. If the book has the position before the move,
    /// the position is in this range.
    buckets: Vec<Range<usize>>,
    /// For each ply, the range of edges that belong to the position before the move.
    moves: Vec<Range<usize>>,
    /// The edge that was played at each ply; `None` if the move is not a book move.
    edges: Vec<Option<u32>>,
    /// The number of playable book moves at each ply.
    alternatives: Vec<u32>,
    /// The value learned at each ply, from White's point of view.
    values: Vec<f32>,
}

impl LearningBook {
    /// Learns from one game by the rules of `family`. `value` is in the family's unit, but always from
    /// White's point of view; `plies` begin at the start position.
    ///
    /// The playable alternatives at each ply are counted before any learned value changes. Back-up yields a
    /// value for each ply. This value is the lesson for a move by White; the lesson for a move by Black is
    /// the negative of this value. Plies that are not book moves are skipped. If the family [has result
    /// records](Family::has_result_records), a value of ±[`RESULT_VALUE`] means that one side lost, and the
    /// lesson for the loser's last choice is −999 pawns. In 18.0 and 18.1, all other moves in that game get a
    /// lesson too: −0.1 pawns for White's moves, and 0.1 pawns for Black's. All of these lessons are subject
    /// to the book's [`LessonLimits`](super::LessonLimits).
    ///
    /// # Errors
    ///
    /// Fails with [`Nothing::NoBookMove`], [`Nothing::NoBranch`], [`Nothing::LastChoiceNotInBook`] or
    /// [`Nothing::ResultRecord`]. On failure, the book is unchanged.
    pub fn teach(
        &mut self,
        family: Family,
        plies: &[(Key, PackedMove)],
        value: i64,
        origin: Origin,
    ) -> Result<LessonSummary, Nothing> {
        self.teach_with(&mut Scratch::default(), family, plies, value, origin)
    }

    /// Like [`Self::teach`], but with reused buffers.
    pub(super) fn teach_with(
        &mut self,
        scratch: &mut Scratch,
        family: Family,
        plies: &[(Key, PackedMove)],
        value: i64,
        origin: Origin,
    ) -> Result<LessonSummary, Nothing> {
        let is_result = family.has_result_records() && value.unsigned_abs() == RESULT_VALUE.unsigned_abs();
        let penalty = self.limits.result_records.lesson();
        if is_result && penalty.is_none() {
            return Err(Nothing::ResultRecord);
        }
        if self.look_up(scratch, family, plies) == 0 {
            return Err(Nothing::NoBookMove);
        }
        let updates = if is_result {
            self.teach_loss(scratch, (family, penalty.unwrap_or(LOST)), value < 0, origin)?
        } else if back_up(family, value, &scratch.alternatives, &mut scratch.values) {
            self.teach_values(scratch, family, origin)
        } else {
            return Err(Nothing::NoBranch);
        };
        Ok(LessonSummary { family, updates })
    }

    /// Finds the edge and the number of alternatives at each ply. Returns the number of plies that are book
    /// moves.
    ///
    /// Performs each step of the look-up for all plies before starting the next step. In a large book, every
    /// step is a cache miss; this order lets the misses for different plies overlap.
    fn look_up(&self, scratch: &mut Scratch, family: Family, plies: &[(Key, PackedMove)]) -> u32 {
        let Scratch { buckets, moves, edges, alternatives, .. } = scratch;
        buckets.clear();
        buckets.extend(plies.iter().map(|ply| self.positions.bucket(ply.0)));
        moves.clear();
        moves.extend(
            buckets.iter().zip(plies).map(|(bucket, ply)| self.positions.find_in(bucket.clone(), ply.0)),
        );
        edges.clear();
        edges.extend(moves.iter().zip(plies).map(|(moves, ply)| self.find_move(moves.clone(), ply.1)));
        alternatives.clear();
        alternatives.extend(moves.iter().enumerate().map(|(ply, moves)| {
            let flipped = family.tests_white_view() && is_black(ply);
            self.playable(moves.clone(), flipped)
        }));
        edges.iter().map(|edge| u32::from(edge.is_some())).sum()
    }

    fn teach_values(&mut self, scratch: &Scratch, family: Family, origin: Origin) -> u32 {
        let mut updates = 0;
        for (ply, (&edge, &value)) in scratch.edges.iter().zip(&scratch.values).enumerate() {
            if let Some(edge) = edge {
                self.update(edge, family, if is_black(ply) { -value } else { value }, origin);
                updates += 1;
            }
        }
        updates
    }

    /// Applies `penalty` to the last ply at which the loser had a choice.
    fn teach_loss(
        &mut self,
        scratch: &Scratch,
        (family, penalty): (Family, f32),
        white_lost: bool,
        origin: Origin,
    ) -> Result<u32, Nothing> {
        let choice = |&ply: &usize| scratch.alternatives[ply] > 1 && is_black(ply) != white_lost;
        let last = (0..scratch.edges.len()).rev().find(choice).ok_or(Nothing::NoBranch)?;
        let mut updates = 0;
        for (ply, &edge) in scratch.edges.iter().enumerate() {
            let lesson = match (family, is_black(ply)) {
                _ if ply == last => penalty,
                (Family::B1, false) => -LOST_ELSEWHERE,
                (Family::B1, true) => LOST_ELSEWHERE,
                _ => continue,
            };
            if let Some(edge) = edge {
                self.update(edge, family, lesson, origin);
                updates += 1;
            }
        }
        if updates > 0 { Ok(updates) } else { Err(Nothing::LastChoiceNotInBook) }
    }

    fn update(&mut self, edge: u32, family: Family, lesson: f32, origin: Origin) {
        let at = edge as usize;
        let most = self.limits.lesson_pawns_max;
        let lesson = lesson.clamp(-most, most);
        let had = &mut self.edges[at];
        let was_playable = is_playable(had.learn);
        had.learn = updated(family, had.learn, had.count, lesson);
        match (was_playable, is_playable(had.learn)) {
            (true, false) => drop(self.banned.insert(edge)),
            (false, true) => drop(self.banned.remove(&edge)),
            _ => {}
        }
        self.note(at, origin);
    }
}

/// Whether Black is to move at this ply. Games start with White.
fn is_black(ply: usize) -> bool {
    ply % 2 == 1
}
