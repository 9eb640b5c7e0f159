//! Edits a finished book: adds, drops, weighs, marks or forbids lines, and writes the result as a new book.
//!
//! # Flow
//!
//! 1. The edits from the script and from the command line are joined into one list; both use the same
//!    [`grammar`].
//! 2. An [`Editor`](apply::Editor) applies them in order to a [`Draft`](draft::Draft), which consists of the
//!    book and, in memory, the positions that have changed.
//! 3. The draft is written as a new book, which names each edit in its provenance.
//!
//! Counts of games never change: an added move has none, and a position from which moves are dropped keeps
//! its total.
//!
//! # Memory
//!
//! Keeps the changed positions in memory. Dropping lines or pruning positions takes additional memory: about
//! 25 bytes for each position of the book, and 300 for each position in the two plies that have the most
//! positions.

mod apply;
mod draft;
mod grammar;
mod overlay;
mod polyglot;
mod reach;
mod script;
mod tabia;
mod way;

use std::{
    path::{Path, PathBuf},
    time::Instant,
};

use query::Artefact;
use run::{FileFormat, Result, Run, RunError, RunOptions, Summary};
use shakmaty::Color;

use self::{apply::Editor, draft::Draft, polyglot::PolyglotDraft, script::EditAt, tabia::BookDraft};
use super::{BooksError, check_output};

/// The edits to make to a book, and how to make them.
#[derive(Clone, Debug, Default)]
pub struct EditOptions {
    /// The edits, in order.
    pub edits: Vec<String>,
    /// A file with one edit per line, to be applied before `edits`.
    pub script: Option<PathBuf>,
    /// The side whose moves may be edited; `None` means both.
    pub color: Option<Color>,
    /// Whether an edit that would change nothing is skipped rather than refused.
    pub skip_done: bool,
    /// The book to write; if `None`, the edits are tried without writing a book.
    pub output: Option<PathBuf>,
}

/// Applies edits to the book at `path`, a `.tabia` or a Polyglot book, and writes the result.
///
/// # Errors
///
/// Fails with [`BooksError::Edit`], which names the edit, if an edit cannot be made or, without `skip_done`,
/// would change nothing. In either case, nothing is written.
pub fn edit(path: &Path, options: &EditOptions, run: &RunOptions) -> Result<Summary> {
    let given = script::edits(options)?;
    let artefact = Artefact::open(path)?;
    let check = |format| match &options.output {
        Some(output) => check_output(&[path.to_owned()], (output, format), run),
        None => Ok(()),
    };
    match &artefact {
        Artefact::Book(book) => {
            check(FileFormat::Book)?;
            edited(BookDraft::of(book)?, &given, options, run)
        }
        Artefact::Polyglot(reader) => {
            check(FileFormat::Polyglot)?;
            edited(PolyglotDraft::of(reader)?, &given, options, run)
        }
        other => Err(BooksError::NotEditable { path: path.into(), got: other.kind() }.into()),
    }
}

fn edited<D: Draft>(draft: D, given: &[EditAt], options: &EditOptions, run: &RunOptions) -> Result<Summary> {
    let start = Instant::now();
    run.progress.enter("editing", 0);
    let mut editor = Editor::new(draft, options, run);
    let done = editor.apply_all(given)?;
    let (draft, summary) = editor.finish();
    if draft.is_empty()? && !run.allow_empty {
        return Err(RunError::NothingKept("the edits drop every move".into()).into());
    }
    let mut edited = Run { summary, ..Run::default() };
    if let Some(output) = &options.output {
        let texts: Vec<_> = done.into_iter().map(|given| recorded(given, options.color)).collect();
        draft.write(&texts, output, run, &mut edited)?;
    }
    edited.summary.add_seconds("edit", start);
    if options.output.is_some() { edited.publish() } else { Ok(edited.summary) }
}

/// The text that the new book's provenance records for an edit.
fn recorded(given: &EditAt, color: Option<Color>) -> String {
    let side = color.map_or("", |color| color.fold_wb(" (white)", " (black)"));
    format!("{}{side}", given.text)
}
