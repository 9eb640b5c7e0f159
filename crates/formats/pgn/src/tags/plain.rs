//! Tags of the usual shape, `[Name "Value"]` with no escapes, one per line: nearly all tags look like this.
//!
//! All such tags in a window are found in one pass; a window has room for three tags of ordinary length.

use super::TagSpan;
use crate::simd::{Classify, Lanes, WINDOW_BYTES, classify};

/// The sets of bytes in a window by which the parts of a tag are found. Each set has one bit per byte.
struct Marks {
    /// Bytes that can occur in names.
    words: u64,
    quotes: u64,
    /// Quotes after one space. In each tag, the first quote that follows a space opens the value.
    opening: u64,
    /// Quotes that close a value: those directly before a closing bracket.
    closing: u64,
    /// Bytes that make a value too complicated for this module: escapes and line breaks.
    others: u64,
}

impl Classify for Marks {
    #[inline]
    fn classify(lanes: &impl Lanes) -> Self {
        let quotes = lanes.any(*b"\"");
        Self {
            words: lanes.words(),
            quotes,
            opening: quotes & lanes.any(*b" ") << 1,
            closing: quotes & lanes.any(*b"]") >> 1,
            others: lanes.any(*b"\\\r\n"),
        }
    }
}

impl Marks {
    /// Returns the length of the name that begins at byte `name` of the window, and the distance from there
    /// to the quote that ends the value. Returns `None` unless the tag has the usual shape and lies entirely
    /// within the window.
    #[inline]
    fn tag(&self, name: usize) -> Option<(usize, usize)> {
        let name_len = (self.words >> name).trailing_ones();
        let quotes = self.quotes >> name;
        let after_first = quotes & quotes.wrapping_sub(1);
        let first = quotes & !after_first;
        let second = after_first & after_first.wrapping_neg();
        let plain = first & self.opening >> name != 0
            && first.trailing_zeros() == name_len + 1
            && second & self.closing >> name != 0
            && (second - 1) & self.others >> name == 0;
        plain.then(|| (name_len as usize, second.trailing_zeros() as usize))
    }
}

/// Appends tags of the usual shape, one per line, to `tags`, until it holds `tags_max`. The first tag begins
/// with the bracket at `at`, and the byte after that bracket must be a letter. Returns the offset at which
/// reading stopped. This is `at` if no tag has the usual shape and fits in a window. Otherwise, it is the
/// offset after the last tag that was read, or the offset of the bracket that begins the next line.
pub(super) fn read(text: &[u8], mut at: usize, tags: &mut Vec<TagSpan>, tags_max: usize) -> usize {
    while let Some(window) = text[at..].first_chunk::<WINDOW_BYTES>() {
        let marks: Marks = classify(window);
        let mut name = 1;
        while let Some((name_len, value_end)) = marks.tag(name) {
            let (start, end) = (at + name, at + name + value_end);
            tags.push(TagSpan {
                name: (start, start + name_len),
                value: (start + name_len + 2, end),
                escaped: false,
            });
            match text[end + 2..] {
                [b'\n', b'[', letter, ..] if letter.is_ascii_alphabetic() && tags.len() < tags_max => {}
                _ => return end + 2,
            }
            // Skips four bytes: the quote and the bracket that close the tag, the line break, and the bracket
            // that opens the next tag.
            name += value_end + 4;
            if name >= WINDOW_BYTES {
                break;
            }
        }
        if name == 1 {
            break;
        }
        at += name - 1;
    }
    at
}
