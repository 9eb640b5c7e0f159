//! Writes a book as lines.

use std::{
    io::{self, BufWriter, Write},
    iter::Peekable,
    path::Path,
    time::Instant,
};

use book::{Book, PositionEntry, Rows};
use fault::FileFault;
use output::{OutputFile, folder_of, is_stdout};
use position::{Board, ExperienceRow, Key};
use query::Artefact;
use run::{
    Context, FileFormat, Limits, Result, Run, RunOptions, SamePath, Summary, WITHOUT_FEN, check_paths,
};
use serde::Serialize;

use super::{board::Boards, head::Head, polyglot, position_entry::Line};
use crate::check_file_output;

/// The number of positions between two checks for an interrupt.
const POSITIONS_A_LOOK: u64 = 1 << 12;

/// Writes the book at `path` as JSON lines to `output`; `-` is standard output.
///
/// # Errors
///
/// Fails if the book is damaged, or the output cannot be written.
pub fn export_json(path: &Path, output: &Path, limits: &Limits, run: RunOptions) -> Result<Summary> {
    let start = Instant::now();
    let is_stream = is_stdout(output);
    if !is_stream {
        check_paths(&[path], &[(output, FileFormat::Json)], SamePath::Refused)?;
        check_file_output(output, &run)?;
    }
    let artefact = Artefact::open(path)?;
    let beside = if is_stream { std::env::temp_dir() } else { folder_of(output).to_owned() };
    let (existing, temp_dir) = (run.existing(), limits.temp_dir.clone().unwrap_or(beside));
    let context = Context::new(limits, temp_dir, run)?;
    let mut outputs = Vec::new();
    let (written, unreached) = if is_stream {
        write(&context, &artefact, &mut BufWriter::new(io::stdout().lock()), output)?
    } else {
        let mut file = OutputFile::create(output, existing).map_err(fault::output(output))?;
        let written = write(&context, &artefact, &mut BufWriter::new(file.file()), output)?;
        outputs.push(file.prepare().map_err(fault::output(output))?);
        written
    };
    let mut summary = Summary::new();
    summary.exported = [("positions".into(), written), (WITHOUT_FEN.into(), unreached)].into();
    summary.add_seconds("export", start);
    Run { summary, outputs, ..Run::default() }.publish()
}

/// Writes all lines. Returns the number of positions, and how many of them have no FEN.
fn write(context: &Context, artefact: &Artefact, out: &mut impl Write, path: &Path) -> Result<(u64, u64)> {
    let mut lines = LineWriter { context, out, path, positions: 0, unreached: 0 };
    match artefact {
        Artefact::Polyglot(reader) => polyglot::write(artefact, reader, &mut lines)?,
        other => write_book(other, other.book()?, &mut lines)?,
    }
    lines.out.flush().map_err(FileFault::of("write", path))?;
    Ok((lines.positions, lines.unreached))
}

/// Writes the lines of a `.tabia` book.
fn write_book(artefact: &Artefact, book: &Book, lines: &mut LineWriter<'_, impl Write>) -> Result<()> {
    let mut boards = Boards::of(lines.context, artefact)?;
    lines.put(&Head::of(book)?)?;
    let (mut positions, mut entry) = (book.positions(), PositionEntry::default());
    let mut rows = book.experience().peekable();
    while positions.next_into(&mut entry)? {
        put_before(lines, &mut rows, Some(entry.key))?;
        let board = boards.find(entry.key)?;
        let mut line = Line::of_entry(&entry, board.as_ref());
        add_rows(&mut line, &mut rows, entry.key)?;
        lines.put_position(&line, board.as_ref())?;
    }
    put_before(lines, &mut rows, None)
}

/// Writes a line for each position before `key` that has experience but no entry. If `key` is `None`, writes
/// all remaining lines.
fn put_before(
    lines: &mut LineWriter<'_, impl Write>,
    rows: &mut Peekable<Rows<'_>>,
    key: Option<Key>,
) -> Result<()> {
    let is_before = |row: &book::Result<_>| match row {
        Ok(ExperienceRow { key: of_row, .. }) => key.is_none_or(|key| *of_row < key),
        Err(_) => true,
    };
    while let Some(row) = rows.next_if(is_before) {
        let row = row?;
        let mut line = Line::of_key(row.key);
        line.add_experience(&row);
        add_rows(&mut line, rows, row.key)?;
        lines.put(&line)?;
    }
    Ok(())
}

fn add_rows(line: &mut Line, rows: &mut Peekable<Rows<'_>>, key: Key) -> Result<()> {
    while let Some(row) = rows.next_if(|row| row.as_ref().map_or(true, |row| row.key == key)) {
        line.add_experience(&row?);
    }
    Ok(())
}

/// Writes JSON lines and counts the positions in them.
pub(super) struct LineWriter<'w, W> {
    pub(super) context: &'w Context,
    out: &'w mut W,
    path: &'w Path,
    positions: u64,
    /// Positions without a FEN.
    unreached: u64,
}

impl<W: Write> LineWriter<'_, W> {
    /// Writes a line.
    pub(super) fn put(&mut self, line: &impl Serialize) -> Result<()> {
        let written = serde_json::to_writer(&mut *self.out, line).map_err(io::Error::from);
        let written = written.and_then(|()| self.out.write_all(b"\n"));
        written.map_err(FileFault::of("write", self.path))
    }

    /// Writes the line of a position, and counts the position. `board` is `None` if the walk did not reach
    /// the position.
    pub(super) fn put_position(&mut self, line: &impl Serialize, board: Option<&Board>) -> Result<()> {
        self.put(line)?;
        self.positions += 1;
        self.unreached += u64::from(board.is_none());
        if self.positions.is_multiple_of(POSITIONS_A_LOOK) { self.context.check_interrupt() } else { Ok(()) }
    }
}
