//! The sort value of a move, a single number that combines frequency, learned value and evaluation. As in the
//! program, it is computed in `float` arithmetic.

use std::array;

use super::flags;
use super::version::{Rules, Version};
use crate::Scores;
use crate::results::float;

/// The facts about a book move that Crafty uses when it chooses a move.
#[derive(Clone, Copy, Debug)]
pub(super) struct BookMove {
    /// The index of the move in the sheet's list of moves.
    pub(super) at: usize,
    pub(super) played: u128,
    pub(super) learned_centipawns: i64,
    pub(super) eval_centipawns: Option<i64>,
    /// The play percentage set by hand; 0 if there is none.
    pub(super) percent: u8,
    pub(super) flags: u8,
    pub(super) value: f32,
    /// The weighted parts of the value, in the same order as [`PARTS`].
    pub(super) parts: [f64; 3],
}

impl BookMove {
    /// The scores to display: the parts of the sort value, the sort value itself, and the numbers from which
    /// it was computed.
    pub(super) fn all_scores(&self) -> Scores {
        let mut scores = Scores::default();
        for (name, part) in PARTS.into_iter().zip(self.parts) {
            scores.push(name, part);
        }
        scores.push("sort-value", f64::from(self.value));
        scores.push("played", float(self.played));
        scores.push("learned", pawns(self.learned_centipawns));
        if let Some(eval) = self.eval_centipawns {
            scores.push("eval", pawns(eval));
        }
        if self.percent > 0 {
            scores.push("play-percent", f64::from(self.percent));
        }
        scores
    }
}

/// The names of a sort value's parts.
const PARTS: [&str; 3] = ["frequency-part", "learn-part", "eval-part"];

/// A range of less than this many centipawns is widened to this width, so that small differences carry little
/// weight.
const NARROWEST_CENTIPAWNS: i64 = 50;
/// The bonus for moves with `!` or `!!`.
const GOOD_BONUS: f32 = 8000.0;
/// The bonus for moves without `?` or `??`.
const PLAYABLE_BONUS: f32 = 4000.0;

/// The lowest and the highest value; `None` if there are no values.
fn range(values: impl Iterator<Item = i64>) -> Option<(i64, i64)> {
    values.fold(None, |range, value| {
        Some(range.map_or((value, value), |(low, high): (i64, i64)| (low.min(value), high.max(value))))
    })
}

/// Computes `1 + 1000 wf played/(max + 1) + 1000 wl (learned - min)/D + 1000 we (eval - min)/max(range, 50)`.
///
/// In `max + 1`, `max` is `most_played`, which also takes into account moves that Crafty's own rules reject.
/// Crafty evaluates every move. Here, the part of the sum that depends on the evaluation is 0 for a move
/// without one.
pub(super) fn assign(moves: &mut [BookMove], most_played: u128, weights: [f32; 3], version: Version) {
    let flags_first = version.rules >= Rules::FlagsFirst;
    let measured = |one: &&BookMove| !flags_first || one.flags & flags::BAD == 0;
    let learned = range(moves.iter().filter(measured).map(|one| one.learned_centipawns));
    let evals = range(moves.iter().filter(measured).filter_map(|one| one.eval_centipawns));
    let narrowest_learned = if flags_first { 0 } else { NARROWEST_CENTIPAWNS };
    for one in moves {
        let eval = one.eval_centipawns.map_or(0.0, |eval| place(eval, evals, NARROWEST_CENTIPAWNS));
        let shares = [
            frequency(one.played, most_played + 1),
            place(one.learned_centipawns, learned, narrowest_learned),
            eval,
        ];
        one.parts = array::from_fn(|at| f64::from(shares[at]) * 1000.0 * f64::from(weights[at]));
        // As in C, each part is added in double precision, but the sum is stored in single precision.
        one.value = one.parts.iter().fold(1.0, |sum, part| (f64::from(sum) + part) as f32);
    }
}

/// Computes `played / (float) maxp`.
fn frequency(played: u128, most: u128) -> f32 {
    float(played) as f32 / float(most) as f32
}

/// The distance of `value` from the lower end of `range`, divided by the width of the range or by
/// `narrowest`, whichever is larger; 0 if the range is a single value.
#[expect(clippy::cast_precision_loss, reason = "Crafty casts to float as well")]
fn place(value: i64, range: Option<(i64, i64)>, narrowest: i64) -> f32 {
    match range {
        Some((low, high)) if low < high => (value - low) as f32 / (high - low).max(narrowest) as f32,
        _ => 0.0,
    }
}

/// Adds the bonuses for flags to the sort values.
pub(super) fn add_bonuses(moves: &mut [BookMove], version: Version) {
    let some_good = moves.iter().any(|one| one.flags & flags::WANTED != 0);
    if version.rules >= Rules::PlayPercent && !some_good {
        return;
    }
    for one in moves {
        if one.flags & flags::WANTED != 0 {
            one.value += GOOD_BONUS;
        }
        if one.flags & flags::REJECTED == 0 {
            one.value += PLAYABLE_BONUS;
        }
    }
}

#[expect(
    clippy::cast_precision_loss,
    reason = "learned values and evaluations are far below 2^52 centipawns"
)]
fn pawns(centipawns: i64) -> f64 {
    centipawns as f64 / 100.0
}
