//! Selects evaluations for the experience: all of them, or only those of positions that a table or book
//! contains.

use std::iter::{self, Peekable};

use count::Counts;
use experience::EvaluationRow;
use position::Key;
use run::Result;
use table::{PositionCounts, PositionRows, SortedRows as _};

/// Returns the evaluations of the positions that `only` contains, or all if it is `None`, in ascending order.
pub(super) fn wanted(
    kept: impl Iterator<Item = Result<EvaluationRow>>,
    only: Option<&Counts>,
) -> impl Iterator<Item = Result<EvaluationRow>> {
    let mut only = only.map(|counts| positions(counts).peekable());
    kept.filter_map(move |kept| {
        let wanted = |kept: EvaluationRow| {
            let is_wanted = only.as_mut().map_or(Ok(true), |only| has(only, kept.key));
            Ok(is_wanted?.then_some(kept))
        };
        kept.and_then(wanted).transpose()
    })
}

/// The keys of the positions in `counts`, in ascending order.
fn positions(counts: &Counts) -> impl Iterator<Item = Result<Key>> {
    let (mut shards, mut rows, mut position) = (0..counts.shards(), None, PositionCounts::default());
    let mut next = move || loop {
        if let Some(rows) = &mut rows
            && PositionRows::next_into(rows, &mut position)?
        {
            return Ok(Some(position.key));
        }
        let Some(shard) = shards.next() else { return Ok(None) };
        rows = Some(PositionRows::new(counts.shard(shard)?));
    };
    iter::from_fn(move || next().transpose())
}

/// Whether the sorted `positions` contain a key. Successive calls must pass ascending keys.
fn has(positions: &mut Peekable<impl Iterator<Item = Result<Key>>>, key: Key) -> Result<bool> {
    while positions.next_if(|found| matches!(found, Ok(found) if *found < key)).is_some() {}
    positions.next_if(Result::is_err).transpose()?;
    Ok(matches!(positions.peek(), Some(Ok(found)) if *found == key))
}
