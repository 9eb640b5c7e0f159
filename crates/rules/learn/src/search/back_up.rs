//! Back-up: spreads the value of a game over its plies, from the last to the first.

use crate::crafty::{Family, Rule};

/// Fills `plies` with the value learned at each ply of a game, in pawns, from the same point of view as
/// `value`. Returns `false` if nothing can be learned from the game.
///
/// `value` is in the family's unit; see [`Family::pawn`]. `alternatives[i]` is the number of playable book
/// moves at ply i, including the one played. It was counted before this game changed any values. A ply
/// without a choice (0 or 1 alternatives) passes the value on unchanged.
///
/// The four rules are described at [`Rule`]. With [`Rule::Ramp`], nothing is learned from a game without
/// branches. In that case, Crafty itself divides by zero and stores a NaN (18.2–22.10).
///
/// # Examples
///
/// In the paper's first game, −1.35 is learned at move 6. Three moves were playable there, and two at move 4
/// (Crafty: back-up, section 5.1):
///
/// ```
/// use learn::{crafty::Family, search::back_up};
/// let alternatives = [1, 1, 1, 1, 1, 1, 2, 1, 1, 1, 3];
/// let mut plies = Vec::new();
/// assert!(back_up(Family::A, -135, &alternatives, &mut plies));
/// let printed = [10, 6, 0].map(|ply| format!("{:.3}", plies[ply]));
/// assert_eq!(printed, ["-1.350", "-0.450", "-0.225"]); // 6.O-O, 4.Nc3, 1.e4
/// ```
#[must_use]
pub fn back_up(family: Family, value: i64, alternatives: &[u32], plies: &mut Vec<f32>) -> bool {
    plies.clear();
    let lessen: fn(f32, u32) -> f32 = match family.rule() {
        Rule::Linear => {
            linear(family, value, alternatives.len(), plies);
            return true;
        }
        Rule::Ramp => return ramp(pawns(value), alternatives, plies),
        Rule::Divide => |value, branches| value / exact(branches),
        Rule::ThreeQuarters => |value, _| 3.0 * value / 4.0,
    };
    backwards(pawns(value), alternatives, plies, lessen);
    true
}

/// `value · (i + 1) / plies`, in whole millipawns with C's truncation (11.23 `learn.c`).
fn linear(family: Family, value: i64, count: usize, plies: &mut Vec<f32>) {
    let millipawns = i128::from(value) * (1000 / i128::from(family.pawn()));
    plies.extend((1..=count as i128).map(|ply| thousandth(millipawns * ply / count as i128)));
}

/// Goes from the last ply to the first, and gives each ply the current value. At each branch, `lessen`
/// reduces the current value for all earlier plies.
fn backwards(mut value: f32, alternatives: &[u32], plies: &mut Vec<f32>, lessen: fn(f32, u32) -> f32) {
    for &branches in alternatives.iter().rev() {
        plies.push(value);
        if branches > 1 {
            value = lessen(value, branches);
        }
    }
    plies.reverse();
}

/// Gives k/N of the value to the k-th of N branches and to every ply from there to the next branch. Returns
/// `false` if there is no branch.
fn ramp(value: f32, alternatives: &[u32], plies: &mut Vec<f32>) -> bool {
    let branches = alternatives.iter().filter(|&&playable| playable > 1).count() as u32;
    let mut passed = 0;
    plies.extend(alternatives.iter().map(|&playable| {
        passed += u32::from(playable > 1);
        if branches == 0 { 0.0 } else { value * exact(passed) / exact(branches) }
    }));
    branches > 0
}

/// Crafty's `learn_value / 100.0`, stored in a float.
#[expect(
    clippy::cast_precision_loss,
    reason = "values are a few digits; a longer one is rounded as C rounds it"
)]
fn pawns(centipawns: i64) -> f32 {
    (centipawns as f64 / 100.0) as f32
}

#[expect(clippy::cast_precision_loss, reason = "values are a few digits; a longer one is rounded")]
fn thousandth(millipawns: i128) -> f32 {
    (millipawns as f64 / 1000.0) as f32
}

#[expect(clippy::cast_precision_loss, reason = "counts of moves or plies of one game")]
fn exact(count: u32) -> f32 {
    count as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn backed_up(family: Family, value: i64, alternatives: &[u32]) -> Option<Vec<f32>> {
        let mut plies = Vec::new();
        back_up(family, value, alternatives, &mut plies).then_some(plies)
    }

    #[test]
    fn three_quarters_a_branch() {
        let plies = backed_up(Family::B, 100, &[2, 1, 5, 1]).unwrap();
        assert_eq!(plies, [0.75, 0.75, 1.0, 1.0]);
    }

    #[test]
    fn ramp_from_the_first_branch() {
        let plies = backed_up(Family::C, 300, &[1, 2, 1, 3, 2, 0]).unwrap();
        assert_eq!(plies, [0.0, 1.0, 1.0, 2.0, 3.0, 3.0]);
    }

    #[test]
    fn ramp_without_a_branch_teaches_nothing() {
        assert_eq!(backed_up(Family::C, 300, &[1, 1, 0]), None);
        assert_eq!(backed_up(Family::C, 300, &[]), None);
    }

    #[test]
    fn linear_truncates_millipawns() {
        assert_eq!(backed_up(Family::M2, -100, &[0, 9, 3]).unwrap(), [-0.033, -0.066, -0.1]);
        assert_eq!(backed_up(Family::M3, -10, &[0, 9, 3]).unwrap(), [-0.033, -0.066, -0.1]);
    }

    #[test]
    fn absurd_values_stay_finite() {
        for &family in Family::ALL {
            let plies = backed_up(family, i64::MIN, &[2; 300]).unwrap();
            assert!(plies.iter().all(|value| value.is_finite()), "{family:?}");
        }
    }
}
