//! Reads lines into a book.

use std::{path::Path, time::Instant};

use book::BookWriter;
use output::{grouped, is_stdout};
use position::{Board, Root};
use run::{FileFormat, Result, RunError, RunOptions, SamePath, Summary, check_paths};
use serde_json::Value;

use super::{
    head::{BookCounts, Format, Head, POLYGLOT, TABIA, VERSION},
    polyglot,
    position_entry::{Line, LineMeaning},
    reading::Lines,
};
use crate::{BooksError, check_file_output, write_report};

/// The number of positions between two checks for an interrupt.
const POSITIONS_A_LOOK: u64 = 1 << 12;

/// The kinds of books that can be read from text.
const FORMATS: [&Format; 2] = [&TABIA, &POLYGLOT];

/// Reads a book from the JSON lines at `path` and writes it to `output`; a `path` of `-` is standard input.
///
/// # Errors
///
/// Fails with [`BooksError::Line`], which names the line, if a line cannot be read; in that case, nothing is
/// written.
pub fn import_json(path: &Path, output: &Path, run: &RunOptions) -> Result<Summary> {
    let start = Instant::now();
    if is_stdout(output) {
        return Err(BooksError::Stdout.into());
    }
    let reads: &[&Path] = if is_stdout(path) { &[] } else { &[path] };
    let is_polyglot = FileFormat::Polyglot.check_ending(output).is_ok();
    let named = if is_polyglot { FileFormat::Polyglot } else { FileFormat::Book };
    check_paths(reads, &[(output, named)], SamePath::Refused)?;
    check_file_output(output, run)?;
    let mut lines = Lines::open(path)?;
    let (format, head) = read_head(&mut lines)?;
    check_extension(format, &lines, output)?;
    let import = if *format == TABIA { import_tabia } else { polyglot::import };
    let mut summary = import(&mut lines, head, output, run)?;
    summary.add_seconds("import", start);
    Ok(summary)
}

/// Writes a `.tabia` book.
fn import_tabia(lines: &mut Lines, head: Value, output: &Path, run: &RunOptions) -> Result<Summary> {
    let head: Head = serde_json::from_value(head).map_err(|error| lines.wrong(&error))?;
    let mut writer = BookWriter::create(output, &head.provenance, head.counts.positions, run.existing())?;
    let root = |fen: &String| Board::from_fen(fen).map(|board| Root::of(&board.position()));
    let roots = head.roots.iter().map(root).collect::<Result<_, _>>();
    writer.set_roots(roots.map_err(|error| lines.wrong(&error))?);
    if let Some(sources) = &head.sources {
        writer.begin_experience(Value::Array(sources.clone()));
    }
    let (mut read, mut rows) = (BookCounts::default(), 0);
    let sources = head.sources.as_ref().map(Vec::len);
    while let Some(meant) = lines.position(|line: Line| line.meant(sources.unwrap_or(0)))? {
        if !meant.rows.is_empty() && sources.is_none() {
            return Err(lines.wrong(&"experience, but `sources` in the header line is null"));
        }
        push(&mut writer, &meant).map_err(|error| lines.wrong(&error))?;
        read.positions += u64::from(meant.entry.is_some());
        read.moves += meant.entry.map_or(0, |entry| entry.edges.len() as u64);
        rows += meant.rows.len() as u64;
        if read.positions.is_multiple_of(POSITIONS_A_LOOK) {
            run.check_interrupt()?;
        }
    }
    write_report(summary_of(head.counts, read, run)?, writer, rows, output)
}

fn push(writer: &mut BookWriter, meant: &LineMeaning) -> Result<(), book::Error> {
    meant.entry.iter().try_for_each(|entry| writer.push(entry))?;
    meant.rows.iter().try_for_each(|row| writer.push_experience(row))
}

/// Reads the first line, which states the format of the lines after it.
fn read_head(lines: &mut Lines) -> Result<(&'static Format, Value)> {
    let value: Option<Value> = lines.next()?;
    let value = value.ok_or_else(|| lines.wrong(&"the text is empty"))?;
    let Some(format) = FORMATS.into_iter().find(|format| value["format"] == format.name) else {
        let why = "the first line is not the header line of a book, {\"format\":\"tabia-book\", …} or \
                   {\"format\":\"polyglot-book\", …}; a filter must leave it unchanged";
        return Err(lines.wrong(&why));
    };
    if value["version"] != VERSION {
        let version = &value["version"];
        let why =
            format!("the text has version {version}, but this version of tabia reads only version {VERSION}");
        return Err(lines.wrong(&why));
    }
    Ok((format, value))
}

/// Refuses an output whose file name extension belongs to the other format.
fn check_extension(format: &Format, lines: &Lines, output: &Path) -> Result<()> {
    let extension = output.extension().unwrap_or_default();
    let mut others = FORMATS.into_iter().filter(|other| *other != format);
    if others.any(|other| extension.eq_ignore_ascii_case(other.extension)) {
        let (text, output) = (lines.name(), output.to_owned());
        return Err(BooksError::TextOfAnother { text, output, what: format.what, then: format.then }.into());
    }
    Ok(())
}

/// Returns the summary of an import. Warns if the numbers of positions and moves differ from those in the
/// header line.
///
/// # Errors
///
/// Fails if the text has no moves, unless the user allows an empty book.
pub(super) fn summary_of(head: BookCounts, read: BookCounts, run: &RunOptions) -> Result<Summary> {
    if read.moves == 0 && !run.allow_empty {
        return Err(RunError::NothingKept("the text has no line with moves".into()).into());
    }
    let mut summary = Summary::new();
    summary.warnings.extend(changed(head, read));
    Ok(summary)
}

/// Returns a warning if the numbers of positions and moves differ from those in the header line. A difference
/// means that the text was changed or cut off.
fn changed(head: BookCounts, read: BookCounts) -> Option<String> {
    if head == read {
        return None;
    }
    let [positions, moves, then, kept] =
        [read.positions, read.moves, head.positions, head.moves].map(grouped);
    Some(format!(
        "the text was changed or its end is missing: it has {positions} positions and {moves} moves, but its header line \
         states {then} and {kept}"
    ))
}
