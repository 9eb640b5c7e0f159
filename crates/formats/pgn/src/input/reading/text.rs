//! Looks at the beginning of a decompressed stream to find out whether it is PGN at all, what its encoding
//! is, and how its lines end.

use std::io::{self, Chain, Cursor, Read};

use super::utf16::{Utf16, Utf16Text};
use crate::input::{
    cutting::{HEAD_BYTES, LineEnds, Rule, Unit, first_start},
    packings::{Packing, known_other},
};

/// Data with more than one control character in this many bytes is taken to be binary.
const BYTES_PER_CONTROL: usize = 20;

/// A stream whose first bytes can be examined before the stream is read.
pub(crate) struct PeekReader<R>(Chain<Cursor<Vec<u8>>, R>);

impl<R: Read> PeekReader<R> {
    pub(crate) fn new(mut rest: R, bytes: usize) -> io::Result<Self> {
        let mut head = Vec::with_capacity(bytes);
        rest.by_ref().take(bytes as u64).read_to_end(&mut head)?;
        Ok(Self(Cursor::new(head).chain(rest)))
    }

    /// Reads ahead like [`new`](Self::new), but stops at an error instead of failing. If the error persists,
    /// a later read from the stream returns it.
    pub(crate) fn of_what_comes(mut rest: R, bytes: usize) -> Self {
        let mut head = Vec::with_capacity(bytes);
        rest.by_ref().take(bytes as u64).read_to_end(&mut head).ok();
        Self(Cursor::new(head).chain(rest))
    }

    pub(crate) fn head(&self) -> &[u8] {
        self.0.get_ref().0.get_ref()
    }
}

impl<R: Read> Read for PeekReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer)
    }
}

/// Text that is ready to be cut, and the rule for cutting it.
pub(crate) struct Text {
    pub(crate) reader: Box<dyn Read + Send>,
    pub(crate) rule: Rule,
    /// Whether the text is read without transcoding.
    pub(crate) as_stored: bool,
}

/// Opens decompressed bytes as text: Latin-1 and UTF-8 are left unchanged, and UTF-16 with a byte order mark
/// is transcoded to UTF-8.
///
/// # Errors
/// Fails if the bytes cannot be read. If they are not PGN, the inner error states why.
pub(crate) fn open_text(unpacked: Box<dyn Read + Send>, unit: Unit) -> io::Result<Result<Text, String>> {
    let raw = PeekReader::new(unpacked, HEAD_BYTES)?;
    let encoding = Utf16::of(raw.head());
    let text = match encoding {
        Some(utf16) => {
            PeekReader::new(Box::new(Utf16Text::new(raw, utf16)) as Box<dyn Read + Send>, HEAD_BYTES)?
        }
        None => raw,
    };
    let ends = LineEnds::of(text.head());
    Ok(match why_not_pgn(text.head(), ends) {
        Some(reason) => Err(reason),
        None => Ok(Text { reader: Box::new(text), rule: Rule { ends, unit }, as_stored: encoding.is_none() }),
    })
}

/// Returns the reason why a text that begins with `head` cannot be PGN, or `None` if it can be PGN. If a game
/// starts in `head`, the text is PGN, whatever else it contains.
fn why_not_pgn(head: &[u8], ends: LineEnds) -> Option<String> {
    if first_start(head, 0, Rule::games(ends)).is_some() {
        return None;
    }
    if let Some(other) = known_other(head) {
        return Some(format!("it is {other}"));
    }
    match Packing::of(head) {
        Packing::Plain => {}
        inner => return Some(format!("it is compressed twice, with {inner} inside: decompress it once")),
    }
    let controls =
        head.iter().filter(|byte| matches!(byte, 0..=0x08 | 0x0E..=0x19 | 0x1B..=0x1F | 0x7F)).count();
    let binary = controls > head.len() / BYTES_PER_CONTROL;
    let bytes = head.len();
    binary.then(|| format!("its first {bytes} bytes are binary and contain no tag pair"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open(bytes: &'static [u8]) -> Result<(String, LineEnds), String> {
        let mut text = open_text(Box::new(bytes), Unit::Games).unwrap()?;
        let mut all = String::new();
        text.reader.read_to_string(&mut all).unwrap();
        Ok((all, text.rule.ends))
    }

    #[test]
    fn text_is_passed_on_from_its_first_byte() {
        assert_eq!(open(b"[Event \"a\"]\r1. e4"), Ok(("[Event \"a\"]\r1. e4".into(), LineEnds::Cr)));
        assert_eq!(open(b""), Ok((String::new(), LineEnds::Lf)));
        assert_eq!(open(b"\xFF\xFE[\0A\0\r\0\n\0"), Ok(("[A\r\n".into(), LineEnds::Lf)));
    }

    #[test]
    fn what_is_no_text_is_refused_with_the_reason() {
        let book = [0x46, 0x3B, 0x96, 0x18, 0x16, 0x91, 0xFC, 0x9C, 3, 0x1C, 0, 1, 0, 0, 0, 0];
        assert_eq!(
            why_not_pgn(&book, LineEnds::Lf).unwrap(),
            "its first 16 bytes are binary and contain no tag pair"
        );
        assert_eq!(
            open(b"\x1F\x8B\x08").unwrap_err(),
            "it is compressed twice, with gz inside: decompress it once"
        );
        assert_eq!(open(b"%PDF-1.4").unwrap_err(), "it is a PDF document");
        assert!(open(b"\x01\x02\x03\x04").is_err());
    }

    #[test]
    fn a_game_start_makes_any_bytes_pgn() {
        assert!(open(b"[Event \"\0\x01\x02\x03\x04\"]").is_ok());
        assert_eq!(why_not_pgn(b"caf\xE9 1. e4", LineEnds::Lf), None);
        assert_eq!(why_not_pgn(b"\0[Event \"a\"]\n\n1. e4 e5 1-0", LineEnds::Lf), None);
    }
}
