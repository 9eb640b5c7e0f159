//! What is known beyond counts, in words.

use experience::{Known, KnownSource};
use position::Lesson;

use crate::{format::signed, terminal::in_line};

/// A value and where it came from, such as `learned -0.98 (3 lessons: 3 of a.lrn)`.
pub(super) fn values(known: &Known) -> Vec<String> {
    let mut values = Vec::new();
    let mut add = |text: String, lesson| values.push(with_sources(text, known.sources_of(lesson)));
    if let Some(learn) = known.learn {
        add(format!("learned {}{}", signed(learn), verdict(known, Lesson::Learn)), Lesson::Learn);
    }
    if let Some(own) = known.own {
        add(format!("own games {} won, {} drawn, {} lost", own.wins, own.draws, own.losses), Lesson::Own);
    }
    if let Some(set) = set_by_hand(known) {
        add(format!("{set}{}", verdict(known, Lesson::Set)), Lesson::Set);
    }
    if let Some(search) = searched(known) {
        add(search, Lesson::Search);
    }
    values
}

/// Whether a value rules the move out.
fn verdict(known: &Known, lesson: Lesson) -> &'static str {
    if known.is_ruled_out_by(lesson) { ", not to be played" } else { "" }
}

/// What was set by hand: `set to 75 (!), priority 4`.
fn set_by_hand(known: &Known) -> Option<String> {
    let value = known.user_value.map(|value| match known.mark {
        Some(mark) => format!("set to {value} ({mark})"),
        None => format!("set to {value}"),
    });
    let priority = known.priority.map(|priority| format!("priority {priority}"));
    let parts: Vec<_> = value.into_iter().chain(priority).collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// What a search said: `searched +0.35 at depth 12`.
fn searched(known: &Known) -> Option<String> {
    let eval = known.eval?;
    Some(known.depth.map_or_else(
        || format!("searched {}", signed(eval)),
        |depth| format!("searched {} at depth {depth}", signed(eval)),
    ))
}

fn with_sources<'k>(text: String, sources: impl Iterator<Item = &'k KnownSource>) -> String {
    let sources: Vec<_> = sources.map(source).collect();
    if sources.is_empty() { text } else { format!("{text}; from {}", sources.join(", ")) }
}

/// `3 of a.lrn (last 1998-03-07)`.
fn source(source: &KnownSource) -> String {
    let last = source.last.as_ref().map_or_else(String::new, |last| format!(" (last {last})"));
    format!("{} of {}{last}", source.count, in_line(&source.source))
}
