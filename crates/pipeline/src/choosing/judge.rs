//! One position, judged by a policy: what `probe --policy` shows.

use std::path::Path;

use policy::{Judged, Judgement};
use position::Tally;
use serde::Serialize;
use shakmaty::Chess;

use super::{Candidates, Chooser, Named};
use crate::{
    Result,
    inspect::{Artefact, Probe, counts, names, probe_artefact},
};

/// Every move's chance, and why.
#[derive(Debug, Serialize)]
pub struct Choice {
    /// Who chose, and by which settings.
    #[serde(flatten)]
    pub chooser: Chooser,
    /// Every candidate: the likeliest first, then by move.
    pub moves: Vec<ChosenMove>,
    /// Values of the position as a whole.
    pub figures: Named,
    /// What is worth knowing besides: why there is nothing to choose, or a fallback that was taken.
    pub notes: Vec<String>,
}

/// One candidate.
#[derive(Clone, Debug, Serialize)]
pub struct ChosenMove {
    /// In standard algebraic notation.
    pub san: String,
    /// In UCI notation, castling as the king's move.
    pub uci: String,
    /// Whether it is a move of the book; false: it only leads into the book, or only experience knows it.
    pub in_book: bool,
    /// The chance of being chosen, 0 to 1.
    pub probability: f64,
    /// The rule that excludes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub excluded: Option<Exclusion>,
    /// The group it belongs to, in policies that choose a group first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<&'static str>,
    /// Games that met the position it leads to, by whatever moves; where the policy looks at them.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "counts")]
    pub target: Option<Tally>,
    /// Every intermediate value.
    pub scores: Named,
}

/// Why a move cannot be chosen.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Exclusion {
    /// The rule, in words.
    pub rule: &'static str,
    /// Where the rule is from.
    pub source: &'static str,
}

/// What an artefact knows of a position, and how a policy chooses there.
#[derive(Debug, Serialize)]
pub struct JudgedProbe {
    /// What is known.
    #[serde(flatten)]
    pub probe: Probe,
    /// What is chosen.
    pub choice: Choice,
}

/// Looks `position` up in what `path` names, and has `chooser` judge it.
///
/// # Errors
///
/// If the file cannot be read, is damaged, or holds no book. A position that is not there is no error.
pub fn judged_probe(path: &Path, position: &Chess, chooser: Chooser) -> Result<JudgedProbe> {
    let artefact = Artefact::open(path)?;
    let choice = judge(&artefact, position, chooser)?;
    Ok(JudgedProbe { probe: probe_artefact(&artefact, position)?, choice })
}

/// Has `chooser` judge `position`.
///
/// # Errors
///
/// As [`candidates`](super::candidates).
pub fn judge(artefact: &Artefact, position: &Chess, chooser: Chooser) -> Result<Choice> {
    let (found, judgement) = chooser.judge(artefact, position)?;
    let mut moves: Vec<_> = judgement
        .moves
        .iter()
        .zip(&found.moves)
        .map(|(judged, candidate)| chosen(position, judged, candidate))
        .collect();
    // Stable, so that equals stay in the order of moves.
    moves.sort_by(|a, b| b.probability.total_cmp(&a.probability));
    let notes = notes(artefact, &found, &judgement);
    Ok(Choice { chooser, moves, figures: Named::from(&judgement.figures), notes })
}

/// `judged` stands beside its candidate: both ascend by move.
fn chosen(position: &Chess, judged: &Judged, candidate: &policy::Candidate) -> ChosenMove {
    let (san, uci) = names(position, judged.mv);
    ChosenMove {
        san: san.unwrap_or_else(|| uci.clone()),
        uci,
        in_book: candidate.in_book,
        probability: judged.probability,
        excluded: judged.excluded.map(|reason| Exclusion { rule: reason.rule, source: reason.source }),
        group: judged.group,
        target: candidate.target,
        scores: Named::from(&judged.scores),
    }
}

/// The judgement's notes, and what reading the position brought up.
pub(super) fn notes(artefact: &Artefact, found: &Candidates, judgement: &Judgement) -> Vec<String> {
    let mut notes: Vec<String> = judgement.notes.iter().map(|&note| note.to_owned()).collect();
    if !found.known {
        notes.push(format!("the position is not in {}", artefact.name()));
    }
    if found.illegal > 0 {
        notes.push(format!("{} moves that are not legal here are left out", found.illegal));
    }
    notes
}
