//! Writes experience files as comma-separated values, for an editor or a spreadsheet, and reads them back.
//!
//! # Format
//!
//! The first line is `#`, a space and the file's header as JSON. The second line contains the names of the
//! columns, which are the same as in the experience file (`file.rs`). All lines after these two are rows.
//! `key` is sixteen hexadecimal digits. `move` is in UCI notation, with castling as king takes rook. It is
//! `--` for the position itself, and a number if the stored bits do not encode a move. A missing value is
//! left empty. `sources` has an item `PLACE LESSON COUNT LAST` for each source, separated by `;`. `PLACE` is
//! the source's index in the header's list, counted from zero.
//!
//! If a file of the current version is exported and the text is imported, the result is the same file, byte
//! for byte.

use std::{
    fmt::{Display, Write as _},
    fs::File,
    io::{self, BufRead, BufReader, Read, Write as _},
    path::Path,
    str::FromStr,
};

use fault::FileFault;
use output::{OutputFile, is_stdout};
use position::{Contribution, Experience, ExperienceKind, ExperienceRow, Key, OwnResults, PackedMove};
use shakmaty::{Role, Square};

use crate::{Error, ExperienceFile, ExperienceHeader, ExperienceWriter, Job, Result, WrittenFile};

/// The columns, in order.
const COLUMNS: &str = "key,move,kind,learn,learn_count,own_wins,own_draws,own_losses,user_value,priority,nag,eval,mate,depth,nodes,sources";
/// Text is buffered until it reaches this number of bytes, then written.
const BUFFER_BYTES: usize = 1 << 16;

/// Writes the experience file at `file` as comma-separated values.
///
/// # Errors
///
/// Fails if the file cannot be read or the output cannot be written.
pub fn export_csv(file: &Path, output: &Path, job: Job<'_>) -> Result<WrittenFile> {
    let file = ExperienceFile::open(file)?;
    let failed = fault::output(output);
    let mut out = OutputFile::create(output, job.existing).map_err(&failed)?;
    let (mut text, mut rows) = (format!("# {}\n{COLUMNS}\n", file.header().to_json()), 0);
    for row in file.read()? {
        job.check_stop()?;
        let row = row?;
        rows += u64::from(row.kind != ExperienceKind::Seen);
        push_row(&row, &mut text);
        if text.len() > BUFFER_BYTES {
            out.file().write_all(text.as_bytes()).map_err(&failed)?;
            text.clear();
        }
    }
    out.file().write_all(text.as_bytes()).map_err(&failed)?;
    out.finish().map_err(&failed)?;
    Ok(WrittenFile { rows, warnings: Vec::new() })
}

fn push_row(row: &ExperienceRow, text: &mut String) {
    let Experience { learn, learn_count, own, user_value, priority, nag, eval, mate, depth, nodes } =
        row.experience;
    let mut field = |value: Option<&dyn Display>| {
        // Writing to a string cannot fail.
        let _ = value.map(|value| write!(text, "{value}"));
        text.push(',');
    };
    let mv = row.mv.to_string();
    let is_named = parse_move(&mv) == Some(row.mv);
    field(Some(&row.key));
    field(Some(if is_named { &mv as &dyn Display } else { &row.mv.0 }));
    field(Some(&<&str>::from(row.kind)));
    let learned = learn != 0.0 || learn_count > 0;
    field(learned.then_some(&learn as &dyn Display));
    for count in [learn_count, own.wins, own.draws, own.losses] {
        field(Some(&count));
    }
    for set in [user_value, priority, nag] {
        field(set.as_ref().map(|set| set as _));
    }
    field(eval.as_ref().map(|eval| eval as _));
    field(mate.as_ref().map(|mate| mate as _));
    field(depth.as_ref().map(|depth| depth as _));
    field(nodes.as_ref().map(|nodes| nodes as _));
    for (at, Contribution { source, lesson, count, last }) in row.taught.iter().enumerate() {
        let between = if at == 0 { "" } else { ";" };
        let _ = write!(text, "{between}{source} {} {count} {last}", <&str>::from(lesson));
    }
    text.push('\n');
}

