//! The header of a block, and the column lengths that follow from it.

use super::bits::packed_bytes;
use super::{Damage, EXPLICIT_BYTES, ROWS_MAX, code_bits};

/// The size of a block's header in bytes.
pub(crate) const HEADER_BYTES: usize = 20;

/// The columns a block may have: flags, gaps, eight low planes, two note planes, codes, explicit sums.
pub(crate) const COLUMNS: usize = 14;

/// The contents of a header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    pub(crate) rows: usize,
    pub(crate) gaps: usize,
    pub(crate) gap_bits: u8,
    pub(crate) low_planes: u8,
    pub(crate) note_planes: u8,
    pub(crate) code_bits: u8,
    pub(crate) explicit_bytes: usize,
    pub(crate) high_first: u64,
}

impl Shape {
    /// The header as bytes.
    pub(crate) fn to_bytes(self) -> [u8; HEADER_BYTES] {
        let mut header = [0; HEADER_BYTES];
        header[..2].copy_from_slice(&(self.rows as u16).to_le_bytes());
        header[2..4].copy_from_slice(&(self.gaps as u16).to_le_bytes());
        header[4..8].copy_from_slice(&[self.gap_bits, self.low_planes, self.note_planes, self.code_bits]);
        header[8..12].copy_from_slice(&(self.explicit_bytes as u32).to_le_bytes());
        header[12..].copy_from_slice(&self.high_first.to_le_bytes());
        header
    }

    /// Reads the header at the front of `bytes`.
    ///
    /// # Errors
    /// Fails if a field is out of range.
    pub(crate) fn parse(bytes: &[u8], sums: usize) -> Result<Self, Damage> {
        let header: &[u8; HEADER_BYTES] = bytes.first_chunk().ok_or(Damage("block header cut short"))?;
        let (fields, high_first) = header.split_at(12);
        let shape = Self {
            rows: usize::from(u16::from_le_bytes([fields[0], fields[1]])),
            gaps: usize::from(u16::from_le_bytes([fields[2], fields[3]])),
            gap_bits: fields[4],
            low_planes: fields[5],
            note_planes: fields[6],
            code_bits: fields[7],
            explicit_bytes: u32::from_le_bytes([fields[8], fields[9], fields[10], fields[11]]) as usize,
            high_first: high_first.iter().rev().fold(0, |high, byte| high << 8 | u64::from(*byte)),
        };
        shape.check(sums)
    }

    fn check(self, sums: usize) -> Result<Self, Damage> {
        let sound = (1..=ROWS_MAX).contains(&self.rows)
            && self.gaps < self.rows
            && self.gap_bits <= 64
            && self.note_planes <= 3
            && (self.code_bits == code_bits(sums) || self.is_plain())
            && (!self.is_plain() || self.explicit_bytes == 8 * sums * self.rows)
            && self.explicit_bytes <= EXPLICIT_BYTES + 10 * sums;
        if sound { Ok(self) } else { Err(Damage("impossible block header")) }
    }

    /// Whether the explicit column holds the sums of every row, with 8 bytes for each sum.
    pub(crate) fn is_plain(&self) -> bool {
        self.code_bits == 0
    }

    /// The size of each column in bytes; 0 for a missing column.
    pub(crate) fn column_bytes(&self) -> [usize; COLUMNS] {
        let plane = |mask: u8, plane: usize| if mask >> plane & 1 == 1 { self.rows } else { 0 };
        std::array::from_fn(|column| match column {
            0 => self.rows.div_ceil(8),
            1 => packed_bytes(self.gaps, self.gap_bits),
            2..=9 => plane(self.low_planes, column - 2),
            10..=11 => plane(self.note_planes, column - 10),
            12 => (self.rows * usize::from(self.code_bits)).div_ceil(8),
            _ => self.explicit_bytes,
        })
    }

    /// The size of the whole block in bytes.
    pub(crate) fn block_bytes(&self) -> usize {
        HEADER_BYTES + self.column_bytes().iter().sum::<usize>()
    }
}
