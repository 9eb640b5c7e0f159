//! What a count tells of its inputs and options, for the report and for a table.

use std::{collections::BTreeMap, path::Path};

use pgn::{
    filter::Filter,
    input::{SourceInfo, Sources},
    replay,
    verdict::Reason,
};
use table::{Counting, Groups, Source};

use super::verdicts::Verdicts;
use crate::report::InputReport;

/// The inputs with what became of their games, in the order given.
pub(super) fn inputs(read: &Sources, verdicts: &[Verdicts]) -> Vec<InputReport> {
    let input = |(at, source): (usize, &SourceInfo)| {
        let verdicts = verdicts.get(at).cloned().unwrap_or_default();
        InputReport {
            name: source.name.clone(),
            bytes: source.bytes,
            xxh3: source.xxh3.map(|hash| format!("{hash:016x}")),
            games: verdicts.games,
            accepted: verdicts.accepted,
            filtered: named_counts(Filter::ALL.map(Filter::name), &verdicts.filtered),
            rejected: named_counts(Reason::ALL.map(Reason::name), &verdicts.rejected),
        }
    };
    read.list.iter().enumerate().map(input).collect()
}

/// An input as a table records it.
pub(super) fn source(input: &InputReport) -> Source {
    let InputReport { name, bytes, xxh3, games, accepted, filtered, rejected } = input.clone();
    Source {
        name: base_name(&name),
        xxh3: xxh3.unwrap_or_default(),
        bytes,
        games,
        accepted,
        filtered,
        rejected,
    }
}

/// Names in artefacts have no folders: they would differ from machine to machine.
pub(crate) fn base_name(name: &str) -> String {
    Path::new(name).file_name().map_or_else(|| name.to_owned(), |base| base.to_string_lossy().into_owned())
}

/// How the replay counts, as a table records it.
pub(crate) fn table_counting(options: &replay::ReplayOptions) -> Counting {
    Counting {
        max_ply: options.max_ply,
        repeats: options.repeats,
        illegal_move: options.illegal_move,
        from_position: options.from_position,
        groups: Groups {
            speed: options.groups.speed,
            rating_band: options.groups.rating_band,
            month: options.groups.month,
            player_color: options.groups.player_color.is_some(),
        },
        ratings: options.ratings,
        root: options.root.as_ref().map(replay::Root::key),
        filters: [options.filters.describe()].into(),
    }
}

/// Counts by name, those that are not zero.
fn named_counts<const N: usize>(names: [&'static str; N], counts: &[u64; N]) -> BTreeMap<String, u64> {
    names
        .into_iter()
        .zip(counts)
        .filter(|(_, count)| **count > 0)
        .map(|(name, &count)| (name.into(), count))
        .collect()
}
