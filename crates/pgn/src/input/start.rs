//! Where a game starts: the one rule by which every reader cuts a text, before anything parses it.
//!
//! A line *begins with a tag* if, after leading blanks (space, tab, `^Z`, byte order mark), it begins with
//! `[`, a name (a letter, then letters, digits and underscores) and `"`, with or without blanks around the
//! name. Such a line is a *game start* if the line before it is blank, or if it is the first line. If the tag
//! is Event, the line is a game start after any other line, too, unless it completes a header: the lines
//! before it, back to a blank line or the first one, hold tags and nothing else, none of them is Event, and
//! they begin at most 64 KiB before it. Lines that begin with `%` (PGN standard, section 6) are transparent
//! for "the line before". Braces do not matter: an unclosed comment costs its own game only.
//!
//! A header begins where its game does. So a text that begins at a game start holds all that the rule looks
//! back to, and a chunk of whole games can be cut by itself.
//!
//! Lines end at LF; in a stream whose first 64 KiB hold CR and no LF, at CR, LF and CRLF. So a stray CR in an
//! ordinary file is only a blank, and files of the old Macintosh are read as well.
//!
//! Records ([`Unit::Records`]) start by another rule: at a line that begins with a bracket and a letter and
//! does not follow such a line, where blank lines and `%` lines are transparent.

use memchr::{memchr, memchr_iter, memrchr_iter};

use super::{
    line_ends::LineEnds,
    rule::{Rule, Unit},
};
use crate::{
    simd::{Classify, Lanes, WINDOW_BYTES, classify},
    tags::{holds_only_tags_but, is_name, is_space},
};

/// The tag that starts a game whatever comes before it, unless it completes a header.
const EVENT: &[u8] = b"Event";

/// A text that counts as a tag line of a learning file.
const TAG: &[u8] = b"[x";

/// A byte order mark in UTF-8, one blank.
const MARK: &[u8] = b"\xEF\xBB\xBF";

/// Longest distance in bytes from the start of a line to the quote of its first tag. What begins later is not
/// a game start: so a line can be judged in bounded memory.
pub(crate) const LOOK_BYTES_MAX: usize = 64 << 10;

/// Longest distance in bytes from the first tag line of a header to the Event that completes it. Tests reach
/// it with short texts.
const HEADER_BYTES_MAX: usize = if cfg!(test) { 40 } else { 64 << 10 };

/// A game start in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Start {
    /// Where its line starts: the first byte of the game's text.
    pub(crate) line: usize,
    /// The place of its bracket, after leading blanks.
    pub(crate) bracket: usize,
}

/// The first game start in `text` whose bracket is at `from` or later.
///
/// The text must begin at a game start or with its stream: what begins it has no line before it. An
/// unfinished look at the end of the text is no start.
pub(crate) fn first_start(text: &[u8], from: usize, rule: Rule) -> Option<Start> {
    let from = from.min(text.len());
    memchr_iter(b'[', &text[from..]).find_map(|at| start_at(text, from + at, rule))
}

/// Where the tag lines end that follow the start at `bracket`, or another game starts among them.
///
/// A quick way over most of the brackets there are: a line after a tag line is no start, unless it is the
/// Event of a game.
pub(crate) fn after_tags(text: &[u8], bracket: usize, rule: Rule) -> usize {
    let mut at = bracket + 1;
    if rule == Rule::games(LineEnds::Lf) {
        match tags_end_of_game(text, at) {
            Ok(end) => return end,
            Err(near_end) => at = near_end,
        }
    }
    while rule.ends == LineEnds::Lf
        && let Some(length) = memchr(b'\n', &text[at..])
    {
        at += length + 1;
        let goes_on = match rule.unit {
            Unit::Games => text.get(at) == Some(&b'[') && tag_name(&text[at..]) != Some(EVENT),
            Unit::Records => begins_tag(&text[at..]),
        };
        if !goes_on {
            break;
        }
    }
    at
}

