//! Blanks and line ends inside the text of one game.

const BOM: &[u8] = b"\xef\xbb\xbf";

/// Returns the length in bytes of the blank at `at`, or 0 if there is none: 3 for a UTF-8 byte order mark,
/// and 1 for a space, tab, line end, vertical tab, form feed or DOS's end-of-file mark `^Z`. End-of-file
/// marks and byte order marks occur where files were concatenated.
#[inline]
#[must_use]
pub fn blank_len(text: &[u8], at: usize) -> usize {
    match text.get(at) {
        Some(b'\t'..=b'\r' | b' ' | 0x1a) => 1,
        Some(0xef) if text[at..].starts_with(BOM) => BOM.len(),
        _ => 0,
    }
}

/// The byte that ends a line: LF, or CR if the game's text contains no LF (old Macintosh files).
pub(crate) fn line_end_byte(text: &[u8]) -> u8 {
    if memchr::memchr(b'\n', text).is_none() { b'\r' } else { b'\n' }
}

/// `bytes` without leading and trailing blanks.
#[must_use]
pub fn trim(bytes: &[u8]) -> &[u8] {
    let mut bytes = trim_start(bytes);
    loop {
        bytes = match bytes {
            [rest @ .., b'\t'..=b'\r' | b' ' | 0x1a] => rest,
            _ => match bytes.strip_suffix(BOM) {
                Some(rest) => rest,
                None => return bytes,
            },
        }
    }
}

/// `bytes` without leading blanks.
#[must_use]
pub fn trim_start(mut bytes: &[u8]) -> &[u8] {
    while let len @ 1.. = blank_len(bytes, 0) {
        bytes = &bytes[len..];
    }
    bytes
}
