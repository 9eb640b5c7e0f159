//! Finds variations, and each `1.` that begins another line, between two tokens of a movetext.

use std::ops::Range;

use super::skip;

/// A variation, or the move number 1.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) enum InGap {
    /// The text between the parentheses of a variation.
    Variation(Range<usize>),
    /// The offset of a `1.` that is not part of a `1...`.
    FirstNumber(usize),
}

/// Finds every variation and every `1.` in `gap`, the text between two tokens, in the order of the text.
/// Comments and the contents of variations are skipped.
pub(crate) fn in_gap(text: &[u8], gap: Range<usize>) -> impl Iterator<Item = InGap> + '_ {
    skip::found(text, gap, read)
}

fn read(text: &[u8], at: usize, line_end: u8) -> (Option<InGap>, usize) {
    let aside = skip::aside(text, at, line_end, true);
    match text[at] {
        _ if aside > at => (None, aside),
        b'(' => {
            let end = skip::variation(text, at, line_end).unwrap_or(text.len());
            let inside = at + 1..end.saturating_sub(1).max(at + 1);
            (Some(InGap::Variation(inside)), end)
        }
        b'$' => (None, digits_end(text, at + 1)),
        byte if byte.is_ascii_digit() => {
            let end = digits_end(text, at);
            let is_first =
                text[at..end] == *b"1" && text[end..].starts_with(b".") && text.get(end + 1) != Some(&b'.');
            (is_first.then_some(InGap::FirstNumber(at)), end)
        }
        _ => (None, at + 1),
    }
}

fn digits_end(text: &[u8], at: usize) -> usize {
    at + text[at..].iter().take_while(|byte| byte.is_ascii_digit()).count()
}

#[cfg(test)]
mod tests {
    use super::{InGap::*, *};

    #[test]
    fn variations_and_first_numbers_are_found_outside_comments() {
        let text = b" $1 {(a) 1.} (b (c) {)}) 1... 11. ; 1. (\n1. () 1";
        let found: Vec<_> = in_gap(text, 0..text.len()).collect();
        let inside = |range: &Range<usize>| std::str::from_utf8(&text[range.clone()]).unwrap().to_owned();
        let texts: Vec<_> = found
            .iter()
            .map(|found| match found {
                Variation(range) => inside(range),
                FirstNumber(at) => format!("at {at}"),
            })
            .collect();
        assert_eq!(texts, ["b (c) {)}", "at 41", ""]);
    }
}
