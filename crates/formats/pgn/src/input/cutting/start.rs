//! The rule for where a game starts. Every reader cuts text by this rule before parsing it.
//!
//! A line *begins with a tag* if, after leading blanks (space, tab, `^Z`, byte order mark), it begins with
//! `[`, a name (a letter, then letters, digits and underscores) and `"`, with or without blanks around the
//! name. Such a line is a *game start* if the line before it is blank, or if it is the first line. If the tag
//! is Event, the line is a game start whatever line comes before it, unless it completes a header. An Event
//! line completes a header if all lines between it and the nearest blank line before it (or the start of the
//! text) contain only tags other than Event. There must be at least one such line, and the first must begin
//! at most 64 KiB before the Event line. When the rule looks back from a line, it skips lines that begin with
//! `%` (PGN standard, section 6). Braces do not matter, so an unclosed comment only affects its own game.
//!
//! A header begins where its game begins. So if text begins where a game starts, the rule never needs the
//! text before it, and a chunk of whole games can be cut without the text around it.
//!
//! Lines end at LF; in a stream whose first 64 KiB have a CR but no LF, they end at CR, LF and CRLF. So a
//! stray CR in an ordinary file is only a blank, and files from old Macintoshes can be read as well.
//!
//! Records ([`Unit::Records`]) follow another rule. A record starts at a line that begins with a bracket and
//! a letter, unless the line before it begins like this too. When this rule looks back, it skips blank lines
//! as well as `%` lines. With [`Unit::Lines`], each line that is not blank starts a unit.

mod before;
mod line_starts;
mod part;
mod tag_lines;
mod text_line;

use memchr::{memchr_iter, memrchr_iter};

use super::rule::{Rule, Unit};
use before::{completes_header, follows_blank, follows_empty, follows_tag};
use text_line::{begins_tag, line_of, tag_name};

pub(super) use part::{first_decisive_line, open_line, substitute_before, substitute_of};
pub(super) use tag_lines::after_tags;
pub(super) use text_line::is_blank;

/// The tag that starts a game after any line, unless it completes a header.
const EVENT: &[u8] = b"Event";

/// The longest distance in bytes from the start of a line to the quote of its first tag. A tag farther from
/// the start of its line does not start a game; this bounds the memory needed to judge a line.
pub(crate) const LOOK_BYTES_MAX: usize = 64 << 10;

/// The start of a game in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Start {
    /// The offset of the line at which the game starts: the first byte of the game's text.
    pub(crate) line: usize,
    /// The offset of the bracket after the line's leading blanks; with [`Unit::Lines`], the offset of the
    /// first visible byte.
    pub(crate) bracket: usize,
}

/// The first start of a game in `text` whose bracket is at `from` or later.
///
/// The text must begin where a game or its stream starts, because the first line is treated as if no line
/// came before it. A tag that is cut off by the end of the text does not start a game.
pub(crate) fn first_start(text: &[u8], from: usize, rule: Rule) -> Option<Start> {
    let from = from.min(text.len());
    if rule.unit == Unit::Lines {
        return line_starts::first(text, from, rule.ends);
    }
    memchr_iter(b'[', &text[from..]).find_map(|at| start_at(text, from + at, rule))
}

/// The last start of a game in `text` whose bracket is at `from` or later; `text` must meet the conditions of
/// [`first_start`].
pub(crate) fn last_start(text: &[u8], from: usize, rule: Rule) -> Option<Start> {
    let from = from.min(text.len());
    if rule.unit == Unit::Lines {
        return line_starts::last(text, from, rule.ends);
    }
    memrchr_iter(b'[', &text[from..]).find_map(|at| start_at(text, from + at, rule))
}

/// Returns the start of the game whose first tag opens at `bracket`; `None` if no game starts there.
fn start_at(text: &[u8], bracket: usize, rule: Rule) -> Option<Start> {
    if rule.unit == Unit::Games && text[bracket..].starts_with(b"[Event \"") && follows_empty(text, bracket) {
        // Nearly every game begins like this, and needs no closer look.
        return Some(Start { line: bracket, bracket });
    }
    any_start_at(text, bracket, rule)
}

/// Like [`start_at`], but without its shortcut: checks every clause of the rule.
fn any_start_at(text: &[u8], bracket: usize, rule: Rule) -> Option<Start> {
    let line = line_of(text, bracket, rule.ends)?;
    let look = &text[bracket..text.len().min(line + LOOK_BYTES_MAX)];
    let starts = match rule.unit {
        Unit::Games => match tag_name(look) {
            Some(EVENT) => !completes_header(text, line, rule.ends),
            Some(_) => follows_blank(text, line, rule.ends),
            None => false,
        },
        Unit::Records => begins_tag(look) && !follows_tag(text, line, rule.ends),
        Unit::Lines => true,
    };
    starts.then_some(Start { line, bracket })
}

#[cfg(test)]
mod tests;