/// The bytes that tag lines begin and end with.
struct Marks {
    line_ends: u64,
    brackets: u64,
    /// What follows the bracket of an Event: its first letter, or a blank.
    events: u64,
}

impl Classify for Marks {
    #[inline]
    fn classify(lanes: &impl Lanes) -> Self {
        Self { line_ends: lanes.any(*b"\n"), brackets: lanes.any(*b"["), events: lanes.any(*b"E \t") }
    }
}

/// [`after_tags`] of a game from somewhere in its first line, a window of bytes at a time; the error is a
/// place from which on too little text is left for another window.
fn tags_end_of_game(text: &[u8], mut at: usize) -> Result<usize, usize> {
    while let Some(window) = text.get(at..).and_then(<[u8]>::first_chunk::<WINDOW_BYTES>) {
        let Marks { line_ends, brackets, events } = classify(window);
        let lines = line_ends << 1;
        let tags = lines & brackets;
        // What follows the last byte cannot be seen from here.
        let may_be_event = events >> 1 | 1 << (WINDOW_BYTES - 1);
        let mut ends = lines & !(tags & !may_be_event);
        while ends != 0 {
            let line = at + ends.trailing_zeros() as usize;
            if text[line] != b'[' || tag_name(&text[line..]) == Some(EVENT) {
                return Ok(line);
            }
            ends &= ends - 1;
        }
        // The last byte is read again in the next window, together with the byte after it.
        at += WINDOW_BYTES - 1;
    }
    Err(at)
}

/// The last game start in `text` whose bracket is at `from` or later; else as [`first_start`].
pub(crate) fn last_start(text: &[u8], from: usize, rule: Rule) -> Option<Start> {
    let from = from.min(text.len());
    memrchr_iter(b'[', &text[from..]).find_map(|at| start_at(text, from + at, rule))
}

/// Where the last line of `text` starts, if more text could make it a game start; else the end of the text.
pub(crate) fn open_line(text: &[u8], rule: Rule) -> usize {
    let line = rule.ends.last_line(text);
    if text.len() - line <= LOOK_BYTES_MAX && may_become_start(&text[line..], rule.unit) {
        line
    } else {
        text.len()
    }
}

/// A short line after which any line is judged as it is in `text` at `line`, where a line starts; empty if
/// nothing that matters comes before.
pub(crate) fn stand_in_before(text: &[u8], line: usize, rule: Rule) -> &'static [u8] {
    match rule.unit {
        Unit::Games if !follows_blank(text, line, rule.ends) => b"x",
        Unit::Records if follows_tag(text, line, rule.ends) => TAG,
        Unit::Games | Unit::Records => b"",
    }
}

/// A short beginning of a line that is judged as `line`, which can be seen and cannot become a start any
/// more.
pub(crate) fn stand_in_of(line: &[u8], rule: Rule) -> &'static [u8] {
    if rule.unit == Unit::Records && is_tag_line(line) { TAG } else { b"x" }
}

/// The first whole line of `text` after which every line can be judged, whatever came before `text`; and
/// where the next line starts.
///
/// A line of a header is not one: the header may have begun, and may have its Event, before the text.
pub(crate) fn first_decisive_line(text: &[u8], rule: Rule) -> Option<(usize, usize)> {
    let mut line = 0;
    while let Some(next) = rule.ends.next_line(text, line) {
        if is_decisive(&text[line..next], rule.unit) {
            return Some((line, next));
        }
        line = next;
    }
    None
}

fn is_decisive(line: &[u8], unit: Unit) -> bool {
    if line.first() == Some(&b'%') {
        return false;
    }
    match unit {
        // A longer line cannot be held until its end. It belongs to no header that an Event may complete.
        Unit::Games => line.len() > LOOK_BYTES_MAX || !is_header_line(line),
        Unit::Records => !is_blank(line) && !is_tag_line(line),
    }
}

