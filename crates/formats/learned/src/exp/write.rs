//! Writes files of the two layouts that programs of today read.

use std::io::{self, Write};

use shakmaty::{Chess, Position as _};

use super::{
    Layout, Searched,
    key::key_of,
    read::SIGNATURE_2,
    units::{chance, packed},
};

/// Writes the header of a file.
///
/// # Errors
///
/// Fails if `out` does.
pub fn write_header(out: &mut impl Write, layout: Layout) -> io::Result<()> {
    if layout == Layout::BrainLearn { Ok(()) } else { out.write_all(SIGNATURE_2) }
}

/// Writes a record of the layout BrainLearn, or else of SugaR's second version. Its key is that of a position
/// that made progress within the last fourteen plies.
///
/// # Errors
///
/// Fails if `out` does.
pub fn write_record(
    out: &mut impl Write,
    layout: Layout,
    position: &Chess,
    searched: &Searched,
) -> io::Result<()> {
    let board = position.board();
    let (mv, value) = (packed(searched.mv), searched.value.units(board));
    let depth = i32::from(searched.depth);
    out.write_all(&key_of(position).to_le_bytes())?;
    let numbers = if layout == Layout::BrainLearn {
        [depth, value, i32::from(mv), chance(value, board)]
    } else {
        // The last number is a count of one, and two bytes that are not used.
        [i32::from(mv), value, depth, 1]
    };
    numbers.iter().try_for_each(|number| out.write_all(&number.to_le_bytes()))
}
