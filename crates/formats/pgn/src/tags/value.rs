//! One tag value: the bytes between the quotes, and the text that they stand for.

use std::{borrow::Cow, fmt};

use super::whitespace::trim;

/// The value of one tag exactly as written, including escapes.
#[derive(Clone, Copy, Eq, PartialEq)]
pub struct TagValue<'t> {
    /// The bytes between the quotes, escapes and outer blanks included.
    pub(crate) raw: &'t [u8],
    escaped: bool,
}

impl<'t> TagValue<'t> {
    /// Creates a value from the bytes between the quotes; `escaped` must be true if they may contain a
    /// backslash.
    #[must_use]
    pub fn new(raw: &'t [u8], escaped: bool) -> Self {
        Self { raw, escaped }
    }

    /// The bytes between the quotes, without outer blanks but with escapes. The escapes do not matter to
    /// callers that compare the value with plain ASCII, such as results, ratings and dates.
    #[must_use]
    pub fn bytes(self) -> &'t [u8] {
        trim(self.raw)
    }

    /// The value as text. `\"` and `\\` are unescaped; any other backslash is kept. The bytes are decoded as
    /// UTF-8 if they are valid UTF-8, otherwise as Windows-1252. The text is borrowed if nothing needs to
    /// change.
    #[must_use]
    pub fn text(self) -> Cow<'t, str> {
        if !self.escaped {
            return decode(self.raw);
        }
        Cow::Owned(decode(&unescape(self.raw)).into_owned())
    }
}

impl fmt::Debug for TagValue<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.text())
    }
}

fn unescape(raw: &[u8]) -> Vec<u8> {
    let mut bytes = raw.iter().copied().peekable();
    let mut plain = Vec::with_capacity(raw.len());
    while let Some(byte) = bytes.next() {
        let escaped = if byte == b'\\' { bytes.next_if(|next| matches!(next, b'"' | b'\\')) } else { None };
        plain.push(escaped.unwrap_or(byte));
    }
    plain
}

/// The text of these bytes, decoded as UTF-8 if they are valid UTF-8, otherwise as Windows-1252.
#[must_use]
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(bytes.iter().map(|&byte| windows_1252(byte)).collect()),
    }
}

/// Decodes a byte of Windows-1252 as the WHATWG encoding standard does: the five bytes that have no character
/// assigned become the code points with the same numbers.
pub(crate) fn windows_1252(byte: u8) -> char {
    const HIGH: [char; 32] = [
        '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž',
        '\u{8f}', //
        '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
    ];
    match byte {
        0x80..=0x9f => HIGH[usize::from(byte - 0x80)],
        _ => char::from(byte),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_unescapes_and_decodes() {
        for (raw, text) in [
            (&br"plain"[..], "plain"),
            (br#"a \"b\" \\ \x"#, r#"a "b" \ \x"#),
            (b"K\xf6nig \x80", "König €"),
            ("König".as_bytes(), "König"),
            (b"\x81", "\u{81}"),
            (br"end\", r"end\"),
        ] {
            let escaped = raw.contains(&b'\\');
            assert_eq!(TagValue::new(raw, escaped).text(), text);
        }
    }

    #[test]
    fn bytes_are_trimmed() {
        assert_eq!(TagValue::new(b" 1-0\t", false).bytes(), b"1-0");
        assert_eq!(TagValue::new(b"\x0b\xef\xbb\xbf 1 - 0 \x1a\xef\xbb\xbf", false).bytes(), b"1 - 0");
        assert_eq!(TagValue::new(b" \x1a", false).bytes(), b"");
    }
}
