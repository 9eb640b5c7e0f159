//! Writes a Polyglot book as lines.

use std::io::Write;

use book::polyglot::Reader;
use query::Artefact;
use run::Result;

use super::{
    super::{board::Boards, export::LineWriter},
    head::Head,
    position_entry::Line,
};

/// Writes all lines. An unsorted file is refused before anything is written.
pub(in super::super) fn write(
    artefact: &Artefact,
    reader: &Reader,
    lines: &mut LineWriter<'_, impl Write>,
) -> Result<()> {
    let head = Head::of(reader, reader.verify()?)?;
    let mut boards = Boards::of(lines.context, artefact)?;
    lines.put(&head)?;
    let (mut positions, mut entries) = (reader.by_position(), Vec::new());
    while let Some(key) = positions.next_into(&mut entries)? {
        let board = boards.find(key)?;
        lines.put_position(&Line::of(key, &entries, board.as_ref()), board.as_ref())?;
    }
    Ok(())
}
