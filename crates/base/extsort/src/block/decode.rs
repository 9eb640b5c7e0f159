//! Decodes a block into rows, a batch at a time.

use std::cmp::Ordering;

use super::bits::unpack;
use super::{Damage, HEADER_BYTES, Shape, code_bits};
use crate::Row;
use crate::item::low_mask;

/// The number of rows that are decoded together, column by column.
const BATCH_ROWS: usize = 64;

/// Reads the rows of a block, and keeps track of how far each column has been read.
///
/// The block's bytes are passed to every call, so that one struct can own both the buffer and its reader.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BlockReader {
    shape: Shape,
    payload_mask: u64,
    /// Where each column starts in the block.
    starts: [usize; super::COLUMNS],
    row: usize,
    gap: usize,
    explicit: usize,
    id_last: u128,
    high: u64,
}

impl BlockReader {
    /// Creates a reader that starts at the first row of a block of this shape. The ids end with
    /// `payload_bits` zero bits.
    pub(crate) fn new(shape: Shape, payload_bits: u32) -> Self {
        let mut start = HEADER_BYTES;
        let starts = shape.column_bytes().map(|bytes| {
            start += bytes;
            start - bytes
        });
        let payload_mask = low_mask(payload_bits) as u64;
        let high = shape.high_first;
        Self { shape, payload_mask, starts, row: 0, gap: 0, explicit: 0, id_last: 0, high }
    }

    /// Fills the front of `rows`, which must not be empty, with the next rows. Returns the number of rows
    /// filled in, 0 at the end.
    ///
    /// # Errors
    /// Fails if the ids are not in ascending order, or if a column does not match the header.
    pub(crate) fn read<const SUMS: usize>(
        &mut self,
        block: &[u8],
        rows: &mut [Row<SUMS>],
    ) -> Result<usize, Damage> {
        let count = rows.len().min(self.shape.rows - self.row);
        if count == 0 {
            let whole = self.gap == self.shape.gaps && self.explicit == self.shape.explicit_bytes;
            return if whole { Ok(0) } else { Err(Damage("a column has more than the rows use")) };
        }
        for rows in rows[..count].chunks_mut(BATCH_ROWS) {
            self.read_ids(block, rows)?;
            self.read_notes(block, rows);
            self.read_sums(block, rows)?;
            self.row += rows.len();
        }
        Ok(count)
    }

    fn column<'b>(&self, block: &'b [u8], column: usize) -> &'b [u8] {
        let end = self.starts.get(column + 1).copied().unwrap_or(block.len());
        &block[self.starts[column]..end]
    }

    fn read_ids<const SUMS: usize>(&mut self, block: &[u8], rows: &mut [Row<SUMS>]) -> Result<(), Damage> {
        let mut lows = [0; BATCH_ROWS];
        self.read_planes(block, 2, self.shape.low_planes, &mut lows[..rows.len()]);
        let (flags, gaps) = (self.column(block, 0), self.column(block, 1));
        let width = self.shape.gap_bits;
        let (mut high, mut next) = (self.high, self.gap);
        // The first row of a block may have id 0.
        let (mut ascending, mut payload, mut last) = (true, 0, self.id_last);
        for ((number, row), low) in (self.row..).zip(rows).zip(lows) {
            // The processor cannot predict whether a row has the same high half as the previous row, so there
            // is no branch here.
            let flag = u64::from(flags[number / 8] >> (number % 8) & 1);
            let gap = unpack(gaps, width, next).unwrap_or(0);
            high = high.wrapping_add(gap & flag.wrapping_neg());
            next += flag as usize;
            row.id = u128::from(high) << 64 | u128::from(low);
            ascending &= row.id > last || number == 0;
            payload |= low & self.payload_mask;
            last = row.id;
        }
        (self.high, self.gap, self.id_last) = (high, next, last);
        if next > self.shape.gaps {
            return Err(Damage("more gaps flagged than there are"));
        }
        if ascending && payload == 0 { Ok(()) } else { Err(Damage("ids out of order")) }
    }

    fn read_notes<const SUMS: usize>(&self, block: &[u8], rows: &mut [Row<SUMS>]) {
        let mut notes = [0u16; BATCH_ROWS];
        self.read_planes(block, 10, self.shape.note_planes, &mut notes[..rows.len()]);
        for (row, note) in rows.iter_mut().zip(notes) {
            row.note = note;
        }
    }

    /// Joins the byte planes of the next rows into numbers, one for each element of `values`. All elements
    /// must be 0 beforehand.
    fn read_planes<T: Plane>(&self, block: &[u8], first_column: usize, mask: u8, values: &mut [T]) {
        for plane in (0..size_of::<T>()).filter(|plane| mask >> plane & 1 == 1) {
            let bytes = &self.column(block, first_column + plane)[self.row..][..values.len()];
            for (value, byte) in values.iter_mut().zip(bytes) {
                *value |= T::from(*byte) << (8 * plane as u32);
            }
        }
    }

    fn read_sums<const SUMS: usize>(&mut self, block: &[u8], rows: &mut [Row<SUMS>]) -> Result<(), Damage> {
        if SUMS == 0 {
            return Ok(());
        }
        if self.shape.is_plain() {
            self.read_plain(block, rows);
            return Ok(());
        }
        let (codes, explicit) = (self.column(block, 12), self.column(block, 13));
        let bits = usize::from(code_bits(SUMS));
        let mask = (1u16 << bits).wrapping_sub(1) as u8;
        for (number, row) in (self.row..).zip(rows) {
            let code = usize::from(codes[number * bits / 8] >> (number * bits % 8) & mask);
            match code.cmp(&SUMS) {
                Ordering::Less => {
                    row.sums = [0; SUMS];
                    row.sums[code] = 1;
                }
                Ordering::Equal => {
                    for sum in &mut row.sums {
                        *sum = read_varint(explicit, &mut self.explicit)?;
                    }
                }
                Ordering::Greater => return Err(Damage("a sum code names no sum")),
            }
        }
        Ok(())
    }

    /// The shape was checked, so the column has eight bytes for every sum of every row.
    fn read_plain<const SUMS: usize>(&mut self, block: &[u8], rows: &mut [Row<SUMS>]) {
        let sums = self.column(block, 13)[self.explicit..].chunks_exact(8);
        for (sum, bytes) in rows.iter_mut().flat_map(|row| &mut row.sums).zip(sums) {
            *sum = bytes.iter().rev().fold(0, |sum, byte| sum << 8 | u64::from(*byte));
        }
        self.explicit += 8 * SUMS * rows.len();
    }
}

/// A number that is stored in byte planes.
trait Plane: Copy + From<u8> + std::ops::Shl<u32, Output = Self> + std::ops::BitOrAssign {}

impl Plane for u16 {}
impl Plane for u64 {}

/// Reads one LEB128 number at `at` and moves `at` past it.
fn read_varint(bytes: &[u8], at: &mut usize) -> Result<u64, Damage> {
    let mut value = 0u64;
    for shift in (0..64).step_by(7) {
        let byte = *bytes.get(*at).ok_or(Damage("explicit sums cut short"))?;
        *at += 1;
        let part = u64::from(byte & 0x7f);
        if part << shift >> shift != part {
            break;
        }
        value |= part << shift;
        if byte < 0x80 {
            return Ok(value);
        }
    }
    Err(Damage("an explicit sum does not fit 64 bits"))
}
