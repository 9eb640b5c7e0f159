//! Imports an Arena book into a table or a book.

mod tree;

use std::{path::Path, time::Instant};

use book::abk::{COUNTS_OF_POSITIONS, Reader};
use run::{Result, RunOptions, Summary};

use self::tree::Tree;
use super::{
    CountedPer, ForeignBook, Import, ImportedMove, Mark, Visits, block_bytes, end_lines, foreign,
    illegal_moves, join,
};
use crate::item_counts::ItemCounts;

/// Makes a table or a book from the Arena book at `path`, depending on the extension of `output`.
///
/// # Errors
///
/// Fails with [`BooksError::NoResults`](crate::BooksError::NoResults) if `output` is a table and no game has
/// a result. Also fails if the file has a different format or is damaged, or if the output cannot be written.
pub fn import_abk(path: &Path, output: &Path, run: &RunOptions) -> Result<Summary> {
    let start = Instant::now();
    let import = Import::new(path, output, run)?;
    foreign::check(path)?;
    let reader = Reader::open(path).map_err(|error| foreign::explained(path, error))?;
    let imported = read(&reader, &import, run)?;
    let mut summary = import.write(&imported)?;
    summary.add_seconds("import", start);
    Ok(summary)
}

fn read(reader: &Reader, import: &Import<'_>, run: &RunOptions) -> Result<ForeignBook> {
    let mut tree = Tree::read(reader, run)?;
    let has_results = tree.has_results();
    import.check_results(reader.file().path(), has_results || tree.moves.is_empty())?;
    let priorities = tree.moves.first().map(|mv| mv.mark);
    if tree.moves.iter().all(|mv| Some(mv.mark) == priorities) {
        tree.moves.iter_mut().for_each(|mv| mv.mark = Mark::default());
    }
    let is_ours = reader.header().comment == COUNTS_OF_POSITIONS;
    let joined = join(tree.moves, if is_ours { CountedPer::Position } else { CountedPer::Line });
    let mut moves = joined.moves;
    let visits = moves.iter().map(visits).collect();
    let exceeded = end_lines(&mut moves, visits);
    let mut counted = ItemCounts::default();
    counted.add("records", reader.records());
    counted.add("deleted moves left out", tree.deleted);
    counted.add("illegal moves left out", tree.illegal);
    counted.add("records that no line leads to", reader.records() - tree.met);
    counted.add("moves of other lines joined", joined.repeated);
    counted.add("other priorities of joined moves left out", joined.other_marks);
    counted.add("moves with more results than games", tree.exceeded);
    counted.add("positions left by more games than reached them", exceeded);
    Ok(ForeignBook {
        path: reader.file().path().into(),
        format: "ABK",
        bytes: reader.file().bytes(),
        blocks: reader.file().block_hashes(block_bytes()),
        games: tree.games,
        accepted: tree.games,
        plies: tree.plies,
        moves,
        has_results,
        counted,
        warnings: illegal_moves(tree.illegal, &tree.named).into_iter().collect(),
    })
}

/// The visits to the position that a move leads to: one for each game in which the move was played.
fn visits(mv: &ImportedMove) -> Visits {
    Visits { key: mv.step.child(mv.key, mv.mv), turn: !mv.step.mover(), tally: mv.tally }
}
