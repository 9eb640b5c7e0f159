//! Imports a ChessBase book into a table or a book.

mod walk;

use std::{path::Path, time::Instant};

use book::ctg::Reader;
use run::{Result, RunOptions, Summary};

use self::walk::{CtgMoves, walk};
use super::{CountedPer, ForeignBook, Import, block_bytes, end_lines, foreign, illegal_moves, join};

/// Makes a table or a book from the ChessBase book at `path`, depending on the ending of `output`.
///
/// # Errors
///
/// Fails with [`BooksError::NoResults`](crate::BooksError::NoResults) if `output` is a table and no game has
/// a result. Also fails if the file has a different format or is damaged, or if the output cannot be written.
pub fn import_ctg(path: &Path, output: &Path, run: &RunOptions) -> Result<Summary> {
    let start = Instant::now();
    let import = Import::new(path, output, run)?;
    foreign::check(path)?;
    let reader = Reader::open(path).map_err(|error| foreign::explained(path, error))?;
    let walked = walk(&reader, run).map_err(|error| match error.downcast() {
        Ok(error) => foreign::explained(path, error),
        Err(other) => other,
    })?;
    let is_counted = walked.visits.iter().any(|visits| visits.tally.games() > 0);
    import.check_results(path, walked.has_results && is_counted || walked.moves.is_empty())?;
    let imported = imported(&reader, walked);
    let mut summary = import.write(&imported)?;
    summary.add_seconds("import", start);
    Ok(summary)
}

fn imported(reader: &Reader, walked: CtgMoves) -> ForeignBook {
    let joined = join(walked.moves, CountedPer::Position);
    let mut moves = joined.moves;
    let left = end_lines(&mut moves, walked.visits);
    let games = if walked.games > 0 { walked.games } else { reader.games() };
    let accepted = if walked.has_results { walked.accepted } else { games };
    let mut counted = walked.counted;
    counted.add("illegal moves left out", walked.illegal);
    counted.add("games without a result left out", games.saturating_sub(accepted));
    counted.add("positions left by more games than reached them", left);
    ForeignBook {
        path: reader.file().path().into(),
        format: "CTG",
        bytes: reader.file().bytes(),
        blocks: reader.file().block_hashes(block_bytes()),
        games,
        accepted,
        plies: walked.plies,
        moves,
        has_results: walked.has_results,
        counted,
        warnings: illegal_moves(walked.illegal, &walked.named).into_iter().collect(),
    }
}
