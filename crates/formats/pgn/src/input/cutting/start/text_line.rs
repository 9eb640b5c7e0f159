//! Examines one line by itself: whether it is blank, is a tag line, or may turn out to start a game.

use super::{EVENT, LOOK_BYTES_MAX};
use crate::{
    input::cutting::{LineEnds, Unit},
    tags::{holds_only_tags_but, is_name, is_space},
};

/// A byte order mark in UTF-8, which counts as a blank.
pub(super) const MARK: &[u8] = b"\xEF\xBB\xBF";

/// Whether a line contains nothing but tags, none of them Event.
pub(super) fn is_header_line(line: &[u8]) -> bool {
    let tags = after_leading_blanks(line);
    tags.first() == Some(&b'[') && tag_name(tags).is_some() && holds_only_tags_but(tags, EVENT)
}

/// Whether a line of a learning file is a tag line.
pub(super) fn is_tag_line(line: &[u8]) -> bool {
    let look = &line[..line.len().min(LOOK_BYTES_MAX)];
    begins_tag(after_leading_blanks(look))
}

/// Whether `look` begins like a tag of a learning file: with a bracket and a letter, or with a tag pair.
pub(super) fn begins_tag(look: &[u8]) -> bool {
    match look {
        [b'[', letter, ..] if letter.is_ascii_alphabetic() => true,
        [b'[', b' ' | b'\t', ..] => tag_name(look).is_some(),
        _ => false,
    }
}

/// Whether `bytes` has no visible character: only blanks, line breaks, `^Z` and byte order marks.
pub(in crate::input) fn is_blank(mut bytes: &[u8]) -> bool {
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

/// The start of the line that contains the bracket; `None` if anything other than blanks comes before the
/// bracket in this line, or if there are too many blanks ([`LOOK_BYTES_MAX`]).
pub(super) fn line_of(text: &[u8], bracket: usize, ends: LineEnds) -> Option<usize> {
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

/// The tag name in `look`, which must begin with a bracket; `None` if there is no name, or no quote after the
/// name.
pub(super) fn tag_name(look: &[u8]) -> Option<&[u8]> {
    let (name, rest) = split_name(look);
    let quoted = rest.get(leading(rest, is_space)) == Some(&b'"');
    (quoted && !name.is_empty()).then_some(name)
}

/// Whether a line that begins with `text_line` may turn out to start a game, depending on the bytes that
/// follow.
pub(super) fn may_become_start(line: &[u8], unit: Unit) -> bool {
    let line = after_leading_blanks(line);
    if line.first() != Some(&b'[') || unit == Unit::Lines {
        return MARK.starts_with(line);
    }
    let (_, rest) = split_name(line);
    let named = unit == Unit::Records && line.get(1).is_some_and(u8::is_ascii_alphabetic);
    !named && leading(rest, is_space) == rest.len()
}

/// Returns a line without its leading blanks.
fn after_leading_blanks(line: &[u8]) -> &[u8] {
    &line[leading_blanks(line)..]
}

/// The length of a line's leading blanks.
pub(super) fn leading_blanks(whole: &[u8]) -> usize {
    let mut line = whole;
    loop {
        line = &line[leading(line, |byte| matches!(byte, b' ' | b'\t' | 0x1A))..];
        match line.strip_prefix(MARK) {
            Some(rest) => line = rest,
            None => return whole.len() - line.len(),
        }
    }
}

/// Splits the text after the bracket and any blanks into a tag name and the rest. If no name begins there,
/// the name is empty.
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