/// Makes an experience file from text that [`export_csv`] wrote. If `text` is `-`, it is read from standard
/// input.
///
/// # Errors
///
/// Returns [`Error::Csv`], with the line's number, if a line cannot be read.
pub fn import_csv(text: &Path, output: &Path, job: Job<'_>) -> Result<WrittenFile> {
    let failed = FileFault::of("read", text);
    let from: Box<dyn Read> =
        if is_stdout(text) { Box::new(io::stdin()) } else { Box::new(File::open(text).map_err(&failed)?) };
    let wrong = |line: u64, expected: &str| {
        let (path, expected) = (text.to_owned(), expected.to_owned());
        Error::Csv { path, line, expected }
    };
    let mut lines = BufReader::new(from).lines();
    let mut line = || lines.next().transpose().map_err(&failed);
    let head = line()?.unwrap_or_default();
    let head = head.strip_prefix("# ").ok_or_else(|| wrong(1, "`#` and the header of an experience file"))?;
    let header = ExperienceHeader::parse(head, text)?;
    if line()?.as_deref().map(str::trim_end) != Some(COLUMNS) {
        return Err(wrong(2, &format!("the columns {COLUMNS}")).into());
    }
    let mut writer = ExperienceWriter::create(output, &header, job.existing)?;
    let (mut last, mut number) = (None, 2);
    while let Some(row) = line()? {
        job.check_stop()?;
        number += 1;
        let row = parse_row(row.trim_end(), &header).map_err(|why| wrong(number, why))?;
        if last >= Some(row.id()) {
            return Err(wrong(number, "rows in ascending order of key, move and kind").into());
        }
        last = Some(row.id());
        writer.push(&row)?;
    }
    Ok(writer.finish()?)
}

/// Reads a line; fails with a message that says what was expected.
fn parse_row(line: &str, header: &ExperienceHeader) -> std::result::Result<ExperienceRow, &'static str> {
    let fields: Vec<_> = line.split(',').collect();
    let [
        key,
        mv,
        kind,
        learn,
        learn_count,
        wins,
        draws,
        losses,
        user_value,
        priority,
        nag,
        eval,
        mate,
        depth,
        nodes,
        sources,
    ] = fields[..]
    else {
        return Err("sixteen columns");
    };
    let has_search = !mate.is_empty() || !nodes.is_empty();
    if has_search && !header.evaluations {
        return Err("no `mate` and no `nodes` in a file without evaluations");
    }
    let experience = Experience {
        learn: option(learn, "`learn`, a number")?.unwrap_or(0.0),
        learn_count: number(learn_count, "`learn_count`, a number")?,
        own: OwnResults {
            wins: number(wins, "`own_wins`, a number")?,
            draws: number(draws, "`own_draws`, a number")?,
            losses: number(losses, "`own_losses`, a number")?,
        },
        user_value: option(user_value, "`user_value`, 0 to 100")?,
        priority: option(priority, "`priority`, 0 to 5")?,
        nag: option(nag, "`nag`, a number")?,
        eval: option(eval, "`eval`, a number")?,
        mate: option(mate, "`mate`, a number")?,
        depth: option(depth, "`depth`, a number")?,
        nodes: option(nodes, "`nodes`, a number")?,
    };
    crate::file::check_values(&experience)?;
    Ok(ExperienceRow {
        key: number::<Key>(key, "`key`, sixteen hexadecimal digits")?,
        mv: parse_move(mv).or_else(|| mv.parse().ok().map(PackedMove)).ok_or("`move`, as e2e4")?,
        kind: number(kind, "`kind`, book, postbook, position, seen or evaluation")?,
        experience,
        taught: parse_sources(sources, header).ok_or("`sources`, as `0 learn 1 19980301`, ascending")?,
    })
}

fn number<T: FromStr>(text: &str, what: &'static str) -> std::result::Result<T, &'static str> {
    text.parse().map_err(|_| what)
}

fn option<T: FromStr>(text: &str, what: &'static str) -> std::result::Result<Option<T>, &'static str> {
    (!text.is_empty()).then(|| number(text, what)).transpose()
}

fn parse_sources(text: &str, header: &ExperienceHeader) -> Option<Vec<Contribution>> {
    let sources = text.split(';').filter(|text| !text.is_empty()).map(|text| {
        let mut words = text.split(' ');
        let source: u32 = words.next()?.parse().ok()?;
        let (lesson, count) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
        let last = words.next()?.parse().ok()?;
        let is_known = (source as usize) < header.sources.len() && words.next().is_none();
        is_known.then_some(Contribution { source, lesson, count, last })
    });
    let taught: Vec<_> = sources.collect::<Option<_>>()?;
    taught
        .windows(2)
        .all(|two| (two[0].source, two[0].lesson) < (two[1].source, two[1].lesson))
        .then_some(taught)
}

/// Parses a move; `--` stands for the position itself.
fn parse_move(text: &str) -> Option<PackedMove> {
    if text == "--" {
        return Some(PackedMove::TERMINAL);
    }
    let square = |at: usize| text.get(at..at + 2)?.parse::<Square>().ok();
    let promotion = match text.get(4..)? {
        "" => None,
        letter => Some(Role::from_char(letter.parse().ok()?)?),
    };
    Some(PackedMove::new(square(0)?, square(2)?, promotion))
}
