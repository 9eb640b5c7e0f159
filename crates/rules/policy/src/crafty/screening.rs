//! The flags that the program sets by itself: `?` for moves that look bad, `!` for moves with a good learned
//! value.

use shakmaty::Color;

use super::flags::{BAD, GOOD, REJECTED, WANTED};
use super::learned_bad;
use super::settings::MixtureSettings;
use super::sort_value::BookMove;
use crate::{Candidate, Reason, Sheet};

const ANNOTATED: Reason = Reason {
    rule: "annotated ? or ??, or with a ? as ?! and !? are, or set to 0",
    source: "Crafty, BookMask()",
};
const LEARNED_BAD: Reason =
    Reason { rule: "learned value at or below bad-threshold", source: "Crafty, Book()" };
const NEVER_WON: Reason = Reason { rule: "the mover never won with it", source: "Crafty, Book()" };
const NO_PERCENT: Reason = Reason { rule: "another move has a play percent", source: "Crafty, Book()" };
const RARE: Reason =
    Reason { rule: "played less than a tenth as often as the most played move", source: "Crafty, Book()" };

/// If any move has a play percent, excludes the moves without one.
pub(super) fn keep_percents_alone(sheet: &mut Sheet<'_>, moves: &[BookMove]) {
    if moves.iter().any(|one| one.percent > 0) {
        for one in moves.iter().filter(|one| one.percent == 0) {
            sheet.moves[one.at].excluded.get_or_insert(NO_PERCENT);
        }
    }
}

/// Adds flags to moves, and excludes each rejected move with a reason.
///
/// `most_played` is the highest count among the moves. Before 18.10, the program adds one to this count.
pub(super) fn flag(
    sheet: &mut Sheet<'_>,
    moves: &mut [BookMove],
    most_played: u128,
    settings: &MixtureSettings,
) {
    let most = most_played + u128::from(!settings.flags_first());
    for one in moves {
        let judged = &mut sheet.moves[one.at];
        if one.flags & REJECTED != 0 {
            judged.exclude(ANNOTATED);
        }
        if let Some(reason) = bad(&sheet.candidates[one.at], sheet.turn, one, most, settings) {
            judged.excluded.get_or_insert(reason);
            one.flags |= BAD;
        }
        let learned_good = one.flags & REJECTED == 0 && one.learned_centipawns >= settings.good_centipawns;
        if learned_good || (settings.percent_flags() && one.percent > 0) {
            one.flags |= GOOD;
        }
    }
}

/// The rule that makes the program flag a move `?`; `None` if no rule does. Moves with `!` or `!!` are never
/// flagged; from 16.0 on, neither are moves with a play percent.
fn bad(
    candidate: &Candidate,
    turn: Color,
    one: &BookMove,
    most: u128,
    settings: &MixtureSettings,
) -> Option<Reason> {
    let spared = settings.percent_flags() && one.percent > 0;
    if one.flags & WANTED != 0 || spared {
        return None;
    }
    if learned_bad(&candidate.experience, settings.bad_centipawns) {
        return Some(LEARNED_BAD);
    }
    // A move's weight in a Polyglot book says nothing about who won.
    if settings.never_won_rule && candidate.weight.is_none() && candidate.tally.wins(turn) == 0 {
        return Some(NEVER_WON);
    }
    // From 16.0 on, `book random 0` disables the rule against rarely played moves.
    let rare_counts =
        settings.rare_rule && one.percent == 0 && (settings.random || !settings.percent_flags());
    (rare_counts && one.played < most / 10).then_some(RARE)
}
