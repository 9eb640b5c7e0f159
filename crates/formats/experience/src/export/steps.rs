//! Finds lessons that change the learned value of a move to a given target.

use learn::{crafty::RESULT_VALUE, search::LEARNED_MAX};

/// The maximum number of lessons that are needed to change one value to another. The longest sequence goes
/// from a small value to within a hundredth of −999: each lesson halves the remaining distance.
const STEPS_MAX: usize = 18;
/// The maximum number of ranges that are kept after each round of the search.
const WAYS_MAX: usize = 64;
/// The maximum difference, in pawns, between the target and the value reached. Records have whole centipawns,
/// which means that most targets cannot be reached exactly.
const WITHIN: f64 = 0.005;
/// The largest lesson, in pawns, that a record can give through its value. The lesson of a lost game is
/// larger.
#[expect(clippy::cast_precision_loss, reason = "four digits")]
const LESSON_MAX: f64 = LEARNED_MAX as f64 / 100.0;
/// The lesson of a lost game, in pawns, for the loser's last move that was a choice between alternatives.
const LOST: f64 = -999.0;

/// The lesson that one record gives to the last move of its line. [`next`] describes how a lesson changes the
/// value of a move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum StepLesson {
    /// A value in centipawns, from the mover's point of view.
    Value(i64),
    /// The mover lost the game.
    Lost,
}

impl StepLesson {
    /// The value to write in the record, from the mover's point of view.
    pub(super) fn value(self) -> i64 {
        match self {
            Self::Value(value) => value,
            Self::Lost => -RESULT_VALUE,
        }
    }
}

/// Finds a shortest sequence of lessons that changes a move's value from `old` to `target`, and returns the
/// first lesson of this sequence. Both values are in pawns, from the mover's point of view. Returns `None` if
/// no sequence leads to the target, or if `old` is already within `WITHIN` of the target. If `old` is 0,
/// nothing has been learned yet, and the lesson becomes the new value. Otherwise, the new value is the mean
/// of `old` and the lesson. `can_lose` states whether a lost game would change the value of this move.
pub(super) fn next(old: f64, target: f64, can_lose: bool) -> Option<StepLesson> {
    // The search goes backwards from the target. There are two kinds of lesson, and each sequence of lessons
    // has a range of values from which it leads to the target. Each round puts one more lesson before every
    // sequence.
    let mut ways: Vec<Way> = vec![(target - WITHIN, target + WITHIN)];
    if ways[0].0 <= old && old <= ways[0].1 {
        return None;
    }
    for _ in 0..STEPS_MAX {
        if let Some(step) = ways.iter().find_map(|way| first_step(old, way, can_lose)) {
            return Some(step);
        }
        // No lesson leads to a value outside these bounds.
        let exists = |way: &Way| way.1 >= LOST && way.0 <= LESSON_MAX;
        ways = ways.iter().flat_map(|way| before(way, can_lose)).filter(exists).collect();
        // It is enough to keep the widest ranges.
        ways.sort_by(|a, b| (b.1 - b.0).total_cmp(&(a.1 - a.0)));
        ways.truncate(WAYS_MAX);
    }
    None
}

/// A range of values, from the lowest to the highest.
type Way = (f64, f64);

/// The lesson that changes `old` to a value in the range; `None` if no single lesson does.
fn first_step(old: f64, (lowest, highest): &Way, can_lose: bool) -> Option<StepLesson> {
    let is_none = old == 0.0;
    let after_loss = if is_none { LOST } else { f64::midpoint(old, LOST) };
    if can_lose && (*lowest..=*highest).contains(&after_loss) {
        return Some(StepLesson::Lost);
    }
    let aim = f64::midpoint(*lowest, *highest);
    let lesson = if is_none { aim } else { 2.0 * aim - old }.clamp(-LESSON_MAX, LESSON_MAX);
    let centipawns = (lesson * 100.0).round();
    let lesson = centipawns / 100.0;
    let after = if is_none { lesson } else { f64::midpoint(old, lesson) };
    // A rounding error may put the value just outside a range that is only a centipawn wide.
    let reached = (lowest - 1e-9..=highest + 1e-9).contains(&after);
    reached.then_some(StepLesson::Value(centipawns as i64))
}

/// Returns the ranges of values that one lesson can change to a value in this range: one range for each kind
/// of lesson.
fn before((lowest, highest): &Way, can_lose: bool) -> impl Iterator<Item = Way> + use<> {
    let value = (2.0 * lowest - LESSON_MAX, 2.0 * highest + LESSON_MAX);
    let lost = (2.0 * lowest - LOST, 2.0 * highest - LOST);
    [Some(value), can_lose.then_some(lost)].into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The value after all lessons, and the number of lessons.
    #[expect(clippy::cast_precision_loss, reason = "lessons have four digits")]
    fn walked(mut old: f64, target: f64, can_lose: bool) -> (f64, usize) {
        let mut steps = 0;
        while let Some(step) = next(old, target, can_lose) {
            let lesson = match step {
                StepLesson::Value(centipawns) => centipawns as f64 / 100.0,
                StepLesson::Lost => LOST,
            };
            old = if old == 0.0 { lesson } else { f64::midpoint(old, lesson) };
            steps += 1;
            assert!(steps < 40, "{old} {target}");
        }
        (old, steps)
    }

    #[test]
    fn small_values_take_few_steps() {
        for (old, target) in [(0.0, -1.35), (0.5, -0.98125), (-0.2256, 0.0033), (30.0, -30.0), (0.0, 39.9)] {
            let (value, steps) = walked(old, target, false);
            assert!((value - target).abs() < 0.006 && steps <= 3, "{old} {target}: {value} in {steps}");
        }
        assert_eq!(next(0.25, 0.25, false), None);
    }

    #[test]
    fn losses_are_reached_where_a_game_can_be_lost() {
        for (old, target, most) in
            [(0.0, -999.0, 1), (0.0, -499.5, 2), (0.0, -499.6, 2), (0.3, -120.0, 5), (0.3, -999.0, 18)]
        {
            let (value, steps) = walked(old, target, true);
            assert!((value - target).abs() < 0.006 && steps <= most, "{old} {target}: {value} in {steps}");
        }
        assert_eq!(next(0.0, -499.5, false), None);
    }
}
