//! Annotation files as people write them: tags without quotes or with a colon, and games run together.
//!
//! Terra's manual shows `[Event: "Line 1"] 1. e4!! c6!? 2.d4!!` and `[Result 1-0]`, which are not PGN. Such
//! text is split into games wherever tags follow moves, and its tags are rewritten as the PGN standard
//! prescribes; the moves are left as they are.

use std::{borrow::Cow, collections::HashSet};

use memchr::memchr2;

use crate::tags::{blank_len, trim};

/// A game's offset in the original text, and the game rewritten as PGN.
pub(super) type LooseGame = (usize, Vec<u8>);

/// Splits text into its games and rewrites their tags.
pub(super) fn games(text: &[u8]) -> impl Iterator<Item = LooseGame> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at;
        let rest = text.get(start..).filter(|rest| !rest.is_empty())?;
        let (mut game, movetext) = tags(rest);
        let end = moves_end(rest, movetext).max(1);
        at += end;
        game.push(b'\n');
        game.extend_from_slice(&rest[movetext.min(end)..end]);
        Some((start, game))
    })
}

/// Rewrites the tags at the beginning of `text`; returns the rewritten tags, and the offset at which the
/// original ones end. A tag name that has already occurred marks the beginning of another game.
fn tags(text: &[u8]) -> (Vec<u8>, usize) {
    let (mut at, mut rewritten, mut names) = (0, Vec::new(), HashSet::new());
    loop {
        while let length @ 1.. = blank_len(text, at) {
            at += length;
        }
        let Some((name, value, end)) = tag(text, at).filter(|(name, ..)| names.insert(*name)) else {
            return (rewritten, at);
        };
        at = end;
        rewritten.push(b'[');
        rewritten.extend_from_slice(name);
        rewritten.extend_from_slice(b" \"");
        rewritten.extend_from_slice(&value);
        rewritten.extend_from_slice(b"\"]\n");
    }
}

/// A tag's name, its value, and the offset at which it ends.
type LooseTag<'t> = (&'t [u8], Cow<'t, [u8]>, usize);

/// The tag at `at`, which ends at a bracket or at the end of the line.
fn tag(text: &[u8], at: usize) -> Option<LooseTag<'_>> {
    if !begins_tag(text, at) {
        return None;
    }
    let inside = &text[at + 1..];
    let line = memchr2(b'\n', b'\r', inside).unwrap_or(inside.len());
    let name = inside.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
    let rest = &inside[name..line];
    let (value, length) = match closing(rest) {
        Some(bracket) => (&rest[..bracket], name + bracket + 1),
        None => (rest, line),
    };
    let value = trim(value);
    let value = trim(value.strip_prefix(b":").unwrap_or(value));
    Some((&inside[..name], requoted(value), at + 1 + length))
}

/// The offset of the bracket that closes a tag. Brackets inside quotes do not count.
fn closing(rest: &[u8]) -> Option<usize> {
    let (mut quoted, mut escaped) = (false, false);
    rest.iter().position(|&byte| {
        quoted ^= byte == b'"' && !escaped;
        escaped = quoted && byte == b'\\' && !escaped;
        byte == b']' && !quoted
    })
}

/// Returns the text between the outer quotes of a value, or, if there are none, the whole text with quotes
/// and backslashes escaped.
fn requoted(value: &[u8]) -> Cow<'_, [u8]> {
    if let [b'"', inside @ .., b'"'] = value {
        return inside.into();
    }
    let mut escaped = Vec::with_capacity(value.len());
    for &byte in value {
        if matches!(byte, b'"' | b'\\') {
            escaped.push(b'\\');
        }
        escaped.push(byte);
    }
    escaped.into()
}

/// Finds the end of the moves that begin at `at`, and returns its offset. The moves end where the next game's
/// tags begin; a bracket in a comment or variation does not begin a tag.
fn moves_end(text: &[u8], mut at: usize) -> usize {
    let mut depth = 0_usize;
    while let Some(&byte) = text.get(at) {
        match byte {
            b'{' => at += memchr::memchr(b'}', &text[at..]).unwrap_or(text.len() - at),
            b';' => at += memchr2(b'\n', b'\r', &text[at..]).unwrap_or(text.len() - at),
            b'(' => depth += 1,
            b')' => depth = depth.saturating_sub(1),
            _ if depth == 0 && begins_tag(text, at) => return at,
            _ => {}
        }
        at += 1;
    }
    text.len()
}

fn begins_tag(text: &[u8], at: usize) -> bool {
    matches!(text.get(at..), Some([b'[', letter, ..]) if letter.is_ascii_alphabetic())
}
