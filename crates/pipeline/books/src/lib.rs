//! Works on finished books: merges, edits and compares them, converts them to text and other formats, and
//! imports other programs' books.
//!
//! A book contains only the moves that its filter kept. Results computed from books are therefore exact only
//! for the moves that the books contain, and the summary reports how many moves the filters may have dropped.

pub mod abk;
mod diff;
mod edit;
mod error;
mod experience_files;
pub mod import;
mod item_counts;
pub mod json;
mod lines;
mod merge;
mod merge_polyglot;
mod missing_moves;
mod origin;

use std::path::{Path, PathBuf};

use book::{Book, BookWriter, polyglot};
use count::{MergeOptions, same_place};
use output::{Prepared, check_file, is_stdout};
use query::Artefact;
use run::{BookReport, FileFormat, Result, Run, RunOptions, SamePath, Summary, check_paths};

pub use self::{
    diff::diff,
    edit::{EditOptions, edit},
    error::BooksError,
    lines::export_lines,
};
use self::{
    merge::merge_books,
    merge_polyglot::{merge_polyglot, repair_polyglot},
};
pub use book::{
    Ratio,
    polyglot::{Factor, Merging, Strategy},
};

/// How to merge tables or Polyglot books. If a flag on the command line does not apply to the kind of the
/// inputs, the merge fails with an error that names the flag.
#[derive(Default)]
pub struct MergeAny {
    /// How tables are merged.
    pub tables: MergeOptions,
    /// How to merge Polyglot books.
    pub polyglot: Merging,
    /// Whether a single unsorted Polyglot book is sorted and written as a new book.
    pub repair: bool,
    /// The flags on the command line that apply only to tables.
    pub for_tables: Vec<&'static str>,
    /// The flags on the command line that apply only to Polyglot books.
    pub for_polyglot: Vec<&'static str>,
}

/// The inputs of a merge, all of the same kind.
enum Inputs {
    Tables,
    Books(Vec<Book>),
    Polyglot(Vec<polyglot::Reader>),
}

impl Inputs {
    /// The kind, in words.
    fn name(&self) -> &'static str {
        match self {
            Inputs::Tables => "tables",
            Inputs::Books(_) => "books",
            Inputs::Polyglot(_) => "Polyglot books",
        }
    }
}

/// Merges tables, books or Polyglot books into a new one at `output`.
///
/// # Errors
///
/// Fails with [`BooksError`] if the inputs are of different kinds or a setting does not apply to their kind.
/// Also fails if the merge fails.
pub fn merge(paths: &[PathBuf], output: &Path, options: &MergeAny, run: &RunOptions) -> Result<Summary> {
    let (inputs, warnings) = open(paths)?;
    check_flags(&inputs, options)?;
    let mut summary = match inputs {
        Inputs::Tables => return count::merge(paths, output, &options.tables, run),
        Inputs::Books(books) => {
            check_output(paths, (output, FileFormat::Book), run)?;
            merge_books(&books, output, run)?
        }
        Inputs::Polyglot(books) => {
            check_output(paths, (output, FileFormat::Polyglot), run)?;
            match (&books[..], options.repair) {
                ([book], true) => repair_polyglot(book, output, &options.tables.limits, run)?,
                (several, true) => return Err(BooksError::RepairSeveral(several.len()).into()),
                _ => merge_polyglot(&books, output, &options.polyglot, run)?,
            }
        }
    };
    summary.warnings.splice(0..0, warnings);
    Ok(summary)
}

/// Refuses an output that cannot be written, before anything is read.
fn check_output(paths: &[PathBuf], (output, format): (&Path, FileFormat), run: &RunOptions) -> Result<()> {
    if is_stdout(output) {
        return Err(BooksError::Stdout.into());
    }
    let reads: Vec<&Path> = paths.iter().map(PathBuf::as_path).collect();
    check_paths(&reads, &[(output, format)], SamePath::Replaced)?;
    check_file_output(output, run)
}

