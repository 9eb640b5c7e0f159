//! Terra's rule, which first chooses a group of moves (those with values set by hand, or those judged by
//! statistics) and then a move in this group by roulette.
//!
//! # Flow
//!
//! 1. A move set to 100 is always played; if there are several, one of them is chosen at random
//!    (Terra: value 100).
//! 2. Moves with values set by hand form one group; `P = 1 - Π (100 - v)/100` is the chance that this group
//!    is chosen (Terra: group choice).
//! 3. The other moves must pass the four limits. A move that passes them gets a value according to
//!    `random-type` (Terra: book limit, minimum games, Avoid List, frequency).
//! 4. Within a group, a roulette wheel picks the move (Terra: roulette) or, with some values of
//!    `random-type`, the best value wins.
//! 5. If no book move is left, the best PostBook move (not a random one) is played, provided that its
//!    evaluation is not too low (Terra: PostBook).
//!
//! # Chances
//!
//! The wheel draws a number S from 1 to Σ, the sum of all values. It then adds up the moves' values, in
//! random order, until the sum reaches S, and selects the move whose value was added last. Let x be the sum
//! before a move of value v is added. This move is selected if S is one of the v numbers from x + 1 to x + v,
//! out of Σ possible numbers. Its chance is therefore v/Σ, and the order does not matter. The wheel itself
//! exists only in `tests/rules/wheel.rs`.

mod postbook;
mod statistics;
mod user_set;

use crate::results::{Results, float};
use crate::{Evidence, Parameter, ParameterKind, PolicySpec, Rule, Sheet};
use statistics::{Limits, RandomType};

pub(crate) const SPEC: PolicySpec = PolicySpec {
    name: "terra",
    summary: "moves set by hand or by statistics, then a roulette wheel; PostBook where the book ends",
    source: "Terra: group choice, roulette, PostBook",
    evidence: &[Evidence::Games, Evidence::Weights, Evidence::Experience],
    parameters: &[RANDOM_TYPE, BOOK_LIMIT, TERRA_LIMIT, MIN_BOOK_GAMES, MIN_TERRA_GAMES, POSTBOOK_LIMIT],
    build: |settings| {
        let limits = Limits {
            book_percent: settings.get(&BOOK_LIMIT),
            terra_percent: settings.get(&TERRA_LIMIT),
            book_games: settings.get(&MIN_BOOK_GAMES),
            terra_games: settings.get(&MIN_TERRA_GAMES),
        };
        let random_type = RandomType::numbered(settings.get(&RANDOM_TYPE));
        Box::new(Terra { random_type, limits, postbook_pawns: settings.get(&POSTBOOK_LIMIT) })
    },
};

const RANDOM_TYPE: Parameter = Parameter::new("random-type", ParameterKind::Integer(0, 4))
    .by_default("1", "")
    .means("0 best by frequency, 1 own Win % with book frequency, 2 own Win % with book Win %, 3 best by Win %, 4 frequency only")
    .source("Terra: random type; the text defines 1, the other numbers are ours");
const BOOK_LIMIT: Parameter = Parameter::new("book-limit", ParameterKind::Integer(0, 100))
    .by_default("33", "percent")
    .means("a move chosen by book games needs a Win % above this")
    .source("Terra: book limit; default from its example");
const TERRA_LIMIT: Parameter = Parameter::new("terra-limit", ParameterKind::Integer(0, 100))
    .by_default("40", "percent")
    .means("a move whose own Win % is not above this is on the Avoid List")
    .source("Terra: Avoid List; default from its example");
const MIN_BOOK_GAMES: Parameter = Parameter::new("min-book-games", ParameterKind::Integer(0, 1_000_000_000))
    .by_default("4", "games")
    .means("a move chosen by book games needs this many")
    .source("Terra: minimum games; default from its example");
const MIN_TERRA_GAMES: Parameter =
    Parameter::new("min-terra-games", ParameterKind::Integer(1, 1_000_000_000))
        .by_default("3", "games")
        .means("the own Win % counts from this many own games on")
        .source("Terra: minimum games; default from its example");

const POSTBOOK_LIMIT: Parameter = Parameter::new("postbook-limit", ParameterKind::Decimal(-1000.0, 1000.0))
    .by_default("-0.8", "pawns")
    .means("a PostBook move whose evaluation is below this is never played")
    .source("ours; the default is Crafty's bound of unplayable moves");

/// The group of moves with a value set by hand.
const USER_SET: &str = "user-set";
/// The group of all remaining book moves.
const STATISTICS: &str = "statistics";
/// The group of moves learned for play after leaving the book.
const POSTBOOK: &str = "postbook";

#[derive(Debug)]
struct Terra {
    random_type: RandomType,
    limits: Limits,
    /// The lowest evaluation, in pawns, at which a PostBook move is still played.
    postbook_pawns: f64,
}

impl Rule for Terra {
    fn weigh(&self, sheet: &mut Sheet<'_>) {
        sheet.exclude_outside_book();
        user_set::weigh(sheet);
        if user_set::play_always(sheet) {
            return sheet.share_out();
        }
        statistics::weigh(sheet, self.random_type, self.limits);
        let user_share = match (has_open(sheet, USER_SET), has_open(sheet, STATISTICS)) {
            (true, true) => user_set::group_chance(sheet),
            (true, false) => 1.0,
            (false, true) => 0.0,
            (false, false) => return postbook::choose(sheet, self.limits, self.postbook_pawns),
        };
        sheet.figures.push("user-group", user_share);
        sheet.share_out_among(user_share, |judged| judged.group == Some(USER_SET));
        sheet.share_out_among(1.0 - user_share, |judged| judged.group == Some(STATISTICS));
    }
}

fn has_open(sheet: &mut Sheet<'_>, group: &str) -> bool {
    sheet.open().any(|(_, judged)| judged.group == Some(group))
}

/// A score rounded to a whole percentage, but at least 1, because the roulette wheel needs positive integers.
fn whole_percent(counts: Results) -> f64 {
    counts.score().map_or(1.0, |score| (100.0 * score).round().max(1.0))
}

/// Computes 100 * part / whole, rounded half up, but at least 1 (Terra: frequency).
fn whole_share(part: u128, whole: u128) -> f64 {
    float((200 * part + whole).checked_div(2 * whole).unwrap_or(0).max(1))
}
