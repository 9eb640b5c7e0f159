//! A ChessBase book into a table or a book.

mod walk;

use std::{path::Path, time::Instant};

use book::ctg::Reader;

use self::walk::{Counted, Walked, walk};
use super::{CountedPer, Import, Imported, block_bytes, complete, end_lines, foreign, illegal_moves, join};
use crate::{Error, Result, RunOptions, Summary};

/// Makes a table or a book of the ChessBase book at `path`, by the ending of `output`.
///
/// # Errors
///
/// [`BooksError::NoResults`](crate::books::BooksError::NoResults) if a table is asked for and no game has a
/// result; if the file is another one or damaged, or the output cannot be written.
pub fn import_ctg(path: &Path, output: &Path, run: &RunOptions) -> Result<Summary> {
    let start = Instant::now();
    let import = Import::new(path, output, run)?;
    let reader = Reader::open(path).map_err(|error| foreign::explained(path, error))?;
    let walked = walk(&reader, run).map_err(|error| match error {
        Error::Book(error) => foreign::explained(path, error),
        other => other,
    })?;
    import.check_results(path, walked.has_results || walked.moves.is_empty())?;
    let imported = imported(&reader, walked);
    let mut summary = import.write(&imported)?;
    summary.add_seconds("import", start);
    Ok(summary)
}

fn imported(reader: &Reader, mut walked: Walked) -> Imported {
    let without_games = complete(&mut walked.moves, walked.has_results);
    let joined = join(walked.moves, CountedPer::Position);
    let mut moves = joined.moves;
    let exceeded = end_lines(&mut moves, walked.visits);
    let Counted { entries, unreadable, repeated, unreached, mirrored, .. } = walked.counted;
    let Counted { beyond, illegal, annotations, shared, unknown, .. } = walked.counted;
    let counted = [
        ("positions", entries),
        ("positions that are not legal left out", unreadable),
        ("older copies of positions left out", repeated),
        ("positions that no line leads to", unreached),
        ("positions that share their games with a mirror image", mirrored),
        ("moves to positions that the file does not have left out", beyond),
        ("illegal moves left out", illegal),
        ("annotations without a NAG left out", annotations),
        ("moves that share their games with other moves to a position", shared),
        ("games without a result", unknown),
        ("moves without games", without_games),
        ("positions left by more games than reached them", exceeded),
    ];
    Imported {
        path: reader.file().path().into(),
        format: "CTG",
        bytes: reader.file().bytes(),
        blocks: reader.file().block_hashes(block_bytes()),
        games: if walked.games > 0 { walked.games } else { reader.games() },
        plies: walked.plies,
        moves,
        has_results: walked.has_results,
        counted: counted.into(),
        warnings: illegal_moves(illegal, &walked.named).into_iter().collect(),
    }
}
