//! Writes files in the two layouts that current engines read.

use std::io::{self, Write};

use shakmaty::{Chess, Position as _};

use super::{
    ExpSearch, Record,
    key::key_of,
    read::SIGNATURE_2,
    units::{chance, packed, value_of},
};

/// The records that will be written to a file.
///
/// # Memory
///
/// 20 bytes per record.
#[derive(Debug, Default)]
pub struct ExpRecords(Vec<(Record, i32)>);

impl ExpRecords {
    /// Adds a search. The last capture or pawn move before `position` must be less than fourteen plies ago,
    /// so that its key does not depend on the number of plies since then.
    pub fn push(&mut self, position: &Chess, searched: &ExpSearch) {
        let value = value_of(searched.score, position.board());
        let (key, mv) = (key_of(position), packed(searched.mv));
        self.0.push((Record { key, mv, depth: searched.depth, value }, chance(value, position.board())));
    }

    /// The number of records.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.0.len() as u64
    }

    /// Returns `true` if no search was added.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Writes the file, with its records sorted by key and move in ascending order.
    ///
    /// # Errors
    ///
    /// Fails if writing to `out` fails.
    pub fn write(mut self, layout: WrittenLayout, out: &mut impl Write) -> io::Result<()> {
        self.0.sort_unstable();
        if layout == WrittenLayout::SugarV2 {
            out.write_all(SIGNATURE_2)?;
        }
        for (Record { key, mv, depth, value }, chance) in self.0 {
            let (mv, depth) = (i32::from(mv), i32::from(depth));
            out.write_all(&key.to_le_bytes())?;
            let numbers = match layout {
                WrittenLayout::BrainLearn => [depth, value, mv, chance],
                // The last four bytes are a two-byte count, which is always 1, and two unused bytes.
                WrittenLayout::SugarV2 => [mv, value, depth, 1],
            };
            numbers.iter().try_for_each(|number| out.write_all(&number.to_le_bytes()))?;
        }
        Ok(())
    }
}

/// The layouts that can be written.
#[derive(Clone, Copy, Debug, Eq, PartialEq, strum::EnumString, strum::IntoStaticStr, strum::VariantArray)]
#[strum(serialize_all = "kebab-case")]
pub enum WrittenLayout {
    /// The layout of BrainLearn, ShashChess and Alexander.
    #[strum(serialize = "brainlearn")]
    BrainLearn,
    /// The layout of SugaR's second version, and of HypnoS.
    SugarV2,
}
