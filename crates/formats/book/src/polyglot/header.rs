//! The optional header of a Polyglot book: the chess variants that the book is for, and a comment.
//!
//! # Format
//!
//! The header is text, stored in sixteen-byte records before the first entry. Each record has key 0 and holds
//! eight bytes of the text. The text ends with a zero byte, and the rest of the last record is filled with
//! zeros. The text has one field per line: `@PG@`, the version `1.0`, the number of further lines before the
//! comment, the number of variants, and the variants. The comment is the rest of the text (Michel Van den
//! Bergh's pgheader 1.0). A reader that looks up keys never sees the header.

use super::{
    Seal,
    entry::{ENTRY_BYTES, PolyglotEntry},
    seal,
};

/// The number of bytes of text in a record.
const TEXT_BYTES: usize = 8;
/// The maximum number of records in a header, enough for 64 KiB of text.
pub(super) const RECORDS_MAX: usize = 8192;

const MAGIC: &str = "@PG@";
const VERSION: &str = "1.0";

/// The header of a Polyglot book.
#[derive(Clone, Debug, Eq, PartialEq)]
#[must_use]
pub struct Header {
    /// The chess variants that the book is for; `normal` is standard chess.
    pub variants: Vec<String>,
    /// Any text.
    pub comment: String,
}

impl Header {
    /// The header of a book for chess. A comment that is too long for a header is cut short.
    pub fn new(comment: &str) -> Self {
        let most = RECORDS_MAX * TEXT_BYTES - 64;
        let end = comment.floor_char_boundary(most);
        Self { variants: vec!["normal".into()], comment: comment[..end].replace('\0', " ") }
    }

    /// Like [`new`](Self::new), but leaves room for a seal (the count and checksum of the entries), which is
    /// filled in once the entries are known. Any seal already in the comment is removed.
    pub fn sealed(comment: &str) -> Self {
        let comment = seal::unsealed(comment);
        let most = RECORDS_MAX * TEXT_BYTES - 64 - seal::LINE_BYTES - 1;
        Self::new(&comment[..comment.floor_char_boundary(most)]).with(Seal { entries: 0, xxh3: 0 })
    }

    /// The count and checksum of the entries, if the comment ends with them.
    #[must_use]
    pub fn seal(&self) -> Option<Seal> {
        Seal::of(&self.comment)
    }

    /// The comment without the line that contains the count and checksum.
    #[must_use]
    pub fn unsealed(&self) -> &str {
        seal::unsealed(&self.comment)
    }

    /// Decodes a header from its records; returns `None` if the bytes are not exactly one header.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (records, rest) = bytes.as_chunks();
        let is_header =
            rest.is_empty() && records.len() <= RECORDS_MAX && records.iter().all(is_header_record);
        let (header, count) = Self::read(records).filter(|_| is_header)?;
        (count == records.len()).then_some(header)
    }

    /// Encodes the header as records.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let variants = self.variants.len();
        let mut text = format!("{MAGIC}\n{VERSION}\n{}\n{variants}\n", variants + 1);
        for variant in &self.variants {
            text += variant;
            text.push('\n');
        }
        text += &self.comment;
        let mut text = text.into_bytes();
        // The text ends with at least one zero byte, and fills whole records.
        text.resize((text.len() + 1).next_multiple_of(TEXT_BYTES), 0);
        let key = [0; ENTRY_BYTES - TEXT_BYTES];
        text.chunks(TEXT_BYTES).flat_map(|text| [&key, text].concat()).collect()
    }

    /// Parses the header at the start of `records`, and returns it with the number of records that it
    /// occupies. The records' keys are not checked.
    pub(super) fn read(records: &[[u8; ENTRY_BYTES]]) -> Option<(Self, usize)> {
        let mut text: Vec<u8> =
            records.iter().flat_map(|record| &record[ENTRY_BYTES - TEXT_BYTES..]).copied().collect();
        let end = text.iter().position(|&byte| byte == 0).unwrap_or(text.len());
        text.truncate(end);
        let text = String::from_utf8_lossy(&text);
        let fields = text.strip_prefix(MAGIC)?.strip_prefix('\n')?;
        Some((Self::parse(fields), (end / TEXT_BYTES + 1).min(records.len())))
    }

    /// Parses the fields after the magic. If the text is not in this format, all of it is taken as the
    /// comment.
    fn parse(fields: &str) -> Self {
        let mut lines = fields.splitn(4, '\n');
        let numbers = [lines.next(), lines.next(), lines.next()];
        let variants = numbers[2].and_then(|number| number.parse::<usize>().ok());
        let (Some(variants), Some(rest)) = (variants, lines.next()) else {
            return Self { variants: Vec::new(), comment: fields.to_owned() };
        };
        let mut rest = rest.splitn(variants.saturating_add(1), '\n');
        let variants = rest.by_ref().take(variants).map(str::to_owned).collect();
        Self { variants, comment: rest.next().unwrap_or("").to_owned() }
    }
}

