//! Situations in short notation.

use policy::{Candidate, Judgement, MoveJudgement, Situation, by_name};
use position::{Experience, OwnResults, PackedMove, Tally};
use shakmaty::{Color, Square};

/// The move of a text such as `e2e4`, without promotions.
pub(crate) fn mv(uci: &str) -> PackedMove {
    let square = |text: &str| Square::from_ascii(text.as_bytes()).unwrap();
    PackedMove::new(square(&uci[..2]), square(&uci[2..]), None)
}

pub(crate) fn tally(white: u64, draws: u64, black: u64) -> Tally {
    Tally { white, draws, black }
}

/// A book move whose target has the same games as the edge.
pub(crate) fn edge(uci: &str, games: Tally) -> Candidate {
    Candidate { mv: mv(uci), in_book: true, tally: games, target: Some(games), ..Candidate::default() }
}

/// A book move with something known about it.
pub(crate) fn known(uci: &str, games: Tally, experience: Experience) -> Candidate {
    Candidate { experience, ..edge(uci, games) }
}

pub(crate) fn learned(learn: f32) -> Experience {
    Experience { learn, learn_count: 1, ..Experience::default() }
}

pub(crate) fn own(wins: u32, draws: u32, losses: u32) -> Experience {
    Experience { own: OwnResults { wins, draws, losses }, ..Experience::default() }
}

pub(crate) fn set(value: u8) -> Experience {
    Experience { user_value: Some(value), ..Experience::default() }
}

pub(crate) fn nag(nag: u8) -> Experience {
    Experience { nag: Some(nag), ..Experience::default() }
}

/// The setting that bans no move, so that the bare rule of a policy decides.
pub(crate) const BARE: (&str, &str) = ("honour-bans", "false");

/// Settings as policies take them.
pub(crate) fn owned(settings: &[(&str, &str)]) -> Vec<(String, String)> {
    settings.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

/// Judges by the bare rule with settings as `name = value` pairs.
pub(crate) fn judge(
    policy: &str,
    settings: &[(&str, &str)],
    turn: Color,
    candidates: &[Candidate],
) -> Judgement {
    by_name(policy, &owned(&[settings, &[BARE]].concat())).unwrap().judge(&Situation { turn, candidates })
}

/// The chance of a move.
pub(crate) fn chance(judgement: &Judgement, uci: &str) -> f64 {
    judgement.of(mv(uci)).unwrap().probability
}

/// The move with the highest probability, the lowest move among equals; `None` if none can be chosen.
pub(crate) fn most_likely(judgement: &Judgement) -> Option<&MoveJudgement> {
    let open = judgement.moves.iter().filter(|judged| judged.probability > 0.0);
    open.reduce(|best, judged| if judged.probability > best.probability { judged } else { best })
}

/// The rule that excluded a move.
pub(crate) fn excluded(judgement: &Judgement, uci: &str) -> Option<&'static str> {
    judgement.of(mv(uci)).unwrap().excluded.map(|reason| reason.rule)
}

/// One of a move's intermediate values.
pub(crate) fn score(judgement: &Judgement, uci: &str, name: &str) -> f64 {
    judgement.of(mv(uci)).unwrap().scores.get(name).unwrap()
}

#[track_caller]
pub(crate) fn assert_near(found: f64, expected: f64, within: f64) {
    assert!((found - expected).abs() <= within, "{found} is not {expected} within {within}");
}
