//! Skips comments and variations.

use std::ops::Range;

use memchr::memchr;

use crate::tags::line_end_byte;

/// The reason why a variation does not end.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum OpenVariation {
    /// The variation has no closing parenthesis.
    Variation,
    /// A comment in the variation has no closing brace.
    Comment {
        /// The offset of the comment.
        at: usize,
    },
}

/// Iterates over everything that `read` finds in a gap between two tokens. `read` has three arguments: the
/// text up to the end of the gap, an offset in the gap, and the byte that ends a line. It returns the item
/// that begins at that offset, if there is one, and the offset at which to continue.
pub(super) fn found<'t, T: 't>(
    text: &'t [u8],
    gap: Range<usize>,
    read: impl Fn(&'t [u8], usize, u8) -> (Option<T>, usize) + 't,
) -> impl Iterator<Item = T> + 't {
    let line_end = line_end_byte(text);
    let mut at = gap.start;
    let text = &text[..gap.end];
    std::iter::from_fn(move || {
        while at < text.len() {
            let (found, end) = read(text, at, line_end);
            at = end;
            if found.is_some() {
                return found;
            }
        }
        None
    })
}

/// The end of the comment whose `{` is at `at`. Comments do not nest (PGN standard 5).
#[inline]
pub(super) fn comment(text: &[u8], at: usize) -> Option<usize> {
    memchr(b'}', &text[at..]).map(|len| at + len + 1)
}

/// The end of the line at `at`, after its line break; the end of the text if there is no line break.
pub(super) fn line(text: &[u8], at: usize, line_end: u8) -> usize {
    memchr(line_end, &text[at..]).map_or(text.len(), |len| at + len + 1)
}

/// Skips the comment or escaped line at `at`, or the variation there if `variations_are_read` is false.
/// Returns the end of the skipped text; this is the end of `text` if a comment or variation is never closed.
/// Returns `at` if there is nothing to skip.
pub(super) fn aside(text: &[u8], at: usize, line_end: u8, variations_are_read: bool) -> usize {
    match text[at] {
        b'{' => comment(text, at).unwrap_or(text.len()),
        b';' => line(text, at, line_end),
        b'%' if at == 0 || text[at - 1] == line_end => line(text, at, line_end),
        b'(' if !variations_are_read => variation(text, at, line_end).unwrap_or(text.len()),
        _ => at,
    }
}

/// The end of the variation whose `(` is at `at`.
pub(super) fn variation(text: &[u8], mut at: usize, line_end: u8) -> Result<usize, OpenVariation> {
    let mut depth = 0_usize;
    while let Some(&byte) = text.get(at) {
        match byte {
            b'{' => {
                at = comment(text, at).ok_or(OpenVariation::Comment { at })?;
                continue;
            }
            b';' => {
                at = line(text, at, line_end);
                continue;
            }
            b'%' if at > 0 && text[at - 1] == line_end => {
                at = line(text, at, line_end);
                continue;
            }
            b'(' => depth += 1,
            b')' if depth == 1 => return Ok(at + 1),
            b')' => depth -= 1,
            _ => {}
        }
        at += 1;
    }
    Err(OpenVariation::Variation)
}
