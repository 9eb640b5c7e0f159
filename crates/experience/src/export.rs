//! Learned values in Crafty's own layout, so that what is held here can be shared on.
//!
//! An experience file holds values, not the games that made them. Each line of learned moves that no longer
//! learned line goes on from becomes one record: its moves, and the value of its last one. Crafty gives that
//! value to the last choice of the line and backs it up from there, as it does with a record of its own.

use std::{
    collections::HashSet,
    io::Write,
    path::{Path, PathBuf},
};

use learn::{
    crafty::Version,
    export::{Line, write_record},
};
use output::OutputFile;
use position::{ExperienceKind, Lesson};

use crate::{Error, Job, Result, ShowOptions, Shown, Written, show};

/// How records are written.
#[derive(Clone, Debug)]
pub struct CraftyExport {
    /// The experience.
    pub file: PathBuf,
    /// The version in the name of White, which tells readers what the numbers mean: 14.4 to 20.16.
    pub version: String,
}

/// The other player's name.
const TABIA: &str = "Tabia";

/// Versions whose values are centipawns from White's view.
const VERSIONS: [Version; 2] = [Version { major: 14, minor: 4 }, Version { major: 20, minor: 16 }];

/// Writes what `export` names as learned PGN to `output`.
///
/// # Errors
///
/// [`Error::CraftyVersion`] for a version that writes no such values; if a file cannot be read or written.
pub fn export_crafty(export: &CraftyExport, output: &Path, job: Job<'_>) -> Result<Written> {
    let crafty = format!("Crafty {}", export.version);
    let fits = |version: Version| (VERSIONS[0]..=VERSIONS[1]).contains(&version);
    if !Version::of_player(&crafty).is_some_and(fits) {
        return Err(Error::CraftyVersion { got: export.version.clone() });
    }
    let failed = Error::output(output);
    let mut file = OutputFile::create(output, job.existing).map_err(&failed)?;
    let learned = ShowOptions {
        kind: Some(ExperienceKind::Book),
        lesson: Some(Lesson::Learn),
        ..ShowOptions::default()
    };
    let (_, _, rows) = show(&export.file, &learned)?;
    let lines = last_moves(&rows);
    for shown in &lines {
        job.check_stop()?;
        file.file().write_all(record(&crafty, shown).as_bytes()).map_err(&failed)?;
    }
    file.finish().map_err(&failed)?;
    Ok(Written { rows: lines.len() as u64, warnings: unreached(&rows) })
}

/// Learned moves that no line of learned moves reaches cannot be written.
fn unreached(rows: &[Shown]) -> Vec<String> {
    let moves = rows.iter().filter(|shown| shown.line.is_none()).count();
    let warning = || {
        format!(
            "{moves} learned moves are left out: no line of learned moves leads to their positions from the start"
        )
    };
    (moves > 0).then(warning).into_iter().collect()
}

/// The learned moves that end a line: no learned move goes on from where they lead.
fn last_moves(rows: &[Shown]) -> Vec<&Shown> {
    let whole = |shown: &Shown| {
        Some(format!("{} {}", shown.line.as_deref()?, shown.san.as_deref()?).trim().to_owned())
    };
    let goes_on: HashSet<&str> = rows.iter().filter_map(|shown| shown.line.as_deref()).collect();
    let ends = |shown: &&Shown| whole(shown).is_some_and(|line| !goes_on.contains(line.as_str()));
    rows.iter().filter(ends).collect()
}

fn record(crafty: &str, shown: &Shown) -> String {
    let line = shown.line.as_deref().unwrap_or_default();
    let moves: Vec<&str> = line.split_whitespace().chain(shown.san.as_deref()).collect();
    let centipawns = (f64::from(shown.row.experience.learn) * 100.0).round() as i64;
    // White's view: an even number of moves ends with one of Black's.
    let value = if moves.len().is_multiple_of(2) { -centipawns } else { centipawns };
    let date = shown.row.taught.iter().map(|taught| taught.last).max().unwrap_or(0);
    let mut text = String::new();
    let line =
        Line { white: crafty, black: TABIA, date, moves: &moves, value, depth: 0, rating_difference: 0 };
    write_record(&line, &mut text);
    text
}