/// Whether a record can belong to a header.
pub(super) fn is_header_record(record: &[u8; ENTRY_BYTES]) -> bool {
    PolyglotEntry::from_bytes(*record).key.0 == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn records(bytes: &[u8]) -> Vec<[u8; ENTRY_BYTES]> {
        bytes.as_chunks().0.to_vec()
    }

    #[test]
    fn the_text_is_as_the_format_says() {
        let bytes = Header::new("Created by Polyglot.").to_bytes();
        assert_eq!(&bytes[..16], b"\0\0\0\0\0\0\0\0@PG@\n1.0");
        let text: Vec<u8> = bytes.chunks(16).flat_map(|record| &record[8..]).copied().collect();
        assert_eq!(text, b"@PG@\n1.0\n2\n1\nnormal\nCreated by Polyglot.\0\0\0\0\0\0\0\0");
    }

    #[test]
    fn a_header_is_read_as_it_was_written() {
        for length in 0..40 {
            let header = Header::new(&"é\nx".repeat(length));
            let mut bytes = header.to_bytes();
            let count = bytes.len() / ENTRY_BYTES;
            bytes.extend([0; ENTRY_BYTES]);
            assert_eq!(Header::read(&records(&bytes)), Some((header, count)));
        }
        let long = Header::new(&"é".repeat(100_000));
        let bytes = long.to_bytes();
        assert!(bytes.len() <= RECORDS_MAX * ENTRY_BYTES && bytes.len() > 100_000);
        assert_eq!(Header::read(&records(&bytes)).unwrap().0, long);
    }

    #[test]
    fn bytes_are_a_header_only_if_all_of_them_are() {
        let header = Header::new("one");
        let bytes = header.to_bytes();
        assert_eq!(Header::from_bytes(&bytes), Some(header));
        let longer = [bytes.as_slice(), &[0; ENTRY_BYTES]].concat();
        let mut other = bytes.clone();
        other[3] = 1;
        for wrong in [&[][..], &bytes[1..], &longer, &other] {
            assert_eq!(Header::from_bytes(wrong), None);
        }
    }

    #[test]
    fn other_records_of_key_0_are_no_header_and_a_faulty_one_is_a_comment() {
        assert_eq!(Header::read(&[]), None);
        assert_eq!(Header::read(&[[0; 16]]), None);
        assert_eq!(Header::read(&records(b"\0\0\0\0\0\0\0\0@PG@1.0\n")), None);
        let faulty = Header::read(&records(b"\0\0\0\0\0\0\0\0@PG@\nabc")).unwrap();
        assert_eq!(faulty, (Header { variants: Vec::new(), comment: "abc".into() }, 1));
        let many = Header::parse("1.0\n2\n999999999999\nnormal\nsuicide");
        assert_eq!(many.variants, ["normal", "suicide"]);
        assert_eq!(many.comment, "");
    }
}
