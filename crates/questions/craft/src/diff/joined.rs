//! The positions of two artefacts, joined by key.

use std::ops::ControlFlow;

use fault::Stop;
use itertools::Itertools as _;
use query::{Artefact, KeyProbe};
use walk::{WalkProgress, Work};

use crate::Result;

/// How many positions are compared between two calls of `on_progress`.
const ROUND: usize = 4096;

/// The positions of two artefacts, ascending by key. A position that both artefacts have is returned as a
/// pair. If one artefact cannot be read, the error comes before the remaining positions of the other
/// artefact.
pub(super) fn joined<'a>(
    first: &'a Artefact,
    second: &'a Artefact,
    work: &'a Work<'_>,
) -> Result<impl Iterator<Item = Result<(Option<KeyProbe>, Option<KeyProbe>)>>> {
    let key = |found: &query::Result<KeyProbe>| found.as_ref().ok().map(|found| found.key);
    let (first, second) = (query::positions(first)?, query::positions(second)?);
    let joined = first.merge_join_by(second, move |a, b| key(a).cmp(&key(b)));
    Ok(joined.enumerate().map(|(read, pair)| {
        let progress = WalkProgress { phase: "comparing", shards_done: 0, shards: 0 };
        if read % ROUND == 0 && (work.on_progress)(progress) == ControlFlow::Break(()) {
            return Err(Stop.into());
        }
        let (first, second) = pair.left_and_right();
        Ok((first.transpose()?, second.transpose()?))
    }))
}
