//! Merges books: adds up their counts, and merges their experience.
//!
//! # Flow
//!
//! 1. The books must have been counted in the same way, and no two may count the same source.
//! 2. Their positions are read side by side in key order, and tallies of positions and moves are added up.
//! 3. If the filter of an input book dropped moves, the merge counts the moves of the merged book that the
//!    filter may have dropped from that input book.
//! 4. Experience is merged as in `experience merge`.

use std::{path::Path, time::Instant};

use book::{Book, BookWriter, JoinedBooks, PositionEntry};
use position::Root;
use run::{Result, RunOptions, Summary};
use serde_json::{Value, json};
use shakmaty::Chess;

use super::{
    experience_files::ExperienceFiles,
    missing_moves::{self, MissingMoves},
    origin::{self, Origin},
    write_report,
};

/// The number of positions between two checks for an interrupt.
const POSITIONS_A_LOOK: u64 = 1 << 14;

/// Merges `books` into a new one.
///
/// # Memory
///
/// Uses as much memory as a [`JoinedBooks`] and a [`BookWriter`] together.
pub(super) fn merge_books(books: &[Book], output: &Path, run: &RunOptions) -> Result<Summary> {
    let start = Instant::now();
    let origins = books.iter().map(Origin::of).collect::<Result<Vec<_>>>()?;
    let mut summary = Summary::new();
    summary.warnings = origin::check(books, &origins, run.force)?;
    let mut writer = create(books, &origin::joined(books, &origins), output, run)?;
    let missing = write_positions(books, &origins, &mut writer, run)?;
    for ((book, origin), missing) in books.iter().zip(&origins).zip(&missing) {
        let path = book.path().display().to_string();
        summary.warnings.extend(missing.warning(&path, origin.keeps()));
    }
    let experience = write_experience(books, &mut writer, &mut summary)?;
    writer.set_roots(roots(books)?);
    summary.add_seconds("merge", start);
    write_report(summary, writer, experience, output)
}

/// The roots of all books; for a book without roots, the start position.
fn roots(books: &[Book]) -> Result<Vec<Root>> {
    let mut all = Vec::new();
    for book in books {
        let roots = book.roots()?;
        all.extend(roots.is_empty().then(|| Root::of(&Chess::default())));
        all.extend(roots);
    }
    Ok(all)
}

fn create(books: &[Book], provenance: &Value, output: &Path, run: &RunOptions) -> Result<BookWriter> {
    // The merged book has at least this many positions, and rarely far more.
    let expected = books.iter().map(|book| book.stats().positions).max().unwrap_or(0);
    Ok(BookWriter::create(output, provenance, expected, run.existing())?)
}

/// Writes all positions. For each input book, returns the number of moves in the merged book that the filter
/// of the input book may have dropped.
fn write_positions(
    books: &[Book],
    origins: &[Origin],
    writer: &mut BookWriter,
    run: &RunOptions,
) -> Result<Vec<MissingMoves>> {
    run.progress.enter("merging books", 0);
    let complete: Vec<_> = origins.iter().map(Origin::is_complete).collect();
    let mut missing = vec![MissingMoves::default(); books.len()];
    let mut joined = JoinedBooks::new(books)?;
    let mut sum = PositionEntry::default();
    let mut done = 0_u64;
    while joined.advance()? {
        joined.sum_into(&mut sum)?;
        missing_moves::count(&joined, &sum, &complete, &mut missing);
        writer.push(&sum)?;
        done += 1;
        if done.is_multiple_of(POSITIONS_A_LOOK) {
            run.check_interrupt()?;
        }
    }
    Ok(missing)
}

/// Writes the experience of the books. Returns the number of rows.
fn write_experience(books: &[Book], writer: &mut BookWriter, summary: &mut Summary) -> Result<u64> {
    let Some(knowledge) = ExperienceFiles::of(books)? else { return Ok(0) };
    let union = knowledge.union()?;
    writer.begin_experience(json!(union.header().sources));
    let (mut rows, mut written) = (union.rows()?, 0);
    for row in &mut rows {
        writer.push_experience(&row?)?;
        written += 1;
    }
    summary.warnings.extend(rows.warnings("books"));
    Ok(written)
}
