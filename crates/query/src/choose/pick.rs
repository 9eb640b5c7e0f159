//! One move, drawn.

use policy::Rng;
use serde::Serialize;
use shakmaty::{Chess, EnPassantMode, fen::Fen};

use super::{chooser::Chooser, judge::notes};
use crate::{Artefact, Result, move_names::move_names};

/// The move that was drawn, or why none was.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Pick {
    /// The position.
    pub fen: String,
    /// The policy.
    pub policy: &'static str,
    /// The seed of the draw.
    pub seed: u64,
    /// The move in SAN; null where there is none.
    pub san: Option<String>,
    /// The move in UCI notation.
    pub uci: Option<String>,
    /// The chance it had.
    pub probability: Option<f64>,
    /// What is worth knowing besides: why there is no move, or a fallback that was taken.
    pub notes: Vec<String>,
}

/// Draws a move of `position`. The same seed draws the same move on every machine.
///
/// # Errors
///
/// As [`candidates`](super::candidates()). Nothing to choose from is no error.
pub fn pick(artefact: &Artefact, position: &Chess, chooser: &Chooser, seed: u64) -> Result<Pick> {
    let (found, judgement) = chooser.judge(artefact, position)?;
    let drawn = judgement.pick(&mut Rng::new(seed)).and_then(|mv| judgement.of(mv));
    let (san, uci) = drawn.map(|judged| move_names(position, judged.mv)).unzip();
    Ok(Pick {
        fen: Fen::from_position(position, EnPassantMode::Legal).to_string(),
        policy: chooser.name(),
        seed,
        san: san.flatten(),
        uci,
        probability: drawn.map(|judged| judged.probability),
        notes: notes(artefact, &found, &judgement),
    })
}
