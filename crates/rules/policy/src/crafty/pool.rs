//! Turns sorted moves into probabilities in three steps: accepts moves by their flags, keeps the best of the
//! accepted moves up to the book width, and weighs the moves that are kept.

use super::flags;
use super::sort_value::BookMove;
use super::version::{Rules, Version};
use crate::{Reason, Sheet};

const ANOTHER_FLAG: Reason =
    Reason { rule: "moves flagged !!, !, = or known by a result come first", source: "Crafty, Book()" };
const OUTSIDE_WIDTH: Reason = Reason { rule: "outside book-width", source: "Crafty, Book(): book width" };

const NOT_BEST: Reason =
    Reason { rule: "book-random = false: another move is better", source: "Crafty, Book()" };
const SEARCH_BAD: Reason =
    Reason { rule: "book-random = false: the best evaluation is below -0.50", source: "Crafty, Book()" };

/// With `book random 0`, Crafty leaves the book if its search returns less than this.
const LEAVE_BOOK_CENTIPAWNS: i64 = -50;

/// The passes that accept moves; each pass looks for one flag. If any moves have that flag, the pass accepts
/// all of them, and no further pass is made.
const PASSES: [(&str, u8); 3] = [("!!", flags::ALWAYS), ("!", flags::GOOD), ("=", flags::EVEN)];

/// The moves under consideration, best first, and whether they are forced (`!!` or `!`).
pub(super) struct Pool {
    pub(super) moves: Vec<BookMove>,
    pub(super) forced: bool,
}

/// Tries the passes in order until a pass accepts moves, and keeps only the best `width` of these moves. If
/// more than `width` of the accepted moves have the flag `!`, versions from 18.0 on keep as many moves as
/// there are with this flag.
///
/// If no move has a flag, all moves with games are accepted or, if there are no games, all moves.
pub(super) fn take(sheet: &mut Sheet<'_>, sorted: Vec<BookMove>, width: usize, version: Version) -> Pool {
    let flagged = PASSES.iter().find(|(_, flag)| sorted.iter().any(|one| one.flags & flag != 0));
    let any_played = sorted.iter().any(|one| one.played > 0);
    let accepted = |one: &BookMove| match flagged {
        Some((_, flag)) => one.flags & flag != 0,
        None => !any_played || one.played > 0,
    };
    let group = flagged.map_or(if any_played { "played" } else { "any" }, |(name, _)| *name);
    let (mut moves, others): (Vec<BookMove>, Vec<BookMove>) = sorted.into_iter().partition(accepted);
    for one in others {
        sheet.moves[one.at].exclude(ANOTHER_FLAG);
    }
    for one in &mut moves {
        // From here on, Crafty stores the values of accepted moves as integers.
        one.value = one.value.trunc();
        sheet.moves[one.at].group = Some(group);
    }
    let good = if version.rules >= Rules::WidthSparesGood { count_good(&moves) } else { 0 };
    for one in moves.drain(width.max(good).min(moves.len())..) {
        sheet.moves[one.at].exclude(OUTSIDE_WIDTH);
    }
    Pool { moves, forced: matches!(group, "!!" | "!") }
}

fn count_good(moves: &[BookMove]) -> usize {
    moves.iter().filter(|one| one.flags & flags::GOOD != 0).count()
}

/// Sets the value of each move that has a play percentage to this percentage of the sum of all values.
pub(super) fn apply_percents(moves: &mut [BookMove]) {
    let percent = moves.iter().fold(0_u8, |sum, one| sum.saturating_add(one.percent));
    let rest: f32 = moves.iter().filter(|one| one.percent == 0).map(|one| one.value).sum();
    let rest = if rest == 0.0 { 1000.0 } else { rest };
    let left = 1.0 - f32::from(percent.min(99)) / 100.0;
    for one in moves.iter_mut().filter(|one| one.percent > 0) {
        one.value = rest / left * f32::from(one.percent) / 100.0;
    }
}

/// Makes chances proportional to the square of the value or, if the first move has a play percentage, to the
/// value itself.
///
/// Crafty takes its 31-bit random number modulo the sum of the squares, which slightly favours the first
/// moves if the sum is large. This flaw is not reproduced here.
pub(super) fn draw(sheet: &mut Sheet<'_>, pool: &Pool) {
    let plain = pool.moves.first().is_some_and(|one| one.percent > 0);
    for one in &pool.moves {
        let value = f64::from(one.value);
        sheet.moves[one.at].probability = if plain { value } else { value * value };
    }
    sheet.share_out();
}

/// Chooses the move with the best known evaluation. With `book random 0`, Crafty chooses by a search instead.
///
/// A forced move is played without a search. If no evaluation is known, the first move is chosen.
pub(super) fn choose_by_eval(sheet: &mut Sheet<'_>, pool: &Pool) {
    let Some(first) = pool.moves.first() else { return };
    let known = pool.moves.iter().filter(|one| one.eval_centipawns.is_some() && !pool.forced);
    let best = known.reduce(|best, one| if one.eval_centipawns > best.eval_centipawns { one } else { best });
    let leave = best.and_then(|best| best.eval_centipawns).is_some_and(|eval| eval < LEAVE_BOOK_CENTIPAWNS);
    let chosen = best.unwrap_or(first).at;
    for one in &pool.moves {
        let judged = &mut sheet.moves[one.at];
        if leave {
            judged.exclude(SEARCH_BAD);
        } else if one.at == chosen {
            judged.probability = 1.0;
        } else {
            judged.exclude(NOT_BEST);
        }
    }
}
