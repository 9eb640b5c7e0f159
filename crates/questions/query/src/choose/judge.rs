//! Judges every move of a position: how likely it is to be chosen, and why.

use policy::{Judgement, MoveJudgement, Reason, Scores};
use position::Tally;
use serde::Serialize;
use shakmaty::Chess;

use super::{candidates::Candidates, chooser::Chooser};
use crate::{Result, View, known_rows::ExperienceOf, move_names::move_names, tally_fields::tally_fields};

/// How a policy chooses in one position.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct Choice {
    /// The policy and its settings.
    #[serde(flatten)]
    pub chooser: Chooser,
    /// All candidates, sorted by probability in descending order. Candidates with the same probability are
    /// sorted by move.
    pub moves: Vec<ChosenMove>,
    /// Intermediate values that belong to the position rather than to one move.
    pub figures: Scores,
    /// Remarks, such as why there is nothing to choose, or which fallback was used.
    pub notes: Vec<String>,
}

/// One candidate.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct ChosenMove {
    /// The move in standard algebraic notation.
    pub san: String,
    /// The move in UCI notation, with castling written as the king's move.
    pub uci: String,
    /// Whether the artefact has the move; `false` if the move merely leads into the book, or is known only
    /// from experience.
    pub in_book: bool,
    /// The chance of being chosen, 0 to 1.
    pub probability: f64,
    /// The rule that excludes the move; `None` if it may be chosen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub excluded: Option<Reason>,
    /// The group of moves that this move belongs to, for policies that choose such a group first. It is not a
    /// group of games.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<&'static str>,
    /// All games that reached the position after this move, including those that reached it by other moves;
    /// `None` if the policy does not look at them.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "tally_fields")]
    pub target: Option<Tally>,
    /// Every intermediate value.
    pub scores: Scores,
}

impl View<'_> {
    /// Lets `chooser` judge `position` by the games and the experience in this view.
    ///
    /// # Errors
    ///
    /// Fails as [`candidates`](super::candidates()) does.
    pub fn judge(&self, position: &Chess, chooser: Chooser) -> Result<Choice> {
        let (found, judgement) = chooser.judge(self, position)?;
        let mut moves: Vec<_> = judgement
            .moves
            .iter()
            .zip(&found.moves)
            .map(|(judged, candidate)| chosen(position, judged, candidate))
            .collect();
        // Since this sort is stable, moves with equal chances remain sorted by move.
        moves.sort_by(|a, b| b.probability.total_cmp(&a.probability));
        let notes = notes(self, &chooser, &found, &judgement);
        Ok(Choice { chooser, moves, figures: judgement.figures, notes })
    }
}

/// Combines a move's judgement and its candidate.
fn chosen(position: &Chess, judged: &MoveJudgement, candidate: &policy::Candidate) -> ChosenMove {
    let (san, uci) = move_names(position, judged.mv);
    ChosenMove {
        san: san.unwrap_or_else(|| uci.clone()),
        uci,
        in_book: candidate.in_book,
        probability: judged.probability,
        excluded: judged.excluded,
        group: judged.group,
        target: candidate.target,
        scores: judged.scores,
    }
}

/// Notes on the judgement, on how the position was read, and on the policy.
pub(super) fn notes(
    view: &View<'_>,
    chooser: &Chooser,
    found: &Candidates,
    judgement: &Judgement,
) -> Vec<String> {
    let mut notes: Vec<String> = judgement.notes.iter().map(|&note| note.to_owned()).collect();
    if !found.known {
        let artefact = view.artefact.name();
        notes.push(format!("the position is not in {artefact}"));
    }
    if found.illegal > 0 {
        let moves = found.illegal;
        notes.push(format!("{moves} moves that are not legal here are left out"));
    }
    notes.extend(chooser.remarks(view.artefact, !ExperienceOf::new(view).is_nothing()));
    notes
}
