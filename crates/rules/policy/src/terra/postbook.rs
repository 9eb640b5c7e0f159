//! After leaving the book, plays the best of the moves already tried in this position, not a random one
//! (Terra: PostBook).

use super::POSTBOOK;
use super::statistics::Limits;
use crate::results::Results;
use crate::{Reason, Sheet};
use position::Experience;

const AVOID_LIST: Reason =
    Reason { rule: "PostBook: own Win % not above terra-limit", source: "ours, after Terra: Avoid List" };
const TOO_BAD: Reason = Reason { rule: "PostBook: evaluation below postbook-limit", source: "ours" };
const NOT_BEST: Reason = Reason { rule: "another PostBook move is better", source: "Terra: PostBook" };

/// Keeps only the best PostBook move. Moves are compared by their own score (0.5 if they have no games), then
/// by evaluation (0 if they have none); if they are still tied, the one that sorts first wins.
///
/// Terra's text says that the choice is not random but depends on what was stored, namely evaluation and game
/// score. The list of rules in that text is lost. Like a book move, a PostBook move is avoided if the engine
/// has played it in at least `min-terra-games` games and its score in these games is not above `terra-limit`.
/// A move whose evaluation is below `pawns_min` is avoided as well; otherwise, a move that lost its only game
/// could be played again and again.
pub(super) fn choose(sheet: &mut Sheet<'_>, limits: Limits, pawns_min: f64) {
    let (mut any, mut none) = (false, true);
    for (candidate, judged) in sheet.candidates.iter().zip(&mut sheet.moves) {
        let Some(known) = candidate.postbook.filter(|_| !candidate.in_book) else { continue };
        let own = Results::own(known.own);
        none = false;
        judged.excluded = None;
        judged.group = Some(POSTBOOK);
        judged.scores.push("own-percent", 100.0 * own.score().unwrap_or(0.5));
        judged.scores.push("eval", eval(&known));
        if own.games() >= limits.terra_games && !own.percent_above(limits.terra_percent) {
            judged.exclude(AVOID_LIST);
        } else if eval(&known) < pawns_min {
            judged.exclude(TOO_BAD);
        } else {
            any = true;
        }
    }
    if !none {
        sheet.figures.push("postbook-limit", pawns_min);
    }
    if any {
        sheet.notes.push("no book move is left: the best PostBook move is played");
    }
    sheet.keep_best(NOT_BEST, |candidate, _| {
        let known = candidate.postbook.unwrap_or_default();
        (Results::own(known.own).score().unwrap_or(0.5), eval(&known))
    });
}

/// The stored evaluation in pawns; 0 if there is none.
fn eval(known: &Experience) -> f64 {
    known.eval.filter(|eval| eval.is_finite()).map_or(0.0, f64::from)
}
