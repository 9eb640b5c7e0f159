//! Collects definition and repetition levels, and encodes them (parquet-format, Encodings.md, "Run Length
//! Encoding / Bit-Packing Hybrid").

use parquet::schema::types::ColumnDescPtr;

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

/// The levels of the open page, one byte each. A column without nulls and lists has none.
#[derive(Default)]
pub(crate) struct Levels {
    definition: Vec<u8>,
    repetition: Vec<u8>,
    /// The last level of a column without lists, and how often it was added since another one. These levels
    /// are not in `definition` yet, because many columns have only values, or nothing but nulls.
    run: (u8, usize),
    pub(crate) highest: u8,
    /// The level of a list that has no items.
    empty: u8,
    is_list: bool,
}

impl Levels {
    pub(crate) fn new(description: &ColumnDescPtr) -> Self {
        let highest = description.max_def_level().cast_unsigned() as u8;
        let is_list = description.max_rep_level() > 0;
        // The levels above that of an empty list say that there is an item, and that it is not null.
        let above = 1 + u8::from(description.self_type().is_optional());
        Self { highest, is_list, empty: highest.saturating_sub(above), ..Self::default() }
    }

    /// Adds a level `count` times.
    #[inline]
    pub(crate) fn push(&mut self, level: u8, count: usize) {
        if level != self.run.0 {
            self.end_run();
            self.run.0 = level;
        }
        self.run.1 += count;
    }

    #[cold]
    pub(crate) fn end_run(&mut self) {
        let (level, count) = (self.run.0, std::mem::take(&mut self.run.1));
        if self.highest > 0 {
            self.definition.resize(self.definition.len() + count, level);
        }
        if self.is_list {
            self.repetition.resize(self.definition.len(), 0);
        }
    }

    pub(crate) fn push_list<T>(&mut self, items: impl Iterator<Item = Option<T>>, mut push: impl FnMut(T)) {
        self.end_run();
        let start = self.definition.len();
        for item in items {
            self.definition.push(self.highest - u8::from(item.is_none()));
            item.into_iter().for_each(&mut push);
        }
        if self.definition.len() == start {
            self.definition.push(self.empty);
        }
        self.repetition.push(0);
        self.repetition.resize(self.definition.len(), 1);
    }

    /// The number of values, including nulls; `None` if there are no levels.
    pub(crate) fn count(&self) -> Option<usize> {
        (self.highest > 0).then_some(self.definition.len())
    }

    /// Appends the levels to a page, and removes them.
    pub(crate) fn take(&mut self, page: &mut Vec<u8>) {
        if self.is_list {
            add_levels(&self.repetition, 1, page);
        }
        if self.highest > 0 {
            add_levels(&self.definition, self.highest, page);
        }
        self.repetition.clear();
        self.definition.clear();
    }
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
