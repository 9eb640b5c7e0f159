//! Writes books as text: PGN games, EPD positions, or rows of a spreadsheet.

mod choices;
mod csv;
mod epd;
mod games;
mod grow;
mod options;
mod pieces;
mod tree;
mod visit;

use std::{fmt, io::Write, mem, ops::ControlFlow};

use query::Artefact;
use rayon::ThreadPool;
use serde::Serialize;

pub use self::options::{GamesLayout, LinesOptions, LinesWork};
use self::{
    games::Variations,
    grow::grow,
    pieces::write_pieces,
    tree::{LineTree, Start},
    visit::{LineStyle, Visit, Visits},
};
use crate::{
    Error, Result,
    pgn::{Wrap, push_game_tags},
    threads::pool,
};

/// How much was written.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Written {
    /// The number of positions, including the positions where lines begin.
    pub positions: u64,
    /// The number of moves, each counted once even if several lines play it.
    pub moves: u64,
    /// The total number of lines from all positions where lines begin.
    pub lines: u64,
    /// The number of moves that the options left out: those with too few games or too small a share, and
    /// those beyond the maximum number of plies or lines.
    pub left_out: u64,
    /// The number of moves left out because they are illegal in their position.
    pub illegal: u64,
}

/// How lines are written.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum LinesFormat {
    /// As PGN: one game with variations, or one game for each line.
    Pgn(GamesLayout),
    /// As EPD, with one position per line of text.
    Epd,
    /// As CSV, one move per row.
    Csv,
}

/// Writes the lines of a book, a table or a Polyglot book.
///
/// # Memory
///
/// The lines take about 100 bytes for each move written and, while they are being computed, 250 bytes for
/// each move that has not been followed yet. [`LookUps`](query::LookUps) use memory in addition to this.
///
/// # Errors
///
/// Fails with [`Error::Memory`] if the memory limit is too low. If all lines are requested, the limit is
/// checked before any line is followed. Also fails if the artefact cannot be read or is damaged, if writing
/// to `out` fails, and with [`fault::Stop`] if `go_on` returns `Break`.
pub fn write_lines(
    artefact: &Artefact,
    options: &LinesOptions,
    format: LinesFormat,
    work: LinesWork<'_>,
    out: &mut (impl Write + Send),
) -> Result<Written> {
    let tree = grow(artefact, options, work)?;
    let mut lines = Lines { tree: &tree, pool: pool(work.threads)?, go_on: work.go_on, out };
    match format {
        LinesFormat::Pgn(GamesLayout::Variations) => lines.write_variations(),
        LinesFormat::Pgn(GamesLayout::Lines) => lines.write_visits(LineStyle::Numbered, games::push_game),
        LinesFormat::Epd => lines.write_visits(LineStyle::Plain, epd::push_line),
        LinesFormat::Csv => {
            let root = if tree.has_roots() { csv::ROOT } else { "" };
            write!(lines.out, "{}{root}\r\n", csv::HEADING).map_err(Error::Write)?;
            lines.write_visits(LineStyle::Numbered, csv::push_row)
        }
    }?;
    Ok(tree.written)
}

/// The lines being written, and where to write them.
struct Lines<'t, O> {
    tree: &'t LineTree,
    pool: ThreadPool,
    go_on: &'t dyn Fn() -> ControlFlow<()>,
    out: &'t mut O,
}

impl<O: Write + Send> Lines<'_, O> {
    fn write_visits(
        &mut self,
        style: LineStyle,
        push: impl Fn(&Visit<'_>, &mut String) -> fmt::Result + Sync,
    ) -> Result<()> {
        let has_roots = self.tree.has_roots();
        self.tree.starts().try_for_each(|start| {
            let visits = Visits { tree: self.tree, start, has_roots, style, push: &push };
            write_pieces(&visits, visits.first(), &self.pool, self.go_on, |text| {
                self.out.write_all(text.as_bytes())
            })
        })
    }

    fn write_variations(&mut self) -> Result<()> {
        let starts =
            self.tree.starts().filter(|start| !start.node.children.is_empty() || start.root.is_none());
        (1..).zip(starts).try_for_each(|(number, start)| self.write_game(number, start))
    }

    /// Writes a single game that contains all lines from the position `start`.
    fn write_game(&mut self, number: u64, start: Start<'_>) -> Result<()> {
        let variations = Variations { tree: self.tree, start };
        let (mut wrap, mut lines) = (Wrap::default(), String::new());
        push_game_tags(number, None, start.root, &mut lines);
        wrap.push(&variations.beginning(), &mut lines);
        let first = (variations.first(), String::new());
        write_pieces(&variations, first, &self.pool, self.go_on, |text| {
            wrap.push(text, &mut lines);
            self.out.write_all(mem::take(&mut lines).as_bytes())
        })?;
        wrap.finish(" *", &mut lines);
        Ok(writeln!(self.out, "{lines}").map_err(Error::Write)?)
    }
}
