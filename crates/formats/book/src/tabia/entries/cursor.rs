//! A cursor over bytes that may be damaged.

use crate::error::DecodeFault;

const ENDED: DecodeFault = DecodeFault("the entry runs past the end of its bucket");

/// A slice and a position in it.
#[derive(Clone, Debug)]
pub(crate) struct Cursor<'a> {
    bytes: &'a [u8],
    /// The position, in bytes from the start of the slice.
    pub(crate) at: usize,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(bytes: &'a [u8], at: usize) -> Self {
        Self { bytes, at }
    }

    /// Returns the next byte without moving the cursor.
    #[inline]
    pub(crate) fn peek(&self) -> Result<u8, DecodeFault> {
        self.bytes.get(self.at).copied().ok_or(ENDED)
    }

    #[inline]
    pub(crate) fn byte(&mut self) -> Result<u8, DecodeFault> {
        let byte = self.peek()?;
        self.at += 1;
        Ok(byte)
    }

    /// A little-endian 16-bit number.
    #[inline]
    pub(crate) fn u16(&mut self) -> Result<u16, DecodeFault> {
        let &bytes = self.bytes.get(self.at..).and_then(<[u8]>::first_chunk).ok_or(ENDED)?;
        self.at += 2;
        Ok(u16::from_le_bytes(bytes))
    }

    /// Moves the cursor without a check; the next read notices the end of the slice.
    #[inline]
    pub(crate) fn skip(&mut self, bytes: usize) {
        self.at += bytes;
    }

    /// Reads a LEB128 number, which has seven bits per byte, least significant first, and the top bit set in
    /// every byte but the last.
    pub(crate) fn varint(&mut self) -> Result<u64, DecodeFault> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7f);
            if shift == 63 && bits > 1 {
                break;
            }
            value |= bits << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err(DecodeFault("a varint of more than 64 bits"))
    }
}

/// Appends a number as LEB128: 1–10 bytes.
pub(crate) fn write_varint(mut value: u64, out: &mut Vec<u8>) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn prop_varints_round_trip(value: u64, shift in 0u32..64) {
            let value = value >> shift;
            let mut bytes = Vec::new();
            write_varint(value, &mut bytes);
            let mut cursor = Cursor::new(&bytes, 0);
            prop_assert_eq!(cursor.varint(), Ok(value));
            prop_assert_eq!(cursor.at, bytes.len());
        }
    }

    #[test]
    fn varints_past_64_bits_are_refused() {
        assert!(Cursor::new(&[0xff; 11], 0).varint().is_err());
        let mut longest = [0xff; 10];
        longest[9] = 1;
        assert_eq!(Cursor::new(&longest, 0).varint(), Ok(u64::MAX));
        longest[9] = 2;
        assert!(Cursor::new(&longest, 0).varint().is_err());
        assert!(Cursor::new(&[0x80], 0).varint().is_err());
    }
}
