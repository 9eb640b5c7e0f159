//! Text in UTF-16, read as UTF-8.

use std::io::{self, Read};

/// The number of bytes that are transcoded at a time.
const BLOCK_BYTES: usize = 32 << 10;

/// Byte order of UTF-16.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Utf16 {
    LittleEndian,
    BigEndian,
}

impl Utf16 {
    /// The byte order given by the byte order mark; `None` if there is no mark.
    pub(crate) fn of(head: &[u8]) -> Option<Self> {
        match head {
            [0xFF, 0xFE, ..] => Some(Self::LittleEndian),
            [0xFE, 0xFF, ..] => Some(Self::BigEndian),
            _ => None,
        }
    }

    fn unit(self, bytes: [u8; 2]) -> u16 {
        match self {
            Self::LittleEndian => u16::from_le_bytes(bytes),
            Self::BigEndian => u16::from_be_bytes(bytes),
        }
    }
}

/// Transcodes UTF-16 to UTF-8. The byte order mark is left out; an unpaired half of a surrogate pair becomes
/// U+FFFD, and so does an odd byte at the end.
///
/// # Memory
/// Holds one block of 32 KiB and its text.
pub(crate) struct Utf16Text<R> {
    inner: R,
    order: Utf16,
    block: Vec<u8>,
    /// The first half of a surrogate pair whose second half has not been read yet.
    high: Option<u16>,
    text: String,
    at: usize,
    begun: bool,
}

impl<R: Read> Utf16Text<R> {
    pub(crate) fn new(inner: R, order: Utf16) -> Self {
        let text = String::with_capacity(2 * BLOCK_BYTES);
        Self { inner, order, block: Vec::with_capacity(BLOCK_BYTES), high: None, text, at: 0, begun: false }
    }

    /// Fills `text` from the next block; leaves it empty at the end.
    fn transcode_block(&mut self) -> io::Result<()> {
        self.block.clear();
        self.inner.by_ref().take(BLOCK_BYTES as u64).read_to_end(&mut self.block)?;
        self.text.clear();
        self.at = 0;
        let (pairs, odd) = self.block.as_chunks::<2>();
        let units = pairs.iter().map(|&pair| self.order.unit(pair));
        let units: Vec<u16> = self.high.take().into_iter().chain(units).collect();
        let ended = self.block.len() < BLOCK_BYTES;
        let waits = |unit: &u16| (0xD800..0xDC00).contains(unit) && !ended;
        self.high = units.last().copied().filter(waits);
        let whole = &units[..units.len() - usize::from(self.high.is_some())];
        let decoded = char::decode_utf16(whole.iter().copied());
        self.text.extend(decoded.map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER)));
        self.text.extend((!odd.is_empty()).then_some(char::REPLACEMENT_CHARACTER));
        if !std::mem::replace(&mut self.begun, true) && self.text.starts_with('\u{feff}') {
            self.at = '\u{feff}'.len_utf8();
        }
        Ok(())
    }
}

impl<R: Read> Read for Utf16Text<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.at == self.text.len() {
            self.transcode_block()?;
        }
        let bytes = (&self.text.as_bytes()[self.at..]).read(buffer)?;
        self.at += bytes;
        Ok(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn transcoded(bytes: &[u8]) -> String {
        let mut text = String::new();
        let order = Utf16::of(bytes).unwrap();
        Utf16Text::new(bytes, order).read_to_string(&mut text).unwrap();
        text
    }

    #[test]
    fn both_byte_orders_are_read() {
        let text = "[Event \"Zürich ½ 𝄞\"]\r\n".repeat(5_000);
        let units = || std::iter::once(0xFEFF).chain(text.encode_utf16());
        assert_eq!(transcoded(&units().flat_map(u16::to_le_bytes).collect::<Vec<_>>()), text);
        assert_eq!(transcoded(&units().flat_map(u16::to_be_bytes).collect::<Vec<_>>()), text);
    }

    #[test]
    fn what_is_damaged_is_marked() {
        assert_eq!(transcoded(b"\xFF\xFEa\0\x00\xD8b\0\x00\xDCc"), "a\u{fffd}b\u{fffd}\u{fffd}");
        assert_eq!(transcoded(b"\xFF\xFE\x00\xD8"), "\u{fffd}");
        assert_eq!(transcoded(b"\xFE\xFF"), "");
    }
}
