//! Describes what is known about a move besides its counts.

use experience::{KnownExperience, KnownSource};

use crate::terminal::in_line;

/// Lists each value with its sources, such as `learned -0.12; from 3 of a.lrn (last 1998-03-07)`.
pub(crate) fn values(known: &KnownExperience) -> Vec<String> {
    let values = known.values().into_iter();
    values.map(|(lesson, text)| with_sources(text, known.sources_of(lesson))).collect()
}

fn with_sources<'k>(text: String, sources: impl Iterator<Item = &'k KnownSource>) -> String {
    let sources: Vec<_> = sources.map(source).collect();
    if sources.is_empty() { text } else { format!("{text}; from {}", sources.join(", ")) }
}

/// Formats a source with its number of lessons, such as `3 of a.lrn (last 1998-03-07)`.
fn source(source: &KnownSource) -> String {
    let last = source.last.as_ref().map_or_else(String::new, |last| format!(" (last {last})"));
    format!("{} of {}{last}", source.count, in_line(&source.source))
}
