//! Encodes rows into a block.

use std::marker::PhantomData;

use super::bits::pack;
use super::{EXPLICIT_BYTES, Shape, code_bits};
use crate::Combine;

/// Collects rows with ascending ids and writes them as one block.
///
/// # Memory
/// Takes 27 bytes for each row of its capacity (19 for the columns and 8 for the gaps), plus the explicit
/// sums.
#[derive(Debug)]
pub(crate) struct BlockEncoder<const SUMS: usize, C> {
    rows: usize,
    /// The number of rows at which the block is full. If the explicit sums reach `EXPLICIT_BYTES` earlier,
    /// this number is lowered to the number of rows pushed until then.
    rows_max: usize,
    highs: Vec<u64>,
    lows: Vec<u64>,
    notes: Vec<u16>,
    codes: Vec<u8>,
    explicit: Vec<u8>,
    gaps: Vec<u64>,
    combine: PhantomData<C>,
}

impl<const SUMS: usize, C: Combine<SUMS>> BlockEncoder<SUMS, C> {
    /// Creates an encoder for blocks of up to `rows_max` rows.
    pub(crate) fn new(rows_max: usize) -> Self {
        Self {
            rows: 0,
            rows_max,
            highs: vec![0; rows_max],
            lows: vec![0; rows_max],
            notes: vec![0; rows_max],
            codes: vec![0; rows_max],
            explicit: Vec::new(),
            gaps: vec![0; rows_max],
            combine: PhantomData,
        }
    }

    /// The maximum number of bytes that an encoder for `rows_max` rows holds.
    pub(crate) const fn memory_bytes(rows_max: usize) -> usize {
        rows_max * 27 + 2 * EXPLICIT_BYTES
    }

    pub(crate) fn rows(&self) -> usize {
        self.rows
    }

    pub(crate) fn is_full(&self) -> bool {
        self.rows >= self.rows_max
    }

    /// Adds a row. Its id must be greater than the previous one, and the block must not be full.
    #[inline]
    pub(crate) fn push(&mut self, id: u128, note: u16, sums: &[u64; SUMS]) {
        let row = self.rows;
        self.highs[row] = (id >> 64) as u64;
        self.lows[row] = id as u64;
        self.notes[row] = note;
        if C::PLAIN {
            self.push_plain(sums);
        } else {
            let code = sum_code(sums);
            self.codes[row] = code;
            if usize::from(code) == SUMS {
                self.push_explicit(sums);
            }
        }
        self.rows = row + 1;
    }

    #[inline]
    fn push_plain(&mut self, sums: &[u64; SUMS]) {
        self.explicit.extend(sums.iter().flat_map(|sum| sum.to_le_bytes()));
        self.close_if_long();
    }

    #[cold]
    fn push_explicit(&mut self, sums: &[u64; SUMS]) {
        for sum in sums {
            let mut rest = *sum;
            while rest >= 0x80 {
                self.explicit.push(rest as u8 | 0x80);
                rest >>= 7;
            }
            self.explicit.push(rest as u8);
        }
        self.close_if_long();
    }

    /// If the explicit sums have reached `EXPLICIT_BYTES`, ends the block with the row that is being pushed.
    fn close_if_long(&mut self) {
        if self.explicit.len() >= EXPLICIT_BYTES {
            self.rows_max = self.rows + 1;
        }
    }

    /// Appends a block with the rows to `out`, and removes the rows. There must be at least one row.
    pub(crate) fn encode(&mut self, out: &mut Vec<u8>) -> Shape {
        assert!(self.rows > 0, "a block has at least one row");
        let rows = self.rows;
        let start = out.len();
        out.resize(start + super::HEADER_BYTES, 0);
        let (gaps, gap_bits) = self.encode_flags(out);
        pack(&self.gaps[..gaps], gap_bits, out);
        let low_planes = write_planes(&self.lows[..rows], out);
        let note_planes = write_planes(&self.notes[..rows], out);
        if !C::PLAIN {
            write_codes::<SUMS>(&self.codes[..rows], out);
        }
        out.extend_from_slice(&self.explicit);
        let shape = Shape {
            rows,
            gaps,
            gap_bits,
            low_planes,
            note_planes,
            code_bits: if C::PLAIN { 0 } else { code_bits(SUMS) },
            explicit_bytes: self.explicit.len(),
            high_first: self.highs[0],
        };
        out[start..start + super::HEADER_BYTES].copy_from_slice(&shape.to_bytes());
        self.explicit.clear();
        (self.rows, self.rows_max) = (0, self.highs.len());
        shape
    }

    /// Writes the flags that mark rows with a gap, and collects the gaps. Returns the number of gaps and
    /// their width in bits.
    fn encode_flags(&mut self, out: &mut Vec<u8>) -> (usize, u8) {
        let (mut gaps, mut any, mut last) = (0, 0, self.highs[0]);
        let highs = &self.highs[..self.rows];
        for group in highs.chunks(8) {
            let mut flags = 0u8;
            for (bit, high) in group.iter().enumerate() {
                // A gap of zero is written as well, then overwritten by the next gap; this is cheaper than a
                // branch.
                let gap = high.wrapping_sub(last);
                last = *high;
                any |= gap;
                self.gaps[gaps] = gap;
                gaps += usize::from(gap != 0);
                flags |= u8::from(gap != 0) << bit;
            }
            out.push(flags);
        }
        (gaps, (64 - any.leading_zeros()) as u8)
    }
}

/// If one sum is 1 and all others are 0, returns the index of that sum; otherwise, returns the number of
/// sums.
#[inline]
fn sum_code<const SUMS: usize>(sums: &[u64; SUMS]) -> u8 {
    // The processor cannot predict which sum is 1, so all of them are read without a branch.
    let (mut ones, mut index_of_one, mut above) = (0, 0, 0);
    for (index, sum) in sums.iter().enumerate() {
        ones += sum & 1;
        index_of_one |= (sum & 1) * index as u64;
        above |= sum >> 1;
    }
    if ones == 1 && above == 0 { index_of_one as u8 } else { SUMS as u8 }
}

/// Appends those byte planes of `values` that contain a nonzero byte. Returns the mask of the planes
/// appended.
fn write_planes<T: Copy + Into<u64>>(values: &[T], out: &mut Vec<u8>) -> u8 {
    let any = values.iter().fold(0, |any, value| any | (*value).into());
    let mut mask = 0;
    for plane in (0..8).filter(|plane| (any >> (8 * plane)) as u8 != 0) {
        out.extend(values.iter().map(|value| ((*value).into() >> (8 * plane)) as u8));
        mask |= 1 << plane;
    }
    mask
}

/// Appends the codes, packing as many as possible into each byte.
fn write_codes<const SUMS: usize>(codes: &[u8], out: &mut Vec<u8>) {
    let bits = usize::from(code_bits(SUMS));
    if bits == 0 {
        return;
    }
    for group in codes.chunks(8 / bits) {
        out.push(group.iter().rev().fold(0, |byte, code| (u32::from(byte) << bits) as u8 | code));
    }
}
