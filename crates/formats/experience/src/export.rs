//! Writes learned values in Crafty's own layout, so that they can be shared.
//!
//! An experience file has values, but not the games from which they were learned. If the caller names the
//! book that was used for learning, a program that learns from the exported records with this book gets the
//! same values again (`export/replay.rs`). Learning spreads the value of a record over the moves of its line,
//! and the result depends on the alternatives to these moves. Without the book, the alternatives are not
//! known, so a line of learned moves is written only if no other learned move continues the line. Each such
//! line becomes one record, with the value of the line's last move. The earlier moves of the line get values
//! when a program learns from the record.

mod positions;
mod replay;
mod steps;

use std::{
    collections::HashSet,
    io::Write,
    path::{Path, PathBuf},
};

use crate::ExperienceFile;
use itertools::Itertools as _;
use learn::{
    crafty::Version,
    export::{ExportLine, write_record},
};
use output::OutputFile;
use position::{ExperienceKind, ExperienceRow, Key, PackedMove};
use table::Table;

use self::{positions::Positions, replay::ExportedValues};
use crate::{Error, Job, Result, WrittenFile};

/// The experience to export, and the form of the export.
#[derive(Clone, Debug)]
pub struct CraftyExport {
    /// The experience.
    pub file: PathBuf,
    /// The version of Crafty, from 14.4 to 20.16. It is written as part of White's name, and determines the
    /// meaning of the numbers.
    pub version: String,
    /// Whether to write position learning, as `position.lrn`, instead of the learned lines.
    pub positions: bool,
}

/// The book that was used to learn the experience.
pub struct SourceBook<'b> {
    /// The table from which the book was made.
    pub table: &'b Path,
    /// Returns the moves that the book keeps in the given positions of the table; the keys must be in
    /// ascending order.
    pub kept_moves: &'b KeptMovesOf<'b>,
}

/// A function that takes a table and the keys of positions, and returns the moves that a book keeps in these
/// positions.
pub type KeptMovesOf<'b> = dyn Fn(&Table, &[Key]) -> Result<Vec<(Key, Vec<PackedMove>)>> + 'b;

/// One record to write.
struct Record<'r> {
    moves: &'r [String],
    /// The value in centipawns, from White's point of view.
    value: i64,
    date: u32,
    rating_difference: i64,
}

/// The other player's name.
const TABIA: &str = "Tabia";

/// The first and the last version whose values are centipawns from White's point of view.
const VERSIONS: [Version; 2] = [Version { major: 14, minor: 4 }, Version { major: 20, minor: 16 }];

/// Writes experience to `output` as learned PGN; `export` selects the experience and the form. If the file
/// has no learned moves, the output is always in the form of `position.lrn`. If `book` is given, learning
/// from the records with this book gives the same values again, apart from those that the returned warnings
/// count.
///
/// # Errors
///
/// Fails with [`Error::CraftyVersion`] for a version whose values are not centipawns from White's point of
/// view, with [`Error::NothingLearned`] if there is nothing to write, and with another error if a file cannot
/// be read or written.
pub fn export_crafty(
    export: &CraftyExport,
    book: Option<SourceBook<'_>>,
    output: &Path,
    job: Job<'_>,
) -> Result<WrittenFile> {
    let crafty = format!("Crafty {}", export.version);
    let fits = |version: &Version| (VERSIONS[0]..=VERSIONS[1]).contains(version);
    let version = Version::of_player(&crafty).filter(fits);
    let known = version.and_then(|version| Some((version, version.family()?)));
    let (version, family) = known.ok_or_else(|| Error::CraftyVersion(export.version.clone()))?;
    let positions = positions::read(&export.file, &crafty, version)?;
    let rows = learned_rows(&export.file)?;
    if export.positions || rows.is_empty() {
        return write_positions(export, &positions, output, job);
    }
    let failed = fault::output(output);
    let mut file = OutputFile::create(output, job.existing).map_err(&failed)?;
    let mut records = 0;
    let mut write = |record: &Record<'_>| {
        job.check_stop()?;
        records += 1;
        file.file().write_all(text(&crafty, record).as_bytes()).map_err(&failed)
    };
    let mut warnings = match book {
        Some(book) => lost(&replay::write(&rows, family, &book, &mut write)?),
        None => write_line_ends(&rows, &mut write)?,
    };
    file.finish().map_err(&failed)?;
    let positions = positions.entries.len() + positions.unknown;
    if positions > 0 {
        warnings.push(format!(
            "{positions} learned positions are left out: --positions writes them to a file of their own"
        ));
    }
    Ok(WrittenFile { rows: records, warnings })
}