/// Whether the Event at `line` completes a header: only tags come before it, back to a blank line or the
/// start of the text.
fn completes_header(text: &[u8], line: usize, ends: LineEnds) -> bool {
    let (mut at, mut header) = (line, line);
    while at > 0 {
        let end = ends.end_before(text, at);
        at = ends.last_line(&text[..end]);
        let before = &text[at..end];
        if before.first() == Some(&b'%') {
            continue;
        }
        if is_blank(before) {
            break;
        }
        if line - at > HEADER_BYTES_MAX || !is_header_line(before) {
            return false;
        }
        header = at;
    }
    header < line
}

/// Whether a line holds tags and nothing else, none of them Event.
fn is_header_line(line: &[u8]) -> bool {
    let tags = after_leading_blanks(line);
    tags.first() == Some(&b'[') && tag_name(tags).is_some() && holds_only_tags_but(tags, EVENT)
}

/// Whether every line before `line` is transparent or the nearest other one is blank.
fn follows_blank(text: &[u8], mut line: usize, ends: LineEnds) -> bool {
    while line > 0 {
        let end = ends.end_before(text, line);
        line = ends.last_line(&text[..end]);
        if text.get(line) != Some(&b'%') {
            return is_blank(&text[line..end]);
        }
    }
    true
}

/// Whether the nearest line before `line` that can be seen and is not transparent is a tag line.
fn follows_tag(text: &[u8], mut line: usize, ends: LineEnds) -> bool {
    while line > 0 {
        let end = ends.end_before(text, line);
        line = ends.last_line(&text[..end]);
        let before = &text[line..end];
        if before.first() != Some(&b'%') && !is_blank(before) {
            return is_tag_line(before);
        }
    }
    false
}

/// Whether a line of a learning file is a tag line.
fn is_tag_line(line: &[u8]) -> bool {
    let look = &line[..line.len().min(LOOK_BYTES_MAX)];
    begins_tag(after_leading_blanks(look))
}

/// Whether `look` begins as any tag of a learning file: a bracket and a letter, or a tag pair.
fn begins_tag(look: &[u8]) -> bool {
    match look {
        [b'[', letter, ..] if letter.is_ascii_alphabetic() => true,
        [b'[', b' ' | b'\t', ..] => tag_name(look).is_some(),
        _ => false,
    }
}

/// Whether nothing of `bytes` can be seen: blanks, line ends, `^Z` and byte order marks only.
pub(crate) fn is_blank(mut bytes: &[u8]) -> bool {
    while let Some(&byte) = bytes.first() {
        let length = match byte {
            b' ' | b'\t'..=b'\r' | 0x1A => 1,
            _ if bytes.starts_with(MARK) => MARK.len(),
            _ => return false,
        };
        bytes = &bytes[length..];
    }
    true
}

fn start_at(text: &[u8], bracket: usize, rule: Rule) -> Option<Start> {
    let line = line_of(text, bracket, rule.ends)?;
    let look = &text[bracket..text.len().min(line + LOOK_BYTES_MAX)];
    let starts = match rule.unit {
        Unit::Games => match tag_name(look) {
            Some(EVENT) => !completes_header(text, line, rule.ends),
            Some(_) => follows_blank(text, line, rule.ends),
            None => false,
        },
        Unit::Records => begins_tag(look) && !follows_tag(text, line, rule.ends),
    };
    starts.then_some(Start { line, bracket })
}

/// Start of the line of the bracket, if only leading blanks are between them.
fn line_of(text: &[u8], bracket: usize, ends: LineEnds) -> Option<usize> {
    let nearest = bracket.saturating_sub(LOOK_BYTES_MAX);
    let mut at = bracket;
    while at > nearest {
        let byte = text[at - 1];
        match byte {
            _ if ends.ends(byte) => return Some(at),
            b' ' | b'\t' | 0x1A => at -= 1,
            _ if text[..at].ends_with(MARK) => at -= MARK.len(),
            _ => return None,
        }
    }
    (at == 0).then_some(0)
}

