//! Encodes the definition levels of a nullable column, which are 1 for a value and 0 for null
//! (parquet-format, Encodings.md, "Run Length Encoding / Bit-Packing Hybrid").

use super::bits::varint;

/// The code of a row without a value.
pub(super) const NULL: u16 = 0;

/// The number of levels in a byte.
const BYTE_LEVELS: usize = 8;

/// The size in bytes of the length field that precedes the levels of a page.
const LENGTH_BYTES: usize = 4;

/// Appends the levels of a page's codes, preceded by their length. If all levels are equal, they become one
/// repeated run; otherwise, each level takes one bit.
pub(super) fn add_levels(codes: &[u16], out: &mut Vec<u8>) {
    let start = out.len();
    out.extend([0; LENGTH_BYTES]);
    let values = codes.iter().filter(|&&code| code != NULL).count();
    if values == 0 || values == codes.len() {
        varint((codes.len() as u64) << 1, out);
        out.push((values > 0).into());
    } else {
        varint((codes.len().div_ceil(BYTE_LEVELS) as u64) << 1 | 1, out);
        let byte =
            |codes: &[u16]| codes.iter().rev().fold(0, |byte, &code| byte << 1 | u8::from(code != NULL));
        out.extend(codes.chunks(BYTE_LEVELS).map(byte));
    }
    let length = (out.len() - start - LENGTH_BYTES) as u32;
    out[start..start + LENGTH_BYTES].copy_from_slice(&length.to_le_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The levels of a page, without the length field before them.
    fn levels(codes: &[u16]) -> Vec<u8> {
        let mut out = Vec::new();
        add_levels(codes, &mut out);
        let levels = out.split_off(LENGTH_BYTES);
        assert_eq!(out, (levels.len() as u32).to_le_bytes());
        levels
    }

    #[test]
    fn equal_levels_are_one_run() {
        assert_eq!(levels(&[7; 300]), [0b1101_1000, 0b100, 1]);
        assert_eq!(levels(&[NULL; 3]), [6, 0]);
    }

    #[test]
    fn mixed_levels_are_bits_padded_to_a_byte() {
        let mut nine = [7; 9];
        nine[1] = NULL;
        assert_eq!(levels(&nine), [0b101, 0b1111_1101, 1]);
    }
}
