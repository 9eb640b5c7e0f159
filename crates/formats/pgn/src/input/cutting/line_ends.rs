//! How the lines of a stream end.

use memchr::{memchr, memchr2, memrchr, memrchr2};

/// The number of bytes at the start of a stream that determine how its lines end.
pub(crate) const HEAD_BYTES: usize = 64 << 10;

/// How the lines of a stream end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[must_use]
pub enum LineEnds {
    /// Lines end at LF; a CR is a blank.
    #[default]
    Lf,
    /// Lines end at CR, LF and CRLF.
    Cr,
}

impl LineEnds {
    /// Determines how the lines of a stream end from its first 64 KiB, or from the whole stream if it is
    /// shorter.
    pub fn of(stream: &[u8]) -> Self {
        let head = &stream[..stream.len().min(HEAD_BYTES)];
        if memchr(b'\n', head).is_none() && memchr(b'\r', head).is_some() { Self::Cr } else { Self::Lf }
    }

    /// Whether a line ends with this byte.
    pub(super) fn ends(self, byte: u8) -> bool {
        byte == b'\n' || (self == Self::Cr && byte == b'\r')
    }

    /// The start of the last line of `text`.
    pub(crate) fn last_line(self, text: &[u8]) -> usize {
        let end = match self {
            Self::Lf => memrchr(b'\n', text),
            Self::Cr => memrchr2(b'\n', b'\r', text),
        };
        end.map_or(0, |end| end + 1)
    }

    /// The start of the line after the line at `line`; `None` if `text` does not contain the whole line break
    /// between the two lines. An LF after a CR belongs to the same line break.
    pub(super) fn next_line(self, text: &[u8], line: usize) -> Option<usize> {
        let rest = &text[line..];
        let end = match self {
            Self::Lf => memchr(b'\n', rest)?,
            Self::Cr => memchr2(b'\n', b'\r', rest)?,
        };
        if rest[end] == b'\n' {
            return Some(line + end + 1);
        }
        rest.get(end + 1).map(|&after| line + end + 1 + usize::from(after == b'\n'))
    }

    /// The start of the unfinished line at the end of `text`, for which [`Self::next_line`] returns `None`.
    pub(super) fn open_line(self, text: &[u8]) -> usize {
        let split = self == Self::Cr && text.ends_with(b"\r");
        self.last_line(&text[..text.len() - usize::from(split)])
    }

    /// The end of the previous line's text: the offset of the line break before the line at `line`.
    pub(super) fn end_before(self, text: &[u8], line: usize) -> usize {
        let end = line - 1;
        let split = self == Self::Cr && text[end] == b'\n' && end > 0 && text[end - 1] == b'\r';
        if split { end - 1 } else { end }
    }
}
