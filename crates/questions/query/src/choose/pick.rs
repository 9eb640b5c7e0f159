//! Chooses one move at random.

use policy::{Candidate, MoveJudgement, Rng};
use serde::Serialize;
use shakmaty::{Chess, EnPassantMode, fen::Fen};

use super::{chooser::Chooser, judge::notes};
use crate::{Artefact, Result, View, move_names::move_names};

/// The move that was chosen, or why there is none.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Pick {
    /// The position.
    pub fen: String,
    /// The policy.
    pub policy: &'static str,
    /// The seed of the random numbers.
    pub seed: u64,
    /// The move in SAN; `None` if no move was chosen.
    pub san: Option<String>,
    /// The move in UCI notation.
    pub uci: Option<String>,
    /// The move's chance of being chosen.
    pub probability: Option<f64>,
    /// Remarks, such as why there is no move, or which fallback was used.
    pub notes: Vec<String>,
}

/// A move that was chosen at random, with the data for this move and the policy's judgement of it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Draw {
    /// The data for the move.
    pub candidate: Candidate,
    /// How the policy judged the move.
    pub judged: MoveJudgement,
}

/// Chooses a move in `position`, using random numbers from `rng`; `None` if there is no move to choose from.
///
/// # Errors
///
/// Fails as [`candidates`](super::candidates()) does.
pub fn draw(view: &View<'_>, position: &Chess, chooser: &Chooser, rng: &mut Rng) -> Result<Option<Draw>> {
    let (found, judgement) = chooser.judge(view, position)?;
    let mv = judgement.pick(rng);
    let candidate = found.moves.iter().find(|candidate| Some(candidate.mv) == mv);
    let judged = mv.and_then(|mv| judgement.of(mv));
    Ok(candidate.zip(judged).map(|(&candidate, &judged)| Draw { candidate, judged }))
}

/// Chooses a move in `position` at random. The same seed gives the same move on every machine.
///
/// # Errors
///
/// Fails as [`candidates`](super::candidates()) does. It is not an error if there is nothing to choose from.
pub fn pick(artefact: &Artefact, position: &Chess, chooser: &Chooser, seed: u64) -> Result<Pick> {
    let view = View::of(artefact);
    let (found, judgement) = chooser.judge(&view, position)?;
    let drawn = judgement.pick(&mut Rng::new(seed)).and_then(|mv| judgement.of(mv));
    let (san, uci) = drawn.map(|judged| move_names(position, judged.mv)).unzip();
    Ok(Pick {
        fen: Fen::from_position(position, EnPassantMode::Legal).to_string(),
        policy: chooser.name(),
        seed,
        san: san.flatten(),
        uci,
        probability: drawn.map(|judged| judged.probability),
        notes: notes(&view, chooser, &found, &judgement),
    })
}
