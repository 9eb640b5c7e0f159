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
use position::Key;
use query::Artefact;
use run::{
    Context, Error, FileFormat, Limits, Result, Run, RunOptions, RunRecords, SamePath, Summary, WITHOUT_FEN,
    check_paths,
};
use serde::Serialize;

use super::{board::Boards, head::Head, line::Line, polyglot};
use crate::check_file_output;

/// Positions between two checks for an interrupt.
const POSITIONS_A_LOOK: u64 = 1 << 12;

/// Writes the book at `path` as JSON lines to `output`; `-` is standard output.
///
/// # Errors
///
/// If the book is damaged, or the output cannot be written.
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
    Run { summary, outputs, locks: Vec::new(), recorded: RunRecords::default() }.publish()
}

/// Writes all lines. Returns the number of positions and the number of those without a FEN.
fn write(context: &Context, artefact: &Artefact, out: &mut impl Write, path: &Path) -> Result<(u64, u64)> {
    let failed = |source| FileFault::new("write", path, source).into();
    let written = match artefact {
        Artefact::Polyglot(reader) => polyglot::write(context, (artefact, reader), out, failed)?,
        other => write_book(context, (other, other.book()?), out, failed)?,
    };
    out.flush().map_err(failed)?;
    Ok(written)
}

/// Writes the lines of a `.tabia` book.
fn write_book(
    context: &Context,
    (artefact, book): (&Artefact, &Book),
    out: &mut impl Write,
    failed: impl Fn(io::Error) -> Error + Copy,
) -> Result<(u64, u64)> {
    let mut boards = Boards::of(context, artefact)?;
    put(out, &Head::of(book)?).map_err(failed)?;
    let (mut positions, mut entry) = (book.positions(), PositionEntry::default());
    let mut rows = book.experience().peekable();
    let (mut written, mut unreached) = (0_u64, 0);
    while positions.next_into(&mut entry)? {
        put_before(out, &mut rows, Some(entry.key), failed)?;
        let board = boards.find(entry.key)?;
        unreached += u64::from(board.is_none());
        let mut line = Line::of_entry(&entry, board.as_ref());
        add_rows(&mut line, &mut rows, entry.key)?;
        put(out, &line).map_err(failed)?;
        written += 1;
        if written.is_multiple_of(POSITIONS_A_LOOK) {
            context.check_interrupt()?;
        }
    }
    put_before(out, &mut rows, None, failed)?;
    Ok((written, unreached))
}

/// Writes the lines of experience for positions before `key` that the entries do not have. Without a key,
/// writes all that are left.
fn put_before(
    out: &mut impl Write,
    rows: &mut Peekable<Rows<'_>>,
    key: Option<Key>,
    failed: impl Fn(io::Error) -> Error,
) -> Result<()> {
    loop {
        let next = match rows.peek() {
            Some(Ok(row)) if key.is_none_or(|key| row.key < key) => row.key,
            Some(Ok(_)) | None => return Ok(()),
            Some(Err(_)) => return rows.next().map_or(Ok(()), |row| Ok(row.map(drop)?)),
        };
        let mut line = Line::of_key(next);
        add_rows(&mut line, rows, next)?;
        put(out, &line).map_err(&failed)?;
    }
}

fn add_rows(line: &mut Line, rows: &mut Peekable<Rows<'_>>, key: Key) -> Result<()> {
    while let Some(row) = rows.next_if(|row| row.as_ref().map_or(true, |row| row.key == key)) {
        line.add_experience(&row?);
    }
    Ok(())
}

/// Writes a line.
pub(super) fn put(out: &mut impl Write, value: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, value)?;
    out.write_all(b"\n")
}