/// Refuses an output that exists and must not be replaced, or that is not a file.
fn check_file_output(output: &Path, run: &RunOptions) -> Result<()> {
    let place = output::recover(output).and_then(|()| check_file(output, run.existing()));
    place.map_err(fault::output(output))
}

/// Opens each input once, and returns warnings to show to the user.
fn open(paths: &[PathBuf]) -> Result<(Inputs, Vec<String>)> {
    let mut inputs = None;
    let mut known = Vec::<(&PathBuf, &str)>::new();
    let mut warnings = Vec::new();
    for path in paths {
        let artefact = Artefact::open(path)?;
        if known.iter().any(|(known, _)| same_place(known, path)) {
            let path = path.display();
            warnings.push(format!("{path} was given more than once, but is read only once"));
            continue;
        }
        let got = artefact.kind();
        match (&mut inputs, artefact) {
            (Some(Inputs::Tables), Artefact::Table(_)) => {}
            (Some(Inputs::Books(books)), Artefact::Book(book)) => books.push(book),
            (Some(Inputs::Polyglot(books)), Artefact::Polyglot(book)) => books.push(book),
            (_, Artefact::Experience(_)) => return Err(BooksError::Experience(path.clone()).into()),
            (Some(_), _) => {
                let (first, expected) = known[0];
                let (first, path) = (first.clone(), path.clone());
                return Err(BooksError::Mixed { first, expected, path, got }.into());
            }
            (None, Artefact::Table(_)) => inputs = Some(Inputs::Tables),
            (None, Artefact::Book(book)) => inputs = Some(Inputs::Books(vec![book])),
            (None, Artefact::Polyglot(book)) => inputs = Some(Inputs::Polyglot(vec![book])),
        }
        known.push((path, got));
    }
    inputs.map(|inputs| (inputs, warnings)).ok_or_else(|| BooksError::Nothing.into())
}

/// Fails if a flag was given that does not apply to inputs of this kind.
fn check_flags(inputs: &Inputs, options: &MergeAny) -> Result<()> {
    let refuse = |flags: &[&'static str], only: &'static str| match flags.first() {
        Some(&flag) => Err(BooksError::Flag { flag, only, got: inputs.name() }),
        None => Ok(()),
    };
    if !matches!(inputs, Inputs::Tables) {
        refuse(&options.for_tables, "tables")?;
    }
    match inputs {
        Inputs::Polyglot(books) => check_factors(books.len(), &options.polyglot)?,
        _ => refuse(&options.for_polyglot, "Polyglot books")?,
    }
    Ok(())
}

/// Refuses settings that the strategy does not use, and factors whose number differs from the number of
/// books.
fn check_factors(books: usize, merging: &Merging) -> Result<(), BooksError> {
    let factors = merging.factors.len();
    if merging.strategy == Strategy::First && (factors > 0 || merging.no_scale) {
        return Err(BooksError::FirstHasNoWeights);
    }
    if factors > 0 && factors != books {
        return Err(BooksError::Factors { expected: books, got: factors });
    }
    Ok(())
}

/// Completes a book and reports its contents.
pub(crate) fn write_report(
    summary: Summary,
    writer: BookWriter,
    rows: u64,
    output: &Path,
) -> Result<Summary> {
    let mut run = Run { summary, ..Run::default() };
    report_book(&mut run, writer, rows, output)?;
    run.publish()
}

/// Completes a book that has no name yet and reports its contents.
fn report_book(run: &mut Run, writer: BookWriter, experience: u64, output: &Path) -> Result<()> {
    let (stats, prepared) = writer.prepare()?;
    run.outputs.push(prepared);
    run.summary.books.push(BookReport {
        path: output.display().to_string(),
        positions: stats.positions,
        moves: stats.edges,
        experience,
        ..BookReport::default()
    });
    (run.summary.book_positions, run.summary.book_edges) = (stats.positions, stats.edges);
    run.summary.book_experience = experience;
    Ok(())
}

/// Makes the output appear.
fn publish(summary: Summary, prepared: Prepared) -> Result<Summary> {
    Run { summary, outputs: vec![prepared], ..Run::default() }.publish()
}
