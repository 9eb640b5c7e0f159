//! Writes a Polyglot book as lines.

use std::io::{self, Write};

use book::polyglot::Reader;
use query::Artefact;
use run::{Context, Error, Result};

use super::{
    super::{board::Boards, export::put},
    head::Head,
    line::Line,
};

/// Positions between two checks for an interrupt.
const POSITIONS_A_LOOK: u64 = 1 << 12;

/// Writes all lines. Returns the number of positions and the number of those without a FEN. A file that is
/// not sorted is refused before any line is written.
pub(in super::super) fn write(
    context: &Context,
    (artefact, reader): (&Artefact, &Reader),
    out: &mut impl Write,
    failed: impl Fn(io::Error) -> Error,
) -> Result<(u64, u64)> {
    let head = Head::of(reader, reader.verify()?)?;
    let mut boards = Boards::of(context, artefact)?;
    put(out, &head).map_err(&failed)?;
    let (mut positions, mut entries) = (reader.by_position(), Vec::new());
    let (mut written, mut unreached) = (0_u64, 0);
    while let Some(key) = positions.next_into(&mut entries)? {
        let board = boards.find(key)?;
        unreached += u64::from(board.is_none());
        put(out, &Line::of(key, &entries, board.as_ref())).map_err(&failed)?;
        written += 1;
        if written.is_multiple_of(POSITIONS_A_LOOK) {
            context.check_interrupt()?;
        }
    }
    Ok((written, unreached))
}
