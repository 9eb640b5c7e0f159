//! Books as text: games, positions, rows of a spreadsheet.

mod csv;
mod epd;
mod games;
mod moves;
mod options;
mod tree;

use std::{io::Write, ops::ControlFlow};

use query::Artefact;
use serde::Serialize;

pub use self::options::{GamesAs, LinesOptions};
use self::tree::LineTree;
use crate::{Error, Result};

/// What was written.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Written {
    /// Positions, the first one included.
    pub positions: u64,
    /// Moves, each once.
    pub moves: u64,
    /// Lines: ways from the first position to an end.
    pub lines: u64,
    /// Moves that were left out: they were not asked for, or there are more lines than were asked for.
    pub left_out: u64,
    /// Moves that were left out because they are not legal there.
    pub illegal: u64,
}

/// How lines are written.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum LinesFormat {
    /// Games: one with variations, or one a line.
    Pgn(GamesAs),
    /// A position a line.
    Epd,
    /// A move a row.
    Csv,
}

/// Writes the lines of a book, a table or a Polyglot book; `go_on` is asked before each position.
///
/// # Memory
///
/// About 300 bytes a position that is written; of a table that most of is written, 60 bytes a move besides.
///
/// # Errors
///
/// If the artefact cannot be read or is damaged; those of `out`; [`query::Error::Stopped`] if `go_on` breaks.
pub fn write_lines(
    artefact: &Artefact,
    options: &LinesOptions,
    format: LinesFormat,
    go_on: &dyn Fn() -> ControlFlow<()>,
    out: &mut impl Write,
) -> Result<Written> {
    let tree = LineTree::grow(artefact, options, go_on)?;
    let written = match format {
        LinesFormat::Pgn(GamesAs::Variations) => games::write_one(&tree, out),
        LinesFormat::Pgn(GamesAs::Lines) => games::write_each(&tree, out),
        LinesFormat::Epd => epd::write(&tree, out),
        LinesFormat::Csv => csv::write(&tree, out),
    };
    written.map_err(Error::Write)?;
    Ok(tree.written())
}
