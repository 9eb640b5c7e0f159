//! Reads lines into a book.

use std::{path::Path, time::Instant};

use book::BookWriter;
use output::{grouped, is_stdout};
use position::Key;
use run::{FileFormat, Result, RunError, RunOptions, SamePath, Summary, check_paths};
use serde_json::Value;

use super::{
    head::{Contents, Format, Head, VERSION},
    line::{Line, LineMeaning},
    place::ascend,
    polyglot,
    reading::Lines,
};
use crate::{BooksError, check_file_output, write_report};

/// Positions between two checks for an interrupt.
const POSITIONS_A_LOOK: u64 = 1 << 12;

/// The book that was read.
#[derive(Default)]
struct Read {
    counts: Contents,
    rows: u64,
}

/// Writes the book at `output` that the JSON lines at `path` describe; `-` is standard input.
///
/// # Errors
///
/// [`BooksError::Line`] with the line that makes no sense. In that case nothing is written.
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
    let mut summary = match format {
        Format::Tabia => import_tabia(&mut lines, head, output, run)?,
        Format::Polyglot => polyglot::import(&mut lines, head, output, run)?,
    };
    summary.add_seconds("import", start);
    Ok(summary)
}

/// Writes a `.tabia` book.
fn import_tabia(lines: &mut Lines, head: Value, output: &Path, run: &RunOptions) -> Result<Summary> {
    let head: Head = serde_json::from_value(head).map_err(|error| lines.wrong(&error))?;
    let mut writer = BookWriter::create(output, &head.provenance, head.counts.positions, run.existing())?;
    if let Some(sources) = &head.sources {
        writer.begin_experience(Value::Array(sources.clone()));
    }
    let read = read_lines(lines, head.sources.as_deref(), &mut writer, run)?;
    if read.counts.moves == 0 && !run.allow_empty {
        return Err(RunError::NothingKept { why: "the text has no line with moves".into() }.into());
    }
    let mut summary = Summary::new();
    summary.warnings.extend(changed(head.counts, read.counts));
    write_report(summary, writer, read.rows, output)
}

/// Reads the first line, which says the format of the others.
fn read_head(lines: &mut Lines) -> Result<(Format, Value)> {
    let value: Option<Value> = lines.next()?;
    let value = value.ok_or_else(|| lines.wrong(&"the text is empty"))?;
    let Some(format) = Format::ALL.into_iter().find(|format| value["format"] == format.name()) else {
        let why = "the first line is not the head of a book, {\"format\":\"tabia-book\", …} or \
                   {\"format\":\"polyglot-book\", …}; a filter has to let it pass";
        return Err(lines.wrong(&why));
    };
    if value["version"] != VERSION {
        let why = format!("version {} of the text; this program reads version {VERSION}", value["version"]);
        return Err(lines.wrong(&why));
    }
    Ok((format, value))
}

/// Refuses an output whose name is that of the other format.
fn check_extension(format: Format, lines: &Lines, output: &Path) -> Result<()> {
    let extension = output.extension().unwrap_or_default();
    let others = Format::ALL.into_iter().filter(|other| *other != format);
    if others.into_iter().any(|other| extension.eq_ignore_ascii_case(other.extension())) {
        let (text, output) = (lines.name(), output.to_owned());
        return Err(
            BooksError::TextOfAnother { text, output, what: format.what(), then: format.then() }.into()
        );
    }
    Ok(())
}

fn read_lines(
    lines: &mut Lines,
    sources: Option<&[Value]>,
    writer: &mut BookWriter,
    run: &RunOptions,
) -> Result<Read> {
    let (mut read, mut last) = (Read::default(), None::<Key>);
    while let Some(line) = lines.next::<Line>()? {
        let meant = line.meant(sources.map_or(0, <[_]>::len)).map_err(|why| lines.wrong(&why))?;
        ascend(&mut last, meant.key).map_err(|why| lines.wrong(&why))?;
        if !meant.rows.is_empty() && sources.is_none() {
            return Err(lines.wrong(&"experience, and the head's `sources` is null"));
        }
        add(&meant, writer, &mut read).map_err(|error| lines.wrong(&error))?;
        if read.counts.positions.is_multiple_of(POSITIONS_A_LOOK) {
            run.check_interrupt()?;
        }
    }
    Ok(read)
}

fn add(meant: &LineMeaning, writer: &mut BookWriter, read: &mut Read) -> Result<(), book::Error> {
    if let Some(entry) = &meant.entry {
        writer.push(entry)?;
        read.counts.positions += 1;
        read.counts.moves += entry.edges.len() as u64;
    }
    read.rows += meant.rows.len() as u64;
    meant.rows.iter().try_for_each(|row| writer.push_experience(row))
}

/// How the contents differ from those that the head names. They do if the text was changed or is cut off.
pub(super) fn changed(head: Contents, read: Contents) -> Option<String> {
    if head == read {
        return None;
    }
    let [positions, moves, then, kept] =
        [read.positions, read.moves, head.positions, head.moves].map(grouped);
    Some(format!(
        "the text was changed, or its end is missing: it has {positions} positions and {moves} moves, and its head says \
         {then} and {kept}"
    ))
}