/// The name of the tag pair that `look` begins with, a bracket its first byte and a quote after the name.
fn tag_name(look: &[u8]) -> Option<&[u8]> {
    let (name, rest) = split_name(look);
    let quoted = rest.get(leading(rest, is_space)) == Some(&b'"');
    (quoted && !name.is_empty()).then_some(name)
}

/// Whether `line`, a line's first bytes, is still on the way to being a game start.
fn may_become_start(line: &[u8], unit: Unit) -> bool {
    let line = after_leading_blanks(line);
    if line.first() != Some(&b'[') {
        return MARK.starts_with(line);
    }
    let (_, rest) = split_name(line);
    let named = unit == Unit::Records && line.get(1).is_some_and(u8::is_ascii_alphabetic);
    !named && leading(rest, is_space) == rest.len()
}

/// A line without the blanks before its bracket.
fn after_leading_blanks(mut line: &[u8]) -> &[u8] {
    loop {
        line = &line[leading(line, |byte| matches!(byte, b' ' | b'\t' | 0x1A))..];
        match line.strip_prefix(MARK) {
            Some(rest) => line = rest,
            None => return line,
        }
    }
}

/// The tag name after the bracket and the blanks that follow it, empty if no name begins there; and what
/// follows the name.
fn split_name(look: &[u8]) -> (&[u8], &[u8]) {
    let inside = &look[1..];
    let name = &inside[leading(inside, is_space)..];
    let length = match name.first() {
        Some(first) if first.is_ascii_alphabetic() => leading(name, is_name),
        _ => 0,
    };
    name.split_at(length)
}

