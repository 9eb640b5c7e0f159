//! Exports a book or a table as an Arena book.

use std::{path::Path, time::Instant};

use book::abk::{COUNTS_OF_POSITIONS, Header, prepare};
use output::is_stdout;
use query::{Artefact, LookUps};
use run::{Error, FileFormat, Limits, Result, Run, RunError, RunOptions, SamePath, Summary, check_paths};

use super::unfold::LineTree;
use crate::{BooksError, check_file_output};

/// Which lines go into an Arena book.
#[derive(Clone, Debug)]
pub struct UnfoldOptions {
    /// The maximum length of a line, in plies.
    pub max_ply: u32,
    /// A move is written if it has at least this many games.
    pub min_games: u64,
    /// The maximum number of records in the book.
    pub max_records: u64,
    /// If a line ends at a position from which another line continues, this many plies of the continuation
    /// are appended to the first line.
    pub repeat_plies: u32,
    /// The author's name to store in the book.
    pub author: String,
}

/// Writes the lines of the book or table at `path` as an Arena book.
///
/// # Errors
///
/// Fails if the input has no counts or cannot be read, or if the output exists or cannot be written.
pub fn export_abk(
    path: &Path,
    output: &Path,
    options: &UnfoldOptions,
    limits: &Limits,
    run: &RunOptions,
) -> Result<Summary> {
    let start = Instant::now();
    if is_stdout(output) {
        return Err(BooksError::Stdout.into());
    }
    check_paths(&[path], &[(output, FileFormat::Arena)], SamePath::Refused)?;
    check_file_output(output, run)?;
    run.progress.enter("unfolding lines", 0);
    let artefact = Artefact::open(path)?;
    check_counts(&artefact)?;
    let go_on = || run.flow();
    let memory_bytes = limits.memory_bytes();
    let look_ups = LookUps::of(&artefact, (limits.threads(), memory_bytes), &go_on);
    let unfolded = LineTree::of(look_ups, options, memory_bytes, run).map_err(Error::of_run)?;
    let records = unfolded.nodes.len() as u64;
    if records == 0 && !run.allow_empty {
        let why = "no move of the start position has that many games".into();
        return Err(RunError::NothingKept(why).into());
    }
    let no_room = BooksError::NoRoom { missing: unfolded.no_room, most: options.max_records };
    if run.strict && unfolded.no_room > 0 {
        return Err(no_room.into());
    }
    let header = Header {
        comment: COUNTS_OF_POSITIONS.into(),
        author: options.author.clone(),
        plies: unfolded.plies,
        moves: records as u32,
        priority_weight: u32::from(unfolded.has_priorities),
        games_weight: 1,
    };
    let prepared = prepare(output, &header, (&unfolded.nodes, &unfolded.first), run.existing())?;
    let mut summary = Summary::new();
    if unfolded.no_room > 0 {
        summary.warnings.push(no_room.to_string());
    }
    summary.exported.insert("records".into(), records);
    summary.exported.extend(unfolded.counted.said());
    summary.add_seconds("export", start);
    Run { summary, outputs: vec![prepared], ..Run::default() }.publish()
}

/// Refuses an input that has no counts.
fn check_counts(artefact: &Artefact) -> Result<()> {
    match artefact {
        Artefact::Book(_) | Artefact::Table(_) => Ok(()),
        Artefact::Polyglot(book) => Err(RunError::NoCounts(book.path().into()).into()),
        Artefact::Experience(_) => {
            Err(RunError::WrongArtefact { expected: "a book or a table", got: artefact.kind() }.into())
        }
    }
}
