//! Values set by hand, from 0 (never) to 100 (always) (Terra: user-set values, marks).

use super::USER_SET;
use crate::results::float;
use crate::{Candidate, Reason, Sheet};

const NEVER: Reason = Reason { rule: "set to 0: never played", source: "Terra: marks" };
const ANOTHER_ALWAYS: Reason =
    Reason { rule: "another move is set to 100: always played", source: "Terra: value 100" };

/// The value of a move that is always played.
const ALWAYS: u8 = 100;

/// The value set for the move, either as a number or by its last annotation; `None` if there is none.
///
/// The value is 0 for `?`, 15 for `!?` and `?!`, 75 for `!`, and 100 for `!!` (Terra: marks). Terra's text
/// does not mention `??`; here, it is 0 as well.
pub(super) fn value(candidate: &Candidate) -> Option<u8> {
    let experience = &candidate.experience;
    let annotated = || match experience.nag {
        Some(1) => Some(75),
        Some(2 | 4) => Some(0),
        Some(3) => Some(ALWAYS),
        Some(5 | 6) => Some(15),
        _ => None,
    };
    experience.user_value.map(|value| value.min(ALWAYS)).or_else(annotated)
}

/// Puts all moves with a value set by hand into one group, and uses this value as the weight of the move.
/// Moves with the value 0 are excluded.
pub(super) fn weigh(sheet: &mut Sheet<'_>) {
    for (candidate, judged) in sheet.open() {
        let Some(value) = value(candidate) else { continue };
        judged.group = Some(USER_SET);
        judged.probability = f64::from(value);
        judged.scores.push("user-value", f64::from(value));
        if value == 0 {
            judged.exclude(NEVER);
        }
    }
}

/// If any move has the value 100, excludes all moves without this value and returns `true`.
pub(super) fn play_always(sheet: &mut Sheet<'_>) -> bool {
    let always = |candidate: &Candidate| value(candidate) == Some(ALWAYS);
    let found = sheet.open().any(|(candidate, _)| always(candidate));
    if found {
        sheet.exclude_where(ANOTHER_ALWAYS, |candidate| !always(candidate));
    }
    found
}

/// The chance that the group of moves with values set by hand is chosen, which is `P = 1 - Π (100 - v)/100`
/// over these moves (Terra: group choice).
///
/// For moves with the values 75 and 15, the example in Terra's text gives a chance of 63.75 %, which is 75 *
/// (100 - 15)/100. The formula in the same text gives 78.75 %; this function uses the formula.
pub(super) fn group_chance(sheet: &mut Sheet<'_>) -> f64 {
    let others = sheet.open().filter_map(|(candidate, _)| value(candidate));
    let miss = others.fold(1.0, |miss, value| miss * float(u128::from(ALWAYS - value)) / 100.0);
    1.0 - miss
}
