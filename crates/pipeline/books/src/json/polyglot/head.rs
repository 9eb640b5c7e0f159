//! The first line: the size of the book and the header of the file.

use book::polyglot::{Header, Reader};
use run::Result;
use serde::{Deserialize, Serialize};

use super::super::head::{BookCounts, POLYGLOT, VERSION};

/// A header record has two fields of this many bytes: the key, which is 0, and the text.
const HALF_RECORD: usize = 8;

/// The header line of a Polyglot book in text form.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Head {
    /// The name of [`POLYGLOT`](super::super::head::POLYGLOT).
    format: String,
    version: u32,
    pub(super) counts: BookCounts,
    /// The header of the file; null if the file has no header.
    header: Option<HeaderText>,
}

/// The header of a file as text.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct HeaderText {
    variants: Vec<String>,
    comment: String,
    /// The text of the header's records in hexadecimal digits; present only if the records cannot be rebuilt
    /// from the variants and the comment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    bytes: Option<String>,
}

impl Head {
    /// Makes the header line for a book with this number of positions.
    pub(super) fn of(reader: &Reader, positions: u64) -> Result<Self> {
        let records = reader.header_bytes()?;
        Ok(Self {
            format: POLYGLOT.name.into(),
            version: VERSION,
            counts: BookCounts { positions, moves: reader.entries() },
            header: reader.header().map(|header| HeaderText::of(header, &records)),
        })
    }

    /// The records of the header; empty if there is no header.
    ///
    /// # Errors
    ///
    /// Fails if no file can have such a header; the error says why.
    pub(super) fn records(&self) -> Result<Vec<u8>, String> {
        self.header.as_ref().map_or(Ok(Vec::new()), HeaderText::records)
    }
}

impl HeaderText {
    fn of(header: &Header, records: &[u8]) -> Self {
        let Header { variants, comment } = header.clone();
        let hex = |byte: &u8| format!("{byte:02x}");
        let text = || records.chunks(HALF_RECORD).skip(1).step_by(2).flatten().map(hex).collect();
        Self { variants, comment, bytes: (header.to_bytes() != records).then(text) }
    }

    fn records(&self) -> Result<Vec<u8>, String> {
        let Self { variants, comment, bytes } = self;
        let header = Header { variants: variants.clone(), comment: comment.clone() };
        let records = match bytes {
            Some(text) => {
                unhex(text).ok_or("`bytes` of the header are not hexadecimal digits, sixteen a record")?
            }
            None => header.to_bytes(),
        };
        match Header::from_bytes(&records) {
            Some(read) if read == header => Ok(records),
            Some(_) if bytes.is_some() => {
                Err("`bytes` of the header are not those of its variants and comment: leave them out".into())
            }
            _ => {
                Err("no file can have this header: it is too long, or has a line break or a zero byte where \
                      none may be"
                    .into())
            }
        }
    }
}

/// Decodes the records' text from hexadecimal digits.
fn unhex(text: &str) -> Option<Vec<u8>> {
    let (texts, []) = text.as_bytes().as_chunks::<{ 2 * HALF_RECORD }>() else { return None };
    let record = |digits: &[u8; 2 * HALF_RECORD]| {
        let digits = str::from_utf8(digits).ok().filter(|_| digits.iter().all(u8::is_ascii_hexdigit))?;
        Some([[0; HALF_RECORD], u64::from_str_radix(digits, 16).ok()?.to_be_bytes()].concat())
    };
    texts.iter().map(record).collect::<Option<Vec<_>>>().map(|records| records.concat())
}
