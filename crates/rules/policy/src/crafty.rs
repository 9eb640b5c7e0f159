//! Crafty's rules: the two modes that its author compares in his paper, and the mixture that the program has
//! used since version 15.

pub(crate) mod flags;
pub(crate) mod mixture;
pub(crate) mod paper;
mod pool;
mod screening;
mod settings;
mod sort_value;
mod version;

use position::Experience;

/// A value in centipawns, rounded toward zero as in C: `(int) (learn * 100.0)` in Crafty's `Book()`. Values
/// that do not fit into 32 bits are clamped.
fn centipawns(pawns: f32) -> i64 {
    i64::from((f64::from(pawns) * 100.0) as i32)
}

/// An evaluation in whole centipawns, which is Crafty's unit; `None` if there is none.
fn eval_centipawns(experience: &Experience) -> Option<i64> {
    let eval = experience.eval.filter(|eval| eval.is_finite())?;
    Some(i64::from((f64::from(eval) * 100.0).round() as i32))
}

/// Whether a learned value is so bad that the move is unplayable. NaN counts as bad too, as it does in
/// `LearnBook()`.
fn learned_bad(experience: &Experience, threshold_centipawns: i64) -> bool {
    experience.learn.is_nan() || centipawns(experience.learn) <= threshold_centipawns
}

/// A threshold in whole centipawns, for comparing values as Crafty does.
fn threshold_centipawns(pawns: f64) -> i64 {
    (pawns * 100.0).round() as i64
}
