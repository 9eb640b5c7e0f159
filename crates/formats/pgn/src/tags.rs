//! The tag section of one game: `[Name "Value"]` pairs, read leniently and borrowed from the text.
//!
//! Real files have bare and escaped quotes in values, several tags on a line, tags of 20 kB, duplicate names
//! and Latin-1. Where text cannot be read as a tag, the section is marked as malformed and the rest of the
//! line is skipped; later tags are still read.

mod plain;
mod value;
mod whitespace;

use std::ops::Range;

use memchr::{memchr, memchr3};

pub use value::TagValue;
pub use value::decode;
pub(crate) use value::windows_1252;
pub(crate) use whitespace::line_end_byte;
pub use whitespace::{blank_len, trim, trim_start};

/// A buffer for the tag sections of games, one after another.
///
/// # Memory
///
/// Holds 40 bytes for every tag of the largest tag section so far, at most [`TagBuffer::TAGS_MAX`] tags. Once
/// the buffer is large enough, reading a game allocates nothing.
#[derive(Clone, Debug, Default)]
pub struct TagBuffer {
    entries: Vec<TagSpan>,
}

/// The ranges of one tag's name and value in the text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TagSpan {
    name: (usize, usize),
    value: (usize, usize),
    escaped: bool,
}

impl TagBuffer {
    /// The maximum number of tags that are read from a game. A game with more tags is rejected as too large.
    pub const TAGS_MAX: usize = 1 << 16;

    /// The tags of `text`, which must be the text that was read last.
    pub(crate) fn again<'t>(&'t self, text: &'t [u8]) -> Tags<'t> {
        Tags::of_spans(text, &self.entries, 0)
    }

    /// Counts the tags at the beginning of `text`; returns their number and the offset where they end.
    /// Counting stops once there are more than [`Self::TAGS_MAX`].
    pub(crate) fn measure(text: &[u8]) -> (usize, usize) {
        let mut scan = Scan { text, at: 0 };
        let mut tags = 0;
        while tags <= Self::TAGS_MAX && scan.reach_tag() {
            match scan.tag() {
                Some(_) => tags += 1,
                None => scan.skip_line(),
            }
        }
        (tags, scan.at)
    }

    /// Reads the tags at the beginning of `text`, which must be a single game.
    pub fn read<'t>(&'t mut self, text: &'t [u8]) -> Tags<'t> {
        self.entries.clear();
        let mut scan = Scan { text, at: 0 };
        let mut malformed_at = None;
        while self.entries.len() < Self::TAGS_MAX && scan.reach_tag() {
            let plain_end = plain::read(text, scan.at, &mut self.entries, Self::TAGS_MAX);
            if plain_end > scan.at {
                scan.at = plain_end;
            } else if let Some(entry) = scan.tag() {
                self.entries.push(entry);
            } else {
                malformed_at.get_or_insert(scan.at);
                scan.skip_line();
            }
        }
        Tags { text, entries: &self.entries, malformed_at, movetext_at: scan.at }
    }
}

/// The tags of one game.
#[derive(Clone, Copy, Debug)]
pub struct Tags<'t> {
    text: &'t [u8],
    pub(crate) entries: &'t [TagSpan],
    /// The byte offset of the first place in the text that looks like the start of a tag but is not one.
    pub malformed_at: Option<usize>,
    /// The byte offset in the text where the tags end and the movetext begins.
    pub movetext_at: usize,
}

impl<'t> Tags<'t> {
    /// The value of the tag `name` (case-sensitive); if it occurs several times, the value of the last one.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<TagValue<'t>> {
        self.find(name).map(|entry| self.value(entry))
    }

    /// The tags of `text`, rebuilt from ranges that were kept when it was read.
    pub(crate) fn of_spans(text: &'t [u8], entries: &'t [TagSpan], movetext_at: usize) -> Self {
        Self { text, entries, malformed_at: None, movetext_at }
    }

    /// The byte range, in the text, of the value that [`Self::get`] returns for `name`.
    #[must_use]
    pub fn span(&self, name: &str) -> Option<Range<usize>> {
        self.find(name).map(|entry| entry.value.0..entry.value.1)
    }

    /// The offset of each tag, and its name.
    pub fn starts(&self) -> impl Iterator<Item = (usize, &'t [u8])> + '_ {
        self.entries.iter().map(|entry| (self.bracket(entry), self.bytes(entry.name)))
    }

    /// The offset of the bracket that opens a tag. It is the last bracket before the tag's name, since only
    /// blanks may stand between bracket and name.
    fn bracket(&self, entry: &TagSpan) -> usize {
        let before = &self.text[..entry.name.0];
        before.iter().rposition(|&byte| byte == b'[').unwrap_or(0)
    }

    /// Every tag in the order of the text, duplicates included.
    pub fn iter(&self) -> impl Iterator<Item = (&'t [u8], TagValue<'t>)> + '_ {
        self.entries.iter().map(|entry| (self.bytes(entry.name), self.value(entry)))
    }

    /// The offset and the name of everything in the text that looks like the start of a tag but is not one.
    pub(crate) fn malformed(&self) -> impl Iterator<Item = (usize, &'t [u8])> {
        let mut scan = Scan { text: self.text, at: 0 };
        std::iter::from_fn(move || {
            while scan.reach_tag() {
                let (at, name) = (scan.at, scan.name_at());
                if scan.tag().is_none() {
                    scan.skip_line();
                    return Some((at, &scan.text[name..scan.run(name, is_name)]));
                }
            }
            None
        })
    }

    fn find(&self, name: &str) -> Option<&'t TagSpan> {
        // Most names differ in length, so their bytes need not be compared.
        let has_length = |entry: &TagSpan| entry.name.1 - entry.name.0 == name.len();
        let named = |entry: &&TagSpan| has_length(entry) && self.bytes(entry.name) == name.as_bytes();
        self.entries.iter().rev().find(named)
    }

    fn value(&self, entry: &TagSpan) -> TagValue<'t> {
        TagValue::new(self.bytes(entry.value), entry.escaped)
    }

    fn bytes(&self, (start, end): (usize, usize)) -> &'t [u8] {
        &self.text[start..end]
    }
}

