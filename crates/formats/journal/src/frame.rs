//! The lines of a journal that are not part of a record's text: the first line, and the line before each
//! record's text.

use xxhash_rust::xxh3::xxh3_64;

use crate::Error;

/// The beginning of each line of a journal.
pub(crate) const MARK: &str = "% tabia-journal ";
/// The version of the format.
const VERSION: &str = "1 ";
/// The maximum number of bytes in the name of a source.
pub const SOURCE_BYTES_MAX: usize = 128;
/// The maximum number of bytes in the text of a record. A reader holds one such text in memory.
pub const TEXT_BYTES_MAX: usize = 16 << 20;
/// The maximum number of bytes in a line. Except for the name, all fields of a line together take up fewer
/// than 128 bytes.
pub(crate) const LINE_BYTES_MAX: usize = SOURCE_BYTES_MAX + 128;

/// The contents of the first line.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Header {
    /// The greatest number that was assigned before the file was written.
    pub(crate) given: u64,
}

impl Header {
    pub(crate) fn to_line(self) -> String {
        sealed(&format!("{MARK}{VERSION}given={}", self.given))
    }

    /// Parses the header from a line without its line feed.
    pub(crate) fn read(line: &[u8]) -> Option<Self> {
        let given = unsealed(line)?.strip_prefix("given=")?.parse().ok()?;
        Some(Self { given })
    }

    /// Returns the format version in the first line of a file, if it differs from this program's.
    pub(crate) fn other_version(line: &[u8]) -> Option<String> {
        let rest = std::str::from_utf8(line).ok()?.strip_prefix(MARK)?;
        let version = rest.split(' ').next()?;
        (version != VERSION.trim_end() && version.parse::<u32>().is_ok()).then(|| version.to_owned())
    }
}

/// The contents of the line before a record's text.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Frame {
    pub(crate) number: u64,
    /// The number of bytes of the text, at most [`TEXT_BYTES_MAX`].
    pub(crate) bytes: usize,
    /// The XXH3-64 of the text.
    pub(crate) checksum: u64,
    pub(crate) source: String,
}

impl Frame {
    fn to_line(&self) -> String {
        let Self { number, bytes, checksum, source } = self;
        sealed(&format!("{MARK}{VERSION}number={number} bytes={bytes} xxh3={checksum:016x} source={source}"))
    }

    /// Parses the frame from a line without its line feed.
    pub(crate) fn read(line: &[u8]) -> Option<Self> {
        let (number, rest) = unsealed(line)?.strip_prefix("number=")?.split_once(" bytes=")?;
        let (bytes, rest) = rest.split_once(" xxh3=")?;
        let (checksum, source) = rest.split_once(" source=")?;
        let frame = Self {
            number: number.parse().ok()?,
            bytes: bytes.parse().ok()?,
            checksum: u64::from_str_radix(checksum, 16).ok()?,
            source: source.to_owned(),
        };
        (frame.bytes <= TEXT_BYTES_MAX).then_some(frame)
    }

    /// Whether `text` matches the record's checksum.
    pub(crate) fn is_of(&self, text: &[u8]) -> bool {
        xxh3_64(text) == self.checksum
    }
}

/// Returns the bytes that are written to the file for a record.
pub(crate) fn record(number: u64, source: &str, text: &[u8]) -> Vec<u8> {
    let frame = Frame { number, bytes: text.len(), checksum: xxh3_64(text), source: source.to_owned() };
    let mut record = frame.to_line().into_bytes();
    record.extend_from_slice(text);
    record.push(b'\n');
    record
}

/// Rejects a source or a text that a journal cannot contain.
pub(crate) fn check(source: &str, text: &[u8]) -> Result<(), Error> {
    if source.is_empty() || source.len() > SOURCE_BYTES_MAX || source.contains(char::is_control) {
        return Err(Error::Source(source.to_owned()));
    }
    if text.len() > TEXT_BYTES_MAX {
        return Err(Error::TooLarge(text.len()));
    }
    // After a damaged record the reader looks for the mark of the next record, so no line of a text may begin
    // with this mark.
    if text.split(|&byte| byte == b'\n').any(|line| line.starts_with(MARK.trim_end().as_bytes())) {
        return Err(Error::Framed);
    }
    Ok(())
}

/// Returns a line with its own checksum and a line feed appended.
fn sealed(line: &str) -> String {
    let checksum = xxh3_64(line.as_bytes());
    format!("{line} line={checksum:016x}\n")
}

/// Returns the part of a line between its version and its checksum, or `None` if the checksum is wrong.
fn unsealed(line: &[u8]) -> Option<&str> {
    let (said, checksum) = std::str::from_utf8(line).ok()?.rsplit_once(" line=")?;
    let checksum = u64::from_str_radix(checksum, 16).ok()?;
    (xxh3_64(said.as_bytes()) == checksum).then_some(said)?.strip_prefix(MARK)?.strip_prefix(VERSION)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_say_what_they_said() {
        let header = Header { given: 17 };
        assert_eq!(Header::read(header.to_line().trim_end().as_bytes()), Some(header));
        let frame = Frame { number: 3, bytes: 4, checksum: 5, source: "a bytes=7 source=b line=c".into() };
        let line = frame.to_line();
        assert!(line.len() < LINE_BYTES_MAX);
        assert_eq!(Frame::read(line.trim_end().as_bytes()), Some(frame));
    }

    #[test]
    fn a_flipped_bit_of_a_line_is_found() {
        let line = Frame { number: 3, bytes: 4, checksum: 5, source: "x".into() }.to_line();
        let line = line.trim_end().as_bytes();
        for at in 0..line.len() * 8 {
            let mut flipped = line.to_vec();
            flipped[at / 8] ^= 1 << (at % 8);
            // A hex digit in upper case has the same value, so a change of case is not damage.
            let is_case = flipped.eq_ignore_ascii_case(line) && at / 8 >= line.len() - 16;
            assert!(is_case || Frame::read(&flipped).is_none(), "bit {at}");
        }
    }

    #[test]
    fn the_longest_line_is_within_its_bound() {
        let source = "s".repeat(SOURCE_BYTES_MAX);
        let frame = Frame { number: u64::MAX, bytes: TEXT_BYTES_MAX, checksum: u64::MAX, source };
        assert!(frame.to_line().len() <= LINE_BYTES_MAX, "{}", frame.to_line().len());
    }

    #[test]
    fn what_a_journal_cannot_hold_is_refused() {
        for source in ["", "a\nb", "\u{7f}", &"x".repeat(SOURCE_BYTES_MAX + 1)] {
            assert!(matches!(check(source, b"1-0"), Err(Error::Source { .. })), "{source:?}");
        }
        assert!(matches!(check("x", &vec![0; TEXT_BYTES_MAX + 1]), Err(Error::TooLarge { .. })));
        assert!(matches!(check("x", b"1. e4\n% tabia-journal 1 number=9\n"), Err(Error::Framed)));
        assert!(check("Zoë's engine 1.0", b"% a note\n1. e4 1-0\n").is_ok());
    }
}
