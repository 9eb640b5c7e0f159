//! The values of a page, encoded as they are added.

use std::fmt;

use parquet::{
    basic::{Encoding, Type as PhysicalType},
    schema::types::ColumnDescPtr,
};

use crate::{
    BYTE_INDICES, byte_page,
    delta::Deltas,
    indices::{packed_groups, packed_page},
    interner::Interner,
    width_of,
};

/// The values of the open page.
pub(crate) enum Values {
    Dictionary {
        interner: Interner,
        indices: Vec<u32>,
        width: usize,
    },
    Deltas(Deltas),
    Plain {
        bytes: Vec<u8>,
        count: usize,
        width: usize,
    },
    /// Truth values, each 0 or 1.
    Bits(Vec<u8>),
    Texts {
        lengths: Deltas,
        bytes: Vec<u8>,
    },
}

impl Values {
    /// No values. Truth values are always packed as bits, because no other encoding suits them.
    pub(crate) fn new(encoding: Encoding, description: &ColumnDescPtr) -> Self {
        let width = width_in_bytes(description);
        match encoding {
            _ if description.physical_type() == PhysicalType::BOOLEAN => Values::Bits(Vec::new()),
            Encoding::DELTA_BINARY_PACKED => Values::Deltas(Deltas::new()),
            Encoding::DELTA_LENGTH_BYTE_ARRAY => Values::Texts { lengths: Deltas::new(), bytes: Vec::new() },
            Encoding::PLAIN => Values::Plain { bytes: Vec::new(), count: 0, width },
            _ => Values::Dictionary { interner: Interner::new(), indices: Vec::new(), width },
        }
    }

    /// Adds numbers.
    pub(crate) fn extend(&mut self, numbers: &[u64]) {
        match self {
            Values::Dictionary { interner, indices, width } => {
                indices.extend(numbers.iter().map(|number| interner.number(*number, *width)));
            }
            Values::Deltas(deltas) => numbers.iter().for_each(|number| deltas.push(*number)),
            Values::Plain { bytes, count, width } => {
                // The length of a copy is a constant in each case, so that it needs no call.
                match width {
                    4 => numbers.iter().for_each(|number| bytes.extend((*number as u32).to_le_bytes())),
                    _ => numbers.iter().for_each(|number| bytes.extend(number.to_le_bytes())),
                }
                *count += numbers.len();
            }
            Values::Bits(bits) => bits.extend(numbers.iter().map(|number| *number as u8)),
            Values::Texts { .. } => unreachable!("a number in a column of strings"),
        }
    }

    #[inline]
    pub(crate) fn push_text(&mut self, text: &str) {
        match self {
            Values::Dictionary { interner, indices, .. } => indices.push(interner.text(text)),
            Values::Texts { lengths, bytes } => {
                lengths.push(text.len() as u64);
                bytes.extend_from_slice(text.as_bytes());
            }
            Values::Deltas(_) | Values::Plain { .. } | Values::Bits(_) => {
                unreachable!("a string in a column of numbers")
            }
        }
    }

    #[inline]
    pub(crate) fn push_named(&mut self, code: u64, name: impl fmt::Display) {
        match self {
            Values::Dictionary { interner, indices, .. } => indices.push(interner.named(code, name)),
            _ => unreachable!("a code in a column without a dictionary"),
        }
    }

    /// The number of values, without nulls.
    pub(crate) fn count(&self) -> usize {
        match self {
            Values::Dictionary { indices, .. } => indices.len(),
            Values::Deltas(Deltas { count, .. }) | Values::Plain { count, .. } => *count,
            Values::Texts { lengths, .. } => lengths.count,
            Values::Bits(bits) => bits.len(),
        }
    }

    /// Whether the dictionary is so small that an index fits in a byte. The indices of two values are
    /// smaller as bits.
    pub(crate) fn fit_in_bytes(&self) -> bool {
        matches!(self, Values::Dictionary { interner, .. } if (3..=BYTE_INDICES).contains(&interner.count()))
    }

    /// Appends the encoded values to a page, with a byte for each index if `in_bytes`, and removes them.
    /// Returns their encoding.
    pub(crate) fn take(&mut self, page: &mut Vec<u8>, in_bytes: bool) -> Encoding {
        if self.count() == 0 {
            // Without values, a page needs no dictionary, and the column may have none.
            return Encoding::PLAIN;
        }
        match self {
            Values::Dictionary { interner, indices, .. } => {
                if in_bytes {
                    let indices: Vec<_> = indices.iter().map(|index| *index as u8).collect();
                    byte_page(&indices, page);
                } else {
                    let width = width_of(interner.count() as u64 - 1);
                    packed_page(indices, u64::from, width, page);
                }
                indices.clear();
                Encoding::RLE_DICTIONARY
            }
            Values::Deltas(deltas) => {
                deltas.take(page);
                Encoding::DELTA_BINARY_PACKED
            }
            Values::Plain { bytes, count, .. } => {
                page.append(bytes);
                *count = 0;
                Encoding::PLAIN
            }
            Values::Bits(bits) => {
                packed_groups(bits, u64::from, 1, page);
                bits.clear();
                Encoding::PLAIN
            }
            Values::Texts { lengths, bytes } => {
                lengths.take(page);
                page.append(bytes);
                Encoding::DELTA_LENGTH_BYTE_ARRAY
            }
        }
    }
}

/// The length in bytes of a number in PLAIN encoding.
pub(crate) fn width_in_bytes(description: &ColumnDescPtr) -> usize {
    match description.physical_type() {
        PhysicalType::INT32 | PhysicalType::FLOAT => 4,
        _ => 8,
    }
}
