//! Writes imported moves as a book, with their marks as values set by hand.

use book::{BookEdge, BookWriter, PositionEntry};
use experience::ExperienceSource;
use position::{Contribution, Experience, ExperienceKind, ExperienceRow, Lesson};
use run::{Result, Summary};
use serde_json::json;

use super::{ForeignBook, Import, ImportedMove};
use crate::write_report;

/// Writes the book.
pub(super) fn write(imported: &ForeignBook, import: &Import<'_>, mut summary: Summary) -> Result<Summary> {
    let positions = || imported.moves.chunk_by(|a, b| a.key == b.key);
    let expected = positions().count() as u64;
    let mut writer =
        BookWriter::create(import.output, &provenance(imported), expected, import.run.existing())?;
    for moves in positions() {
        writer.push(&entry(moves))?;
        import.run.check_interrupt()?;
    }
    let marked = write_marks(imported, &mut writer)?;
    if !imported.has_results {
        let path = imported.path.display();
        let warning = format!("{path} has no results, so the book counts each of its games as a draw");
        summary.warnings.push(warning);
    }
    write_report(summary, writer, marked, import.output)
}

/// The book's provenance, in the same form as in a book made from counted games.
fn provenance(imported: &ForeignBook) -> serde_json::Value {
    json!({
        "counting": imported.counting(), "games": imported.accepted, "sources": [imported.source()],
        "book": { "keeps": "" }, "created_by": table::CREATED_BY,
    })
}

fn entry(moves: &[ImportedMove]) -> PositionEntry {
    let tally = moves.iter().map(|mv| mv.tally).sum();
    let played = moves.iter().filter(|mv| !mv.mv.is_terminal());
    let edges = played.map(|mv| BookEdge { mv: mv.mv, tally: mv.tally }).collect();
    PositionEntry { key: moves[0].key, turn: moves[0].step.mover(), tally, edges }
}

/// Writes the marks. Returns how many moves have a mark.
fn write_marks(imported: &ForeignBook, writer: &mut BookWriter) -> Result<u64> {
    let marked: Vec<_> = imported.moves.iter().filter_map(mark).collect();
    if marked.is_empty() {
        return Ok(0);
    }
    let source = ExperienceSource {
        name: imported.path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        teacher: imported.format.to_lowercase(),
        xxh3: imported.identity(),
        records: imported.moves.iter().filter(|mv| !mv.mv.is_terminal()).count() as u64,
        taught: marked.len() as u64,
        ..ExperienceSource::default()
    };
    writer.begin_experience(json!([source]));
    marked.iter().try_for_each(|row| writer.push_experience(row))?;
    Ok(marked.len() as u64)
}

fn mark(mv: &ImportedMove) -> Option<ExperienceRow> {
    let experience = Experience { user_value: mv.mark.value, nag: mv.mark.nag, ..Experience::default() };
    let taught = vec![Contribution { source: 0, lesson: Lesson::Set, count: 1, last: 0 }];
    let row = ExperienceRow { key: mv.key, mv: mv.mv, kind: ExperienceKind::Book, experience, taught };
    (!experience.is_empty()).then_some(row)
}
