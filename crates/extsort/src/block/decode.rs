//! A block into rows, a batch at a time.

use super::bits::unpack;
use super::{BATCH_ROWS, Damage, HEADER_BYTES, Shape};
use crate::Row;
use crate::item::low_mask;

/// A position in a block: where each column goes on.
///
/// The block's bytes are handed to every call, so that a reader can stand beside the buffer that it reads.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BlockReader {
    shape: Shape,
    payload_mask: u64,
    /// Where each column starts in the block.
    starts: [usize; super::COLUMNS],
    row: usize,
    gap: usize,
    explicit: usize,
    id_last: Option<u128>,
    high: u64,
}

impl BlockReader {
    /// A reader at the first row of a block of this shape, whose ids have `payload_bits` zero bits.
    pub(crate) fn new(shape: Shape, payload_bits: u32) -> Self {
        let mut start = HEADER_BYTES;
        let starts = shape.column_bytes().map(|bytes| {
            start += bytes;
            start - bytes
        });
        let payload_mask = low_mask(payload_bits) as u64;
        let high = shape.high_first;
        Self { shape, payload_mask, starts, row: 0, gap: 0, explicit: 0, id_last: None, high }
    }

    /// Replaces `batch` by the next rows; `false` if there are none.
    ///
    /// # Errors
    /// If the ids do not ascend or a column does not hold what the header promised.
    pub(crate) fn read<const LANES: usize>(
        &mut self,
        block: &[u8],
        batch: &mut Vec<Row<LANES>>,
    ) -> Result<bool, Damage> {
        batch.clear();
        let count = BATCH_ROWS.min(self.shape.rows - self.row);
        if count == 0 {
            let whole = self.gap == self.shape.gaps && self.explicit == self.shape.explicit_bytes;
            return if whole { Ok(false) } else { Err(Damage("a column has more than the rows use")) };
        }
        let (mut highs, mut lows, mut notes) = ([0; BATCH_ROWS], [0; BATCH_ROWS], [0; BATCH_ROWS]);
        self.read_highs(block, &mut highs[..count])?;
        self.read_planes(block, 2, self.shape.low_planes, &mut lows[..count]);
        self.read_planes(block, 10, self.shape.note_planes, &mut notes[..count]);
        let mut codes = [0; BATCH_ROWS];
        self.read_codes(block, &mut codes[..count]);
        batch.extend((0..count).map(|row| Row {
            id: u128::from(highs[row]) << 64 | u128::from(lows[row]),
            note: notes[row] as u16,
            sums: std::array::from_fn(|lane| u64::from(lane == usize::from(codes[row]))),
        }));
        self.read_explicit(block, &codes[..count], batch)?;
        self.check_ids(batch)?;
        self.row += count;
        Ok(true)
    }

    fn column<'b>(&self, block: &'b [u8], column: usize) -> &'b [u8] {
        let end = self.starts.get(column + 1).copied().unwrap_or(block.len());
        &block[self.starts[column]..end]
    }

    fn read_highs(&mut self, block: &[u8], highs: &mut [u64]) -> Result<(), Damage> {
        const SHORT: Damage = Damage("more gaps flagged than there are");
        let (flags, gaps) = (self.column(block, 0), self.column(block, 1));
        let width = self.shape.gap_bits;
        for (index, high) in highs.iter_mut().enumerate() {
            let row = self.row + index;
            if flags[row / 8] >> (row % 8) & 1 == 1 {
                let gap = unpack(gaps, width, self.gap).ok_or(SHORT)?;
                self.high = self.high.wrapping_add(gap);
                self.gap += 1;
            }
            *high = self.high;
        }
        if self.gap > self.shape.gaps { Err(SHORT) } else { Ok(()) }
    }

    fn read_planes(&self, block: &[u8], first_column: usize, mask: u8, values: &mut [u64]) {
        for plane in (0..8).filter(|plane| mask >> plane & 1 == 1) {
            let bytes = &self.column(block, first_column + plane)[self.row..][..values.len()];
            for (value, byte) in values.iter_mut().zip(bytes) {
                *value |= u64::from(*byte) << (8 * plane);
            }
        }
    }

    fn read_codes(&self, block: &[u8], codes: &mut [u8]) {
        let bits = usize::from(self.shape.code_bits);
        if bits == 0 {
            return;
        }
        // Batches start at a multiple of 128 rows, so at a byte, whatever the width.
        let bytes = &self.column(block, 12)[self.row * bits / 8..];
        let mask = (1u16 << bits).wrapping_sub(1) as u8;
        for (group, byte) in codes.chunks_mut(8 / bits).zip(bytes) {
            for (index, code) in group.iter_mut().enumerate() {
                *code = byte >> (index * bits) & mask;
            }
        }
    }

    fn read_explicit<const LANES: usize>(
        &mut self,
        block: &[u8],
        codes: &[u8],
        batch: &mut [Row<LANES>],
    ) -> Result<(), Damage> {
        if LANES == 0 {
            return Ok(());
        }
        let explicit = self.column(block, 13);
        for (code, row) in codes.iter().zip(batch).filter(|(code, _)| usize::from(**code) >= LANES) {
            if usize::from(*code) > LANES {
                return Err(Damage("a sum code names no lane"));
            }
            for sum in &mut row.sums {
                *sum = read_varint(explicit, &mut self.explicit)?;
            }
        }
        Ok(())
    }

    fn check_ids<const LANES: usize>(&mut self, batch: &[Row<LANES>]) -> Result<(), Damage> {
        let mut ascending = self.id_last.is_none_or(|last| last < batch[0].id);
        let mut payload = batch[0].id as u64 & self.payload_mask;
        for pair in batch.windows(2) {
            ascending &= pair[0].id < pair[1].id;
            payload |= pair[1].id as u64 & self.payload_mask;
        }
        self.id_last = batch.last().map(|row| row.id);
        if ascending && payload == 0 { Ok(()) } else { Err(Damage("ids out of order")) }
    }
}

/// Reads one LEB128 number at `at` and moves past it.
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
