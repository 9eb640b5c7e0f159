//! The seal: the count and checksum of the entries, in the header of a book written by Tabia.
//!
//! # Format
//!
//! The seal is the last line of the header's comment: `entries: 5387, xxh3: 0123456789abcdef`, padded with
//! spaces to 53 bytes. The checksum is XXH3-64 of all bytes after the header. To other programs, the line is
//! simply part of the comment.

use xxhash_rust::xxh3::Xxh3;

use super::{Header, entry::ENTRY_BYTES};

/// The length of the seal's line in bytes, enough for a count of twenty digits.
pub(super) const LINE_BYTES: usize = 53;

const ENTRIES: &str = "entries: ";
const XXH3: &str = ", xxh3: ";

/// The count and checksum of the entries that follow a header.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Seal {
    /// The number of entries.
    pub entries: u64,
    /// XXH3-64 of the entries' bytes.
    pub xxh3: u64,
}

/// Computes a seal (the count and checksum of the entries) while entries are read or written in order.
#[derive(Clone, Default)]
pub(super) struct Sealer {
    entries: u64,
    hash: Xxh3,
}

impl Seal {
    /// Finds the seal in a comment; headers written by other programs or by earlier versions have none.
    pub(super) fn of(comment: &str) -> Option<Self> {
        let (_, line) = split(comment)?;
        let (entries, xxh3) = line.strip_prefix(ENTRIES)?.trim_end().split_once(XXH3)?;
        Some(Self { entries: entries.parse().ok()?, xxh3: u64::from_str_radix(xxh3, 16).ok()? })
    }

    fn line(self) -> String {
        format!("{:LINE_BYTES$}", format!("{ENTRIES}{}{XXH3}{:016x}", self.entries, self.xxh3))
    }
}

/// Splits a comment into the text before its seal and the seal's line; `None` if the comment has no seal.
fn split(comment: &str) -> Option<(&str, &str)> {
    let (before, line) = comment.rsplit_once('\n').unwrap_or(("", comment));
    (line.len() == LINE_BYTES && line.starts_with(ENTRIES) && line.contains(XXH3)).then_some((before, line))
}

/// A comment without its seal.
pub(super) fn unsealed(comment: &str) -> &str {
    split(comment).map_or(comment, |(before, _)| before)
}

impl Header {
    /// This header with the seal in its comment.
    pub(super) fn with(&self, seal: Seal) -> Self {
        let (before, line) = (unsealed(&self.comment), seal.line());
        let comment = if before.is_empty() { line } else { format!("{before}\n{line}") };
        Self { variants: self.variants.clone(), comment }
    }
}

impl Sealer {
    /// Adds entries, given as bytes, to the count and the checksum.
    pub(super) fn add(&mut self, entries: &[u8]) {
        self.hash.update(entries);
        self.entries += (entries.len() / ENTRY_BYTES) as u64;
    }

    pub(super) fn seal(&self) -> Seal {
        Seal { entries: self.entries, xxh3: self.hash.digest() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seal_is_the_last_line_and_takes_the_same_room_whatever_it_says() {
        let sealed = Header::sealed("Created by a test\nweights: games");
        assert_eq!(sealed.seal(), Some(Seal { entries: 0, xxh3: 0 }));
        for seal in [Seal { entries: 7, xxh3: 15 }, Seal { entries: u64::MAX, xxh3: u64::MAX }] {
            let with = sealed.with(seal);
            assert_eq!((with.seal(), with.to_bytes().len()), (Some(seal), sealed.to_bytes().len()));
            assert_eq!(Header::from_bytes(&with.to_bytes()).unwrap(), with);
            assert_eq!(with.unsealed(), "Created by a test\nweights: games");
            assert_eq!(Header::sealed(&with.comment), sealed, "one seal");
        }
        assert_eq!(Header::sealed("").seal(), Some(Seal { entries: 0, xxh3: 0 }));
        let long = Header::sealed(&"é".repeat(100_000));
        assert!(long.seal().is_some() && Header::from_bytes(&long.to_bytes()) == Some(long));
    }

    #[test]
    fn other_comments_have_no_seal() {
        for comment in
            ["", "entries: 7", "entries: 7, xxh3: 0f", "Created by Polyglot.\n1. e4", &"é".repeat(30)]
        {
            assert_eq!((Header::new(comment).seal(), unsealed(comment)), (None, comment));
        }
    }
}