/// A cursor over a tag section.
struct Scan<'t> {
    text: &'t [u8],
    at: usize,
}

impl Scan<'_> {
    fn byte(&self, at: usize) -> Option<u8> {
        self.text.get(at).copied()
    }

    /// Skips blanks and `%` lines, and returns whether a tag follows.
    #[inline]
    fn reach_tag(&mut self) -> bool {
        // Nearly every tag starts a line, with its name right after the bracket, and the last tag is followed
        // by a blank line and a move number.
        let (skipped, is_tag) = match self.text.get(self.at..) {
            Some([b'[', letter, ..]) if letter.is_ascii_alphabetic() => (0, true),
            Some([b'\n', b'[', letter, ..]) if letter.is_ascii_alphabetic() => (1, true),
            Some([b'\n', b'\n', digit, ..]) if digit.is_ascii_digit() => (2, false),
            _ => return self.reach_odd_tag(),
        };
        self.at += skipped;
        is_tag
    }

    #[cold]
    fn reach_odd_tag(&mut self) -> bool {
        self.skip_blanks();
        while self.byte(self.at) == Some(b'%') && self.at_line_start() {
            self.skip_line();
            self.skip_blanks();
        }
        self.at_tag()
    }

    fn skip_blanks(&mut self) {
        while let len @ 1.. = blank_len(self.text, self.at) {
            self.at += len;
        }
    }

    fn at_tag(&self) -> bool {
        self.byte(self.at) == Some(b'[') && self.byte(self.name_at()).is_some_and(|b| b.is_ascii_alphabetic())
    }

    /// The offset of the current tag's name.
    fn name_at(&self) -> usize {
        match self.byte(self.at + 1) {
            Some(b' ' | b'\t') => self.run(self.at + 2, is_space),
            _ => self.at + 1,
        }
    }

    fn at_line_start(&self) -> bool {
        self.at == 0 || self.text[self.at - 1] == line_end_byte(self.text)
    }

    fn skip_line(&mut self) {
        let rest = &self.text[self.at..];
        self.at += memchr(line_end_byte(self.text), rest).map_or(rest.len(), |end| end + 1);
    }

    /// Reads the tag at the cursor and moves past it. If the tag is malformed, returns `None` and does not
    /// move the cursor.
    fn tag(&mut self) -> Option<TagSpan> {
        let name = self.name_at();
        let name_end = self.run(name, is_name);
        let quote = self.run(name_end, is_space);
        if self.byte(quote) != Some(b'"') {
            return None;
        }
        let value = quote + 1;
        let (value_end, end) = self.closing_quote(value)?;
        self.at = end;
        let escaped = memchr(b'\\', &self.text[value..value_end]).is_some();
        Some(TagSpan { name: (name, name_end), value: (value, value_end), escaped })
    }

    /// Returns the offset of the quote that closes the value starting at `value`, and the offset after the
    /// tag. Quotes inside a value are often left unescaped, so only a quote before a `]` closes it.
    fn closing_quote(&self, value: usize) -> Option<(usize, usize)> {
        let mut from = value;
        loop {
            let at = from + memchr3(b'"', b'\r', b'\n', &self.text[from..])?;
            if self.text[at] != b'"' {
                return None;
            }
            let backslashes = self.text[value..at].iter().rev().take_while(|&&b| b == b'\\').count();
            let bracket = self.run(at + 1, is_space);
            if backslashes % 2 == 0 && self.byte(bracket) == Some(b']') {
                return Some((at, bracket + 1));
            }
            from = at + 1;
        }
    }

    fn run(&self, from: usize, accept: impl Fn(u8) -> bool) -> usize {
        from + self.text[from..].iter().take_while(|&&b| accept(b)).count()
    }
}

/// Whether `line` consists only of tags with names other than `name`. A tag that is never closed extends to
/// the end of the line, as in [`TagBuffer::read`].
pub(crate) fn holds_only_tags_but(line: &[u8], name: &[u8]) -> bool {
    let mut scan = Scan { text: line, at: 0 };
    loop {
        scan.skip_blanks();
        if !scan.at_tag() {
            return scan.at == line.len();
        }
        let start = scan.name_at();
        if line[start..scan.run(start, is_name)] == *name {
            return false;
        }
        if scan.tag().is_none() {
            return true;
        }
    }
}

/// Whether a byte separates the parts of a tag.
pub(crate) fn is_space(b: u8) -> bool {
    matches!(b, b' ' | b'\t')
}

/// Whether a byte may occur in a tag's name, after its first letter.
pub(crate) fn is_name(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b == b'_'
}

#[cfg(test)]
mod tests;
