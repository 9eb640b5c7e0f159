//! Encodes definition and repetition levels (parquet-format, Encodings.md, "Run Length Encoding / Bit-Packing
//! Hybrid").

use crate::{
    bits::{varint, width_of},
    indices::{packed_groups, packed_header},
};

/// The size in bytes of the length field that precedes the levels of a page.
const LENGTH_BYTES: usize = 4;

/// Appends levels of at most `highest`, preceded by their length in bytes. If all levels are equal, they
/// become one repeated run; otherwise, they are packed.
pub fn add_levels(levels: &[u8], highest: u8, out: &mut Vec<u8>) {
    let start = out.len();
    out.extend([0; LENGTH_BYTES]);
    let width = width_of(highest.into());
    match levels.split_first() {
        Some((first, rest)) if rest.iter().all(|level| level == first) => {
            varint((levels.len() as u64) << 1, out);
            out.push(*first);
        }
        _ => {
            packed_header(levels.len(), out);
            packed_groups(levels, u64::from, width, out);
        }
    }
    let length = (out.len() - start - LENGTH_BYTES) as u32;
    out[start..start + LENGTH_BYTES].copy_from_slice(&length.to_le_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The levels of a page, without the length field before them.
    fn levels(levels: &[u8], highest: u8) -> Vec<u8> {
        let mut out = Vec::new();
        add_levels(levels, highest, &mut out);
        let levels = out.split_off(LENGTH_BYTES);
        assert_eq!(out, (levels.len() as u32).to_le_bytes());
        levels
    }

    #[test]
    fn equal_levels_are_one_run() {
        assert_eq!(levels(&[1; 300], 1), [0b1101_1000, 0b100, 1]);
        assert_eq!(levels(&[0; 3], 1), [6, 0]);
    }

    #[test]
    fn mixed_levels_are_packed_and_padded_to_a_byte() {
        let mut nine = [1; 9];
        nine[1] = 0;
        assert_eq!(levels(&nine, 1), [0b101, 0b1111_1101, 1]);
        assert_eq!(levels(&[3, 0, 2], 3), [0b11, 0b10_00_11, 0]);
    }
}
