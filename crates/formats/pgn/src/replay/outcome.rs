//! Decides a game's result from its Result tag and its movetext.

use position::{Outcome, ResultFrom, UnknownResult};

use super::{CountingOptions, play::Play, rejected};
use crate::{
    misspelling::Misspelling,
    movetext::{Respelling, Terminator},
    tags::{Tags, trim},
    verdict::{Reason, Verdict},
};

/// Returns the outcome that the Result tag or the movetext gives. If the two contradict each other, the game
/// is rejected. If neither gives an outcome, the option for unknown results decides.
pub(super) fn agreed(
    tags: &Tags<'_>,
    play: &mut Play,
    text: &[u8],
    counting: &CountingOptions,
) -> Result<Outcome, Verdict> {
    let value = tags.get("Result").map_or(&[][..], |value| value.bytes());
    let tag = Terminator::of_tag(value);
    let token = play.terminator.as_ref().map(|(terminator, _)| *terminator);
    let (tag, token) = match counting.text.result_from {
        ResultFrom::Both => (tag, token),
        ResultFrom::Tag => (tag.or(token), None),
        ResultFrom::Moves => (None, token.or(tag)),
    };
    match (tag, token) {
        (Some(Terminator::Known(one)), Some(Terminator::Known(other))) if one == other => Ok(one),
        (Some(Terminator::Known(outcome)), None) | (None, Some(Terminator::Known(outcome))) => Ok(outcome),
        (None | Some(Terminator::Star), None | Some(Terminator::Star)) => {
            let respelled = if token.is_none() { respelled(value, play, counting) } else { None };
            if let Some(Terminator::Known(outcome)) = respelled {
                return Ok(outcome);
            }
            if counting.unknown_result == UnknownResult::Draw {
                return Ok(Outcome::Draw);
            }
            Err(rejected(Reason::ResultUnknown, None, value))
        }
        _ => {
            let token = play.terminator.as_ref().map_or(&[][..], |(_, span)| &text[span.clone()]);
            Err(rejected(Reason::ResultMismatch, None, &[value, b" ", token].concat()))
        }
    }
}

/// Parses a Result tag that contains non-ASCII characters, such as `1–0`.
fn respelled(value: &[u8], play: &mut Play, counting: &CountingOptions) -> Option<Terminator> {
    if counting.text.strict_san || value.is_ascii() {
        return None;
    }
    let respelling = Respelling::of(value, 0, false);
    let read = Terminator::of_tag(trim(&respelling.text))?;
    play.misspellings.add(Misspelling::Typography);
    Some(read)
}
