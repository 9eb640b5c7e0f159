//! Chooses moves by results: limits exclude some, and the rest get values (Terra: book limit, minimum games,
//! Avoid List, frequency).

use super::{STATISTICS, whole_percent, whole_share};
use crate::results::{Results, float};
use crate::{Candidate, Reason, Sheet};
use shakmaty::Color;

const AVOID_LIST: Reason =
    Reason { rule: "Avoid List: own Win % not above terra-limit", source: "Terra: Avoid List" };
const TOO_FEW_GAMES: Reason =
    Reason { rule: "fewer book games than min-book-games", source: "Terra: minimum games" };
const LOW_BOOK_SCORE: Reason =
    Reason { rule: "book Win % not above book-limit", source: "Terra: book limit" };
const NOT_BEST: Reason =
    Reason { rule: "this random-type selects the best, another move", source: "Terra: random type" };

/// The four limits that can exclude a move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    pub(super) book_percent: u64,
    pub(super) terra_percent: u64,
    pub(super) book_games: u128,
    pub(super) terra_games: u128,
}

impl Limits {
    /// Whether the engine has played the move often enough for its own results to count.
    pub(super) fn knows_own(self, candidate: &Candidate) -> bool {
        Results::own(candidate.experience.own).games() >= self.terra_games
    }
}

/// How to compute a move's value, and whether to select the best move or to choose one at random.
///
/// Terra's text defines type 1; about the others, it says only that they select the best move or choose one
/// at random. The list of types in Terra's text is lost, so all types except type 1 are our choice (Terra:
/// random type).
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum RandomType {
    /// 0: selects the most frequent move.
    BestFrequency,
    /// 1: chooses a move at random. The weight of a move is its Win % in the engine's own games or, if there
    /// are too few of these, its share of the book games of all such moves.
    TerraAndFrequency,
    /// 2: chooses a move at random. The weight of a move is its Win % in the engine's own games or, if there
    /// are too few of these, its Win % in the book.
    TerraAndBook,
    /// 3: selects the move with the best Win %. This is the Win % in the engine's own games or, if there are
    /// too few of these, the Win % in the book.
    BestScore,
    /// 4: chooses a move at random. The weight of a move is its share of the book games of all moves that
    /// have no value set by hand.
    Frequency,
}

impl RandomType {
    /// The random type with this number, or type 1 if the number is unknown.
    pub(super) fn numbered(number: u64) -> Self {
        match number {
            0 => Self::BestFrequency,
            2 => Self::TerraAndBook,
            3 => Self::BestScore,
            4 => Self::Frequency,
            _ => Self::TerraAndFrequency,
        }
    }

    /// Whether the engine's own results determine the values of moves. If not, own results can only exclude
    /// moves.
    fn uses_own(self) -> bool {
        !matches!(self, Self::BestFrequency | Self::Frequency)
    }
}

/// Judges every move that has no value set by hand and is not already excluded: either excludes the move, or
/// gives it a weight.
pub(super) fn weigh(sheet: &mut Sheet<'_>, random_type: RandomType, limits: Limits) {
    let turn = sheet.turn;
    let uses_own = |candidate: &Candidate| random_type.uses_own() && limits.knows_own(candidate);
    let mut frequency_sum = 0;
    for (candidate, judged) in sheet.open() {
        if judged.group.is_none() {
            judged.group = Some(STATISTICS);
            if !uses_own(candidate) {
                frequency_sum += candidate.played();
            }
        }
    }
    sheet.figures.push("frequency-sum", float(frequency_sum));
    for (candidate, judged) in sheet.open().filter(|(_, judged)| judged.group == Some(STATISTICS)) {
        let book = Results::of(candidate.tally, turn);
        let own = Results::own(candidate.experience.own);
        push_counts(judged, book, own);
        if let Some(reason) = sorted_out(candidate, turn, limits, uses_own(candidate)) {
            judged.exclude(reason);
            continue;
        }
        judged.probability = match random_type {
            RandomType::BestFrequency => float(candidate.played()),
            _ if uses_own(candidate) => whole_percent(own),
            RandomType::TerraAndFrequency | RandomType::Frequency => {
                whole_share(candidate.played(), frequency_sum)
            }
            RandomType::TerraAndBook | RandomType::BestScore => whole_percent(book),
        };
        judged.scores.push("value", judged.probability);
    }
    if matches!(random_type, RandomType::BestFrequency | RandomType::BestScore) {
        keep_best(sheet);
    }
}

/// The rule that excludes the move; `None` if no rule does.
///
/// The Avoid List applies with every random type. The book's two limits apply only to moves whose value comes
/// from the book's games.
fn sorted_out(candidate: &Candidate, turn: Color, limits: Limits, uses_own: bool) -> Option<Reason> {
    let book = Results::of(candidate.tally, turn);
    let own = Results::own(candidate.experience.own);
    if limits.knows_own(candidate) && !own.percent_above(limits.terra_percent) {
        return Some(AVOID_LIST);
    }
    // A move's weight in a Polyglot book is neither a number of games nor a result.
    if uses_own || candidate.weight.is_some() {
        return None;
    }
    if book.games() < limits.book_games {
        return Some(TOO_FEW_GAMES);
    }
    (!book.percent_above(limits.book_percent)).then_some(LOW_BOOK_SCORE)
}

fn push_counts(judged: &mut crate::MoveJudgement, book: Results, own: Results) {
    for (games, percent, counts) in [("book-games", "book-percent", book), ("own-games", "own-percent", own)]
    {
        if let Some(score) = counts.score() {
            judged.scores.push(games, float(counts.games()));
            judged.scores.push(percent, 100.0 * score);
        }
    }
}

/// Excludes every move of the group but the best. If several are equally good, the one that sorts first is
/// kept.
fn keep_best(sheet: &mut Sheet<'_>) {
    let group =
        |judged: &&mut crate::MoveJudgement| judged.excluded.is_none() && judged.group == Some(STATISTICS);
    let best = sheet.moves.iter_mut().filter(group).map(|judged| judged.probability).fold(0.0, f64::max);
    let mut found = false;
    for judged in sheet.moves.iter_mut().filter(group) {
        if found || judged.probability < best {
            judged.exclude(NOT_BEST);
        } else {
            found = true;
        }
    }
}