/// Writes the values of position learning to `output`.
fn write_positions(
    export: &CraftyExport,
    positions: &Positions,
    output: &Path,
    job: Job<'_>,
) -> Result<WrittenFile> {
    let Positions { entries, unknown } = positions;
    if entries.is_empty() {
        let (path, unknown) = (export.file.clone(), *unknown);
        let nothing =
            if unknown > 0 { Error::OnlyKeys { path, unknown } } else { Error::NothingLearned(path) };
        return Err(nothing.into());
    }
    job.check_stop()?;
    let text = format!("position\n{}", entries.concat());
    output::write_text(output, &text, job.existing).map_err(fault::output(output))?;
    let warning =
        || format!("{unknown} learned positions are left out: the experience file has only their keys");
    Ok(WrittenFile {
        rows: entries.len() as u64,
        warnings: (*unknown > 0).then(warning).into_iter().collect(),
    })
}

/// The rows of learned book moves, in ascending order.
fn learned_rows(path: &Path) -> Result<Vec<ExperienceRow>> {
    let rows = ExperienceFile::open(path)?.read()?;
    let learned = rows.filter_ok(|row| row.kind == ExperienceKind::Book && row.experience.learn_count > 0);
    Ok(learned.collect::<table::Result<_>>()?)
}

/// Returns a warning for each reason why values were not kept, with the number of these values.
fn lost(kept: &ExportedValues) -> Vec<String> {
    let ExportedValues { moves, unreached, not_in_book, beyond, verdicts } = *kept;
    let reasons = [
        (unreached, "no line of known moves leads to their positions"),
        (not_in_book, "the book does not keep these moves"),
        (beyond, "no records lead to within 0.01 of their values"),
        (verdicts, "the values in the records are on the other side of the bound of playable moves"),
    ];
    let warning = |(count, why): (usize, &str)| {
        format!("{count} of {moves} learned moves cannot be restored from the records: {why}")
    };
    reasons.into_iter().filter(|&(count, _)| count > 0).map(warning).collect()
}

/// Writes one record for each line that ends with a learned move, unless another learned move continues the
/// line.
fn write_line_ends(
    rows: &[ExperienceRow],
    mut write: impl FnMut(&Record<'_>) -> Result<()>,
) -> Result<Vec<String>> {
    let lines = replay::lines(rows, None)?;
    let parents: HashSet<&[String]> = lines.iter().map(|line| &line.sans[..line.sans.len() - 1]).collect();
    let mut ends: Vec<_> = lines.iter().filter(|line| !parents.contains(line.sans.as_slice())).collect();
    ends.sort_by_key(|line| (line.sans.len(), &line.sans));
    for line in &ends {
        let centipawns = (f64::from(line.learned) * 100.0).round() as i64;
        // `centipawns` is from the mover's point of view, and a record's value is from White's. If the number
        // of moves is even, the last mover is Black, so the sign changes.
        let value = if line.sans.len().is_multiple_of(2) { -centipawns } else { centipawns };
        write(&Record { moves: &line.sans, value, date: line.date, rating_difference: 0 })?;
    }
    let kept = ExportedValues {
        moves: rows.len(),
        unreached: rows.len() - lines.len(),
        ..ExportedValues::default()
    };
    Ok(lost(&kept))
}

/// The latest day on which a value of the row was learned.
fn last_day(row: &ExperienceRow) -> u32 {
    row.taught.iter().map(|taught| taught.last).max().unwrap_or(0)
}

fn text(crafty: &str, record: &Record<'_>) -> String {
    let &Record { moves, value, date, rating_difference } = record;
    let mut text = String::new();
    let line = ExportLine { white: crafty, black: TABIA, date, moves, value, depth: 0, rating_difference };
    write_record(&line, &mut text);
    text
}
