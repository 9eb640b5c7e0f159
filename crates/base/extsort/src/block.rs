//! A block: up to a few thousand rows, stored as columns of bytes.
//!
//! The high 64 bits of ids are assumed to be evenly distributed, as in a hash. The gaps between successive
//! high halves are packed: each takes as many bits as the widest gap in the block. All other columns are
//! mostly zeros. Byte planes that are zero in the whole block are left out. If one of a row's sums is 1 and
//! the others are 0, a code of a few bits stands for all of them.
//!
//! # Format
//!
//! All numbers are little-endian. A header of 20 bytes is followed by the columns, in the order listed below.
//!
//! | offset | bytes | meaning |
//! |-------:|------:|---------|
//! | 0 | 2 | rows, 1 to 4096 |
//! | 2 | 2 | gaps: rows whose high half differs from the row before |
//! | 4 | 1 | bits of a packed gap, 0 to 64 |
//! | 5 | 1 | which byte planes of the low half are present, bit *p* for bits 8*p* to 8*p*+7 |
//! | 6 | 1 | which of the two byte planes of the note are present |
//! | 7 | 1 | bits of a sum code: 0, 1, 2, 4 or 8 for 0, 1, 2–3, 4–15 or more sums; 0 also if the sums are plain |
//! | 8 | 4 | bytes of explicit sums |
//! | 12 | 8 | high half of the first id |
//!
//! | column | bytes | meaning |
//! |--------|------:|---------|
//! | flags | rows / 8 | bit *i* set: row *i* has a gap (never row 0) |
//! | gaps | 8 × words | packed from the lowest bit of 64-bit words, one zero word after the last; none if no gaps |
//! | low planes | rows each | lowest plane first |
//! | note planes | rows each | lowest plane first |
//! | codes | rows × code bits / 8 | index of the sum that is 1 while all others are 0; the number of sums: explicit |
//! | explicit | given | for each explicit row all sums as LEB128; if the sums are plain, of every row, 8 bytes each |
//!
//! # Stability
//!
//! This layout is part of the run format and is versioned with it ([`run_file`](crate::run_file)).

mod bits;
mod decode;
mod encode;
mod shape;

pub(crate) use decode::BlockReader;
pub(crate) use encode::BlockEncoder;
pub(crate) use shape::{COLUMNS, HEADER_BYTES, Shape};

/// The maximum number of rows in a block.
pub(crate) const ROWS_MAX: usize = 4096;

/// A block is closed once its explicit sums reach this many bytes.
pub(crate) const EXPLICIT_BYTES: usize = 16 << 10;

/// A fault that a reader found in a block. Only the caller knows where the block is, so it adds the location.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Damage(pub(crate) &'static str);

/// The maximum size, in bytes, of a block of `rows` rows.
pub(crate) const fn block_bytes_max(rows: usize, sums: usize) -> usize {
    // The terms are the sizes of the header, the flags, the gaps, eleven columns with at most one byte per
    // row (eight low planes, two note planes and the codes), and the explicit sums. A block is closed only
    // after its explicit sums have reached `EXPLICIT_BYTES`. The sums of its last row, with up to ten bytes
    // each, may therefore exceed this limit.
    HEADER_BYTES + rows.div_ceil(8) + 8 * (rows + 1) + (8 + 2 + 1) * rows + EXPLICIT_BYTES + 10 * sums
}

/// The number of bits in a sum code, which needs one value for each sum and one more that means "explicit".
pub(crate) const fn code_bits(sums: usize) -> u8 {
    match sums {
        0 => 0,
        1 => 1,
        2..=3 => 2,
        4..=15 => 4,
        _ => 8,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Combine, Least, Row, Sum};
    use proptest::prelude::*;

    fn encode<const L: usize, C: Combine<L>>(rows: &[Row<L>]) -> Vec<u8> {
        let mut encoder = BlockEncoder::<L, C>::new(ROWS_MAX);
        for row in rows {
            encoder.push(row.id, row.note, &row.sums);
        }
        let mut bytes = Vec::new();
        encoder.encode(&mut bytes);
        bytes
    }

    fn decode<const L: usize>(bytes: &[u8]) -> Result<Vec<Row<L>>, Damage> {
        let shape = Shape::parse(bytes, L)?;
        if shape.block_bytes() != bytes.len() {
            return Err(Damage("the columns do not fill the block"));
        }
        let mut reader = BlockReader::new(shape, 16);
        let (mut rows, mut batch) = (Vec::new(), [Row::EMPTY; 100]);
        loop {
            match reader.read(bytes, &mut batch)? {
                0 => return Ok(rows),
                count => rows.extend_from_slice(&batch[..count]),
            }
        }
    }

    fn rows() -> impl Strategy<Value = Vec<Row<3>>> {
        let sum = prop_oneof![3 => 0u64..2, 1 => any::<u64>()];
        let high = prop_oneof![Just(7u64), any::<u64>()];
        let low = any::<u64>().prop_map(|low| low & !0xffff);
        let row = (high, low, any::<u16>(), [sum.clone(), sum.clone(), sum]);
        proptest::collection::btree_map(any::<u8>(), row, 1..200).prop_map(|map| {
            let mut rows: Vec<Row<3>> = map
                .into_values()
                .map(|(high, low, note, sums)| Row {
                    id: u128::from(high) << 64 | u128::from(low),
                    note,
                    sums,
                })
                .collect();
            rows.sort_by_key(|row| row.id);
            rows.dedup_by_key(|row| row.id);
            rows
        })
    }

    proptest! {
        #[test]
        fn prop_round_trip(rows in rows()) {
            let bytes = encode::<3, Sum>(&rows);
            prop_assert!(bytes.len() <= block_bytes_max(rows.len(), 3));
            prop_assert_eq!(&decode::<3>(&bytes).unwrap(), &rows);
            let plain = encode::<3, Least>(&rows);
            prop_assert!(plain.len() <= block_bytes_max(rows.len(), 3));
            prop_assert_eq!(decode::<3>(&plain).unwrap(), rows);
        }

        #[test]
        fn prop_damage_never_panics(
            rows in rows(), plain: bool, at in any::<prop::sample::Index>(), bit in 0..8u8,
        ) {
            let mut bytes = if plain { encode::<3, Least>(&rows) } else { encode::<3, Sum>(&rows) };
            let at = at.index(bytes.len());
            bytes[at] ^= 1u8 << bit;
            let _ = decode::<3>(&bytes).map(|rows| assert!(rows.is_sorted_by(|a, b| a.id < b.id)));
            let _ = decode::<3>(&bytes[..at]).map(|_| panic!("a truncated block was read"));
        }
    }

    #[test]
    fn one_row_without_sums_is_small() {
        let row = Row { id: 5 << 64, note: 0, sums: [] };
        let bytes = encode::<0, Sum>(&[row]);
        assert_eq!(bytes.len(), HEADER_BYTES + 1);
        assert_eq!(decode::<0>(&bytes).unwrap(), [row]);
    }

    #[test]
    fn many_sums_round_trip() {
        let rows: Vec<Row<20>> = (0..300u64)
            .map(|i| Row {
                id: u128::from(i / 3) << 64 | u128::from(i) << 20,
                note: i as u16,
                sums: std::array::from_fn(|index| u64::from(index as u64 == i % 20) * (1 + i / 100)),
            })
            .collect();
        assert_eq!(decode::<20>(&encode::<20, Sum>(&rows)).unwrap(), rows);
    }
}
