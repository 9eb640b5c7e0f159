//! Crafty's choices: the two modes its author's paper compares, and the mixture that the program played with from version 15 on.

pub(crate) mod flags;
pub(crate) mod mixture;
pub(crate) mod paper;
mod pool;
mod screening;
mod settings;
mod sort_value;
mod version;

use crate::{Kind, Parameter};
use position::Experience;

pub(crate) const BAD_THRESHOLD: Parameter = Parameter {
    name: "bad-threshold",
    kind: Kind::Decimal(-1000.0, 0.0),
    default: Some("-0.8"),
    unit: "pawns",
    meaning: "a move with a learned value at or below this is not playable",
    source: "seed Crafty, D9; LEARN_COUNTER_BAD",
};

/// A value in centipawns, cut toward zero as C cuts it: `(int) (learn * 100.0)` in Crafty's `Book()`. 32 bits, held at their ends.
fn centipawns(pawns: f32) -> i64 {
    i64::from((f64::from(pawns) * 100.0) as i32)
}

/// An evaluation in whole centipawns, which Crafty counts in.
fn eval_centipawns(experience: &Experience) -> Option<i64> {
    let eval = experience.eval.filter(|eval| eval.is_finite())?;
    Some(i64::from((f64::from(eval) * 100.0).round() as i32))
}

/// Whether a learned value is below what can be played; a value that is no number is, as in `LearnBook()`.
fn learned_bad(experience: &Experience, threshold_centipawns: i64) -> bool {
    experience.learn.is_nan() || centipawns(experience.learn) <= threshold_centipawns
}

/// A threshold in pawns as the whole centipawns that Crafty compares.
fn threshold_centipawns(pawns: f64) -> i64 {
    (pawns * 100.0).round() as i64
}