fn leading(bytes: &[u8], belongs: impl Fn(u8) -> bool) -> usize {
    bytes.iter().position(|&byte| !belongs(byte)).unwrap_or(bytes.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn starts(text: &str, ends: LineEnds) -> Vec<usize> {
        starts_by(text, Rule::games(ends))
    }

    fn starts_by(text: &str, rule: Rule) -> Vec<usize> {
        let text = text.as_bytes();
        let all = memchr_iter(b'[', text);
        all.filter_map(|at| start_at(text, at, rule)).map(|start| start.line).collect()
    }

    #[test]
    fn event_starts_a_game_anywhere_at_the_start_of_a_line() {
        assert_eq!(
            starts("e4 { [Event \"a\"]\n[Event \"b\"]\n \t\u{1a}\u{feff}[Event \"c\"]", LineEnds::Lf),
            [17, 29]
        );
        assert_eq!(
            starts("x\n[Event  \"a\"]\n[Event\"a\"]\n[\tEvent\t\"a\"]\n e4 [Event \"a\"]", LineEnds::Lf),
            [2, 15, 26],
            "blanks around the name do not matter"
        );
        assert_eq!(starts("x\n[event \"a\"]\n[EventDate \"a\"]\n[Event x]", LineEnds::Lf), [0; 0]);
    }

    #[test]
    fn an_event_that_completes_a_header_starts_no_game() {
        let lf = |text: &str| starts(text, LineEnds::Lf);
        assert_eq!(lf("[B \"b\"]\n[D \"d\"]\n[Event \"a\"]\n[W \"w\"]\n[Event \"b\"]"), [0, 36]);
        assert_eq!(lf("e4\n\n\t[B\"b\"] [C \"\"]\r\n% x\n[ Event \"a\"]\n\n*"), [4]);
        assert_eq!(starts("e4\r\n\r\n[B \"b\"]\r\n[Event \"a\"]\r[Event \"b\"]", LineEnds::Cr), [6, 27]);
        assert_eq!(lf("\n[B \"b\n[Event \"a\"]"), [1], "a tag that is not closed is one of the header, too");
        for other in [
            "1. e4",
            "[B \"b\"] 1. e4",
            "[A \"a\"] [Event \"a\"]",
            "[Event \"a\"]",
            "[Event \"a",
            "[B]",
            "[1]",
        ] {
            let text = format!("\n[A \"a\"]\n{other}\n[Event \"b\"]");
            let event = text.len() - 11;
            assert!(lf(&text).contains(&event), "{other}");
        }
        assert_eq!(lf("e4\n[B \"b\"]\n[Event \"a\"]"), [11], "a header begins after a blank line");
    }

    #[test]
    fn a_header_is_completed_near_its_beginning_only() {
        for (between, completes) in [(31, true), (32, false)] {
            let escaped = "x".repeat(99);
            let text = format!("%{escaped}\n[A \"\"]\n%{}\n[Event \"\"]", &escaped[..between]);
            let found = starts(&text, LineEnds::Lf);
            assert_eq!(text.rfind('[').map(|event| event - found[0]), Some(between + 9), "{text}");
            assert_eq!(found.len() == 1, completes, "{text}");
        }
    }

    #[test]
    fn tag_lines_end_at_the_same_place_however_long_they_are() {
        for before in 0..140 {
            for (last, after) in [("[ECO \"\"]", "\n1. e4"), ("[Elo \"\"]", "[Event \"b\"]"), ("x", "")] {
                let tags = format!("[Site \"{}\"]\n{last}\n", "x".repeat(before));
                let end = if last == "x" { tags.len() - 2 } else { tags.len() };
                let text = format!("{tags}{after}{}", " ".repeat(before));
                let found = after_tags(text.as_bytes(), 0, Rule::games(LineEnds::Lf));
                assert_eq!(found, end, "{text:?}");
            }
        }
    }

    #[test]
    fn another_tag_starts_a_game_after_a_blank_line_or_none() {
        assert_eq!(starts("[White \"a\"]\n[Black \"b\"]\n\n[White \"c\"]", LineEnds::Lf), [0, 25]);
        assert_eq!(starts("1. e4\n \t\r\u{1a}\u{feff}\u{b}\u{c}\n[W_9\t\"c\"]", LineEnds::Lf), [16]);
        assert_eq!(starts("\u{feff}\n[White \"c\"]", LineEnds::Lf), [4]);
        assert_eq!(starts("\n[%clk 1]\n\n[9 \"\"]\n\n[White-\"\"]\n\n[White '']", LineEnds::Lf), [0; 0]);
        assert_eq!(starts("\n[White\"\"]\n\n[ \tWhite \"\"]\n\n[White\n\"\"]", LineEnds::Lf), [1, 12]);
    }

    #[test]
    fn a_record_starts_at_tags_that_follow_none() {
        let records = |text: &str, ends| starts_by(text, Rule { ends, unit: Unit::Records });
        let lf = |text: &str| records(text, LineEnds::Lf);
        assert_eq!(lf("[W \"a\"]\n[B \"b\"]\n e4 {1 2 3}\n[W \"c\"]\n[Event \"d\"]\n e4"), [0, 28]);
        assert_eq!(
            lf("position\n[B \"a\"]\n\n \r\n% x\n[W \"b\"]\nsetboard"),
            [9],
            "blank and % lines do not matter"
        );
        assert_eq!(lf(" e4 [W \"a\"]\n \t\u{feff}[Event: x]\n[%eval 1]\n[Result 1-0"), [12, 38]);
        assert_eq!(lf("[W\n[B"), [0], "whatever comes after the name");
        assert_eq!(lf("[ W \"\"]\n[ B\"\"]\ne4\n[\tB\"\"]\n[ B]"), [0, 18]);
        assert_eq!(lf("[ W]\n[1]\n[\n["), [0; 0]);
        assert_eq!(records("[W a]\r[B b]\r\r e4\r[W c]\r\n[B d]", LineEnds::Cr), [0, 17]);
    }

    #[test]
    fn escape_lines_are_transparent() {
        assert_eq!(starts("% one\n%[two]\n[White \"a\"]", LineEnds::Lf), [13]);
        assert_eq!(starts("e4\n% one\n[White \"a\"]", LineEnds::Lf), [0; 0]);
        assert_eq!(starts("e4\n\n% one\n%\n[White \"a\"]", LineEnds::Lf), [12]);
        assert_eq!(starts("e4\n\n % one\n[White \"a\"]", LineEnds::Lf), [0; 0]);
    }

    #[test]
    fn a_carriage_return_ends_lines_only_where_there_is_no_line_feed() {
        assert_eq!(LineEnds::of(b"[White \"a\"]\r\r"), LineEnds::Cr);
        assert_eq!(LineEnds::of(b"a\rb\n"), LineEnds::Lf);
        assert_eq!(LineEnds::of(b""), LineEnds::Lf);
        assert_eq!(
            starts("[A \"\"]\r[B \"\"]\r\r[C \"\"]\r\n[D \"\"]\r\n\r\n[E \"\"]", LineEnds::Cr),
            [0, 15, 33]
        );
        assert_eq!(starts("[A \"\"]\r\r\n[B \"\"]\r\n\r\n[C \"\"]", LineEnds::Lf), [0, 19]);
    }

    #[test]
    fn an_open_line_is_one_that_more_text_could_make_a_start() {
        for open in ["", " ", "\u{feff}", "[", "[E", "[ ", "[ \tE", "[Event ", "[White_2 \t", " \u{1a}[W"] {
            assert_eq!(open_line(format!("e4\n{open}").as_bytes(), Rule::games(LineEnds::Lf)), 3, "{open:?}");
        }
        assert_eq!(open_line(b"e4\n\xEF\xBB", Rule::games(LineEnds::Lf)), 3);
        for closed in ["x", "[1", "[ 1", "[Event \"", "[ Event\"", "[Event x", "%", "[%"] {
            assert_eq!(
                open_line(format!("e4\n{closed}").as_bytes(), Rule::games(LineEnds::Lf)),
                3 + closed.len(),
                "{closed:?}"
            );
        }
    }

    #[test]
    fn tag_lines_are_passed_over_up_to_another_event() {
        assert_eq!(
            after_tags(b" [A \"\"]\r\n[B\n[ [Event \"\"]\n\n[C \"\"]", 1, Rule::games(LineEnds::Lf)),
            25
        );
        assert_eq!(after_tags(b"[A \"\"]\n[B \"\"]\n[Event \"\"]", 0, Rule::games(LineEnds::Lf)), 14);
        assert_eq!(after_tags(b"[A \"\"]", 0, Rule::games(LineEnds::Lf)), 1);
    }

    #[test]
    fn lines_of_records_are_open_up_to_their_first_letter() {
        let rule = Rule { ends: LineEnds::Lf, unit: Unit::Records };
        for open in ["", " ", "\u{feff}", "[", "[ ", "[ W "] {
            assert_eq!(open_line(format!("e4\n{open}").as_bytes(), rule), 3, "{open:?}");
        }
        for closed in ["x", "[E", "[1", "[ W \"", "%"] {
            assert_eq!(open_line(format!("e4\n{closed}").as_bytes(), rule), 3 + closed.len(), "{closed:?}");
        }
        assert_eq!(after_tags(b" [A \"\"]\n[Event \"\"]\n[B]\n[%x]", 1, rule), 23);
    }

    #[test]
    fn the_last_start_is_found_from_the_end() {
        let text = b"[A \"\"]\n\n[B \"\"]\n\n[C \"\"]\n[D";
        assert_eq!(last_start(text, 0, Rule::games(LineEnds::Lf)), Some(Start { line: 16, bracket: 16 }));
        assert_eq!(first_start(text, 1, Rule::games(LineEnds::Lf)), Some(Start { line: 8, bracket: 8 }));
        assert_eq!(first_start(text, 99, Rule::games(LineEnds::Lf)), None);
    }
}
