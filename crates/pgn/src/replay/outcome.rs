//! The result that tag and movetext agree on.

use position::{Outcome, UnknownResult};

use super::{play::Play, rejected};
use crate::{
    movetext::Terminator,
    tags::Tags,
    verdict::{Reason, Verdict},
};

/// The game's outcome: known to the Result tag or the movetext, and contradicted by neither; or what a game
/// counts as that neither knows.
pub(super) fn agreed(
    tags: &Tags<'_>,
    play: &Play,
    text: &[u8],
    unknown: UnknownResult,
) -> Result<Outcome, Verdict> {
    let value = tags.get("Result").map_or(&[][..], |value| value.bytes());
    let tag = Terminator::of_tag(value);
    let token = play.terminator.as_ref().map(|(terminator, _)| *terminator);
    match (tag, token) {
        (Some(Terminator::Known(one)), Some(Terminator::Known(other))) if one == other => Ok(one),
        (Some(Terminator::Known(outcome)), None) | (None, Some(Terminator::Known(outcome))) => Ok(outcome),
        (None | Some(Terminator::Star), None | Some(Terminator::Star)) => {
            if unknown == UnknownResult::Draw {
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
