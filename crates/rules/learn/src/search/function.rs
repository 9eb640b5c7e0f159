//! `LearnFunction`: scales a search value according to its depth and the players' ratings.

/// A depth greater than this number is treated as this number.
const DEPTH_MAX: i32 = 19;

/// Values are clamped to plus or minus this many centipawns.
const VALUE_MAX: i32 = 600;

/// The largest absolute value that [`learn_function`] returns. The result reaches this limit for a trusted
/// value of six pawns at nineteen plies if the engine is rated a thousand points above its opponent.
pub const LEARNED_MAX: i64 = 3990;

/// The number of rating points in each class of rating differences.
const CLASS: i32 = 200;

/// The factor per ply for a value that is bad for the engine, for each class of rating differences from −1000
/// to +1000.
const TRUSTED: [f32; 11] = [0.00625, 0.0125, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35];

/// The factor per ply for a value that is good for the engine, which may be due only to a blunder by the
/// opponent. The classes of rating differences are the same as in [`TRUSTED`]. Crafty's source lists just ten
/// numbers; C sets the eleventh to zero.
const UNTRUSTED: [f32; 11] = [0.25, 0.2, 0.15, 0.1, 0.05, 0.025, 0.012, 0.006, 0.003, 0.001, 0.0];

/// Scales a search value according to its depth and the players' ratings.
///
/// `value` is in centipawns from the engine's point of view, `depth` is in plies, and `rating_difference` is
/// the engine's rating minus the opponent's. Every version of Crafty passes `value < 0` as `trusted`, because
/// a good value may be due only to a blunder by the opponent. The result is in centipawns, and its absolute
/// value is at most 600 · 6.65.
///
/// Source: Crafty 11.15–22.10, `LearnFunction` in `learn.c`; the paper's figure 2.1 has no lower bound for
/// the depth, but the program has one (Crafty: learn function).
///
/// # Examples
///
/// At ten plies and equal ratings, a bad value counts in full, but a good value counts for only a quarter
/// (Crafty: learn function):
///
/// ```
/// use learn::search::learn_function;
/// assert_eq!(learn_function(-100, 10, 0, true), -100);
/// assert_eq!(learn_function(100, 10, 0, false), 25);
/// // Good values count more against a much stronger opponent, and not at all against a much weaker one.
/// assert_eq!(learn_function(100, 10, -1000, false), 250);
/// assert_eq!(learn_function(100, 10, 1000, false), 0);
/// ```
#[must_use]
pub fn learn_function(value: i32, depth: i32, rating_difference: i32, trusted: bool) -> i32 {
    let class = (rating_difference / CLASS).clamp(-5, 5) + 5;
    let factors = if trusted { &TRUSTED } else { &UNTRUSTED };
    let multiplier = factors[class.unsigned_abs() as usize] * exact(depth.clamp(0, DEPTH_MAX));
    (exact(value.clamp(-VALUE_MAX, VALUE_MAX)) * multiplier) as i32
}

/// Converts a number of at most 600 to f32.
fn exact(number: i32) -> f32 {
    f32::from(number as i16)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extremes_stay_within_six_pawns_times_the_largest_factor() {
        assert_eq!(learn_function(i32::MIN, i32::MAX, i32::MAX, true), -3990);
        assert_eq!(learn_function(i32::MAX, i32::MAX, i32::MIN, false), 2850);
        assert_eq!(learn_function(-600, i32::MIN, 0, true), 0);
    }

    #[test]
    fn arithmetic_is_f32() {
        assert_eq!(learn_function(-560, 3, -600, false), -252, "f64 gives -251");
    }
}
