//! Lines into a book.

use std::{path::Path, time::Instant};

use book::BookWriter;
use output::is_stdout;
use position::Key;
use report::grouped;
use serde_json::Value;

use super::{
    head::{Counts, FORMAT, Head, VERSION},
    line::{Line, Meant},
    reading::Lines,
};
use crate::{
    Error, Result, RunOptions, SamePath, Summary,
    books::{BooksError, check_file_output, write_report},
    check_paths,
};

/// Positions between two looks at whether the user interrupts.
const POSITIONS_A_LOOK: u64 = 1 << 12;

/// What was read.
#[derive(Default)]
struct Read {
    counts: Counts,
    rows: u64,
}

/// Writes the book at `output` that the JSON lines at `path` describe; `-` is standard input.
///
/// # Errors
///
/// [`BooksError::Line`] with the line that makes no sense; nothing is written then.
pub fn import_json(path: &Path, output: &Path, run: &RunOptions) -> Result<Summary> {
    let start = Instant::now();
    if is_stdout(output) {
        return Err(BooksError::Stdout.into());
    }
    let reads: &[&Path] = if is_stdout(path) { &[] } else { &[path] };
    check_paths(reads, &[output], SamePath::Refused)?;
    check_file_output(output, run)?;
    let mut lines = Lines::open(path)?;
    let head = read_head(&mut lines)?;
    let mut writer = BookWriter::create(output, &head.provenance, head.counts.positions, run.existing())?;
    if let Some(sources) = &head.sources {
        writer.begin_experience(Value::Array(sources.clone()));
    }
    let read = read_lines(&mut lines, head.sources.as_deref(), &mut writer, run)?;
    if read.counts.moves == 0 && !run.allow_empty {
        return Err(Error::NothingKept { why: "the text has no line with moves".into() });
    }
    let mut summary = Summary::new();
    summary.warnings.extend(changed(&head, &read));
    summary.add_seconds("import", start);
    write_report(summary, writer, read.rows, output)
}

fn read_head(lines: &mut Lines) -> Result<Head> {
    let value: Option<Value> = lines.next()?;
    let value = value.ok_or_else(|| lines.wrong(&"the text is empty"))?;
    if value["format"] != FORMAT {
        let why = "the first line is not the head of a book, {\"format\":\"tabia-book\", …}; a filter has to let it pass";
        return Err(lines.wrong(&why));
    }
    if value["version"] != VERSION {
        let why = format!("version {} of the text; this program reads version {VERSION}", value["version"]);
        return Err(lines.wrong(&why));
    }
    serde_json::from_value(value).map_err(|error| lines.wrong(&error))
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
        if let Some(last) = last.filter(|last| *last >= meant.key) {
            let why = format!("the key {} after {last}: lines must ascend by key, each once", meant.key);
            return Err(lines.wrong(&why));
        }
        last = Some(meant.key);
        if !meant.rows.is_empty() && sources.is_none() {
            return Err(lines.wrong(&"experience, and the head's `sources` is null"));
        }
        add(&meant, writer, &mut read).map_err(|error| lines.wrong(&error))?;
        if read.counts.positions.is_multiple_of(POSITIONS_A_LOOK) && run.flow().is_break() {
            return Err(Error::Interrupted);
        }
    }
    Ok(read)
}

fn add(meant: &Meant, writer: &mut BookWriter, read: &mut Read) -> Result<(), book::Error> {
    if let Some(entry) = &meant.entry {
        writer.push(entry)?;
        read.counts.positions += 1;
        read.counts.moves += entry.edges.len() as u64;
    }
    read.rows += meant.rows.len() as u64;
    meant.rows.iter().try_for_each(|row| writer.push_experience(row))
}

/// What differs from what the head says: the text was changed, or its end is missing.
fn changed(head: &Head, read: &Read) -> Option<String> {
    if head.counts == read.counts {
        return None;
    }
    let [positions, moves, then, kept] =
        [read.counts.positions, read.counts.moves, head.counts.positions, head.counts.moves].map(grouped);
    Some(format!(
        "the text was changed, or its end is missing: it has {positions} positions and {moves} moves, and its head says \
         {then} and {kept}"
    ))
}
