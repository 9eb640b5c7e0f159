//! Writes imported moves as a table.

use output::{Prepared, grouped};
use run::{Result, Run, Summary};
use table::{DEFAULT_SHARDS, Row, TableWriter};

use super::{ForeignBook, Import, ImportedMove};

/// Writes the table.
pub(super) fn write(imported: &ForeignBook, import: &Import<'_>, mut summary: Summary) -> Result<Summary> {
    let lock = import.run.lock(import.output)?;
    let writer = TableWriter::create(import.output, imported.counting(), DEFAULT_SHARDS, import.run.force)?;
    let (rows, prepared) = write_shards(imported, writer)?;
    (summary.edges, summary.games, summary.accepted) = (rows, imported.games, imported.accepted);
    let marked = imported.moves.iter().filter(|mv| mv.mark.value.is_some() || mv.mark.nag.is_some()).count();
    if marked > 0 {
        let marked = grouped(marked as u64);
        let marks = format!(
            "a table cannot hold the marks and priorities of {marked} moves; use -o NAME.tabia to keep them"
        );
        summary.warnings.push(marks);
    }
    Run { summary, outputs: vec![prepared], locks: vec![lock], ..Run::default() }.publish()
}

fn write_shards(imported: &ForeignBook, writer: TableWriter) -> Result<(u64, Prepared)> {
    let (mut rest, mut shards) = (imported.moves.as_slice(), Vec::new());
    for number in 0..writer.shards() {
        let (_, last) = writer.key_range(number);
        let (here, after) = rest.split_at(rest.partition_point(|mv| mv.key <= last));
        let mut shard = writer.shard(number)?;
        for mv in here.iter().filter(|mv| mv.tally.games() > 0) {
            shard.push(&row(mv))?;
        }
        shards.push(shard.finish()?);
        rest = after;
    }
    let rows = shards.iter().map(|shard| shard.rows).sum();
    let (_, prepared) = writer.prepare(shards, vec![imported.source()])?;
    Ok((rows, prepared))
}

fn row(mv: &ImportedMove) -> Row {
    Row { key: mv.key, mv: mv.mv, step: mv.step, tally: mv.tally, ..Row::default() }
}
