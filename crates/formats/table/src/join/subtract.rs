//! Differences of tables.

use output::Prepared;
use position::{Key, Tally};

use super::{
    JoinOptions,
    agreement::joined_counting,
    cursor::Cursor,
    examples,
    fingerprints::write_difference,
    merge::{MergedRows, Output},
    roots::JoinedRoots,
};
use crate::{
    Error, RatingSums, Result, Row, ShardInfo, ShardWriter, Table, TableWriter, parallel::for_each_part,
    writer::appear,
};

/// Subtracts `what` from `from` in place. Rows that have no games left are removed; the manifest records the
/// inputs that were subtracted.
///
/// # Errors
///
/// Fails if the two tables were counted differently, if a count would become negative, if a table cannot be
/// read or written, or if `from` has been replaced by another table in the meantime. On failure, no table is
/// changed.
pub fn subtract(from: &Table, what: &Table, options: &JoinOptions<'_>) -> Result<Table> {
    appear(prepare_subtract(from, what, options)?)
}

/// Like [`subtract`], but the returned table still has a temporary name.
///
/// # Errors
///
/// Fails as [`subtract`] does.
pub fn prepare_subtract(from: &Table, what: &Table, options: &JoinOptions<'_>) -> Result<(Table, Prepared)> {
    let counting = joined_counting(&[from, what], options)?;
    let shards = options.shards.unwrap_or(from.shards().len() as u32);
    let writer = TableWriter::create(from.path(), counting, shards, true)?.in_place_of(from);
    let fingerprints = write_difference(from, what, &writer)?;
    let infos = for_each_part(options.threads, shards, options.stop, |shard| {
        subtract_shard(from, what, writer.key_range(shard), writer.shard(shard)?, options)
    })?;
    let examples = examples::write((&[from], Some(what)), &writer, options)?;
    // If an input was subtracted from `what`, subtracting `what` adds the input back, so the input becomes a
    // source of the result.
    let (kept, taken) = (from.manifest(), what.manifest());
    let sources = [&kept.sources[..], &taken.subtracted[..]].concat();
    let subtracted = [&kept.subtracted[..], &taken.sources[..]].concat();
    writer.with_fingerprints(fingerprints).with_examples(examples).prepare_with(infos, sources, subtracted)
}

fn subtract_shard(
    from: &Table,
    what: &Table,
    range: (Key, Key),
    writer: ShardWriter,
    options: &JoinOptions<'_>,
) -> Result<ShardInfo> {
    let summed = |table| MergedRows::new(vec![Cursor::new(table, range, options.drop_groups)]);
    let (mut minuends, mut subtrahends) = (summed(from)?, summed(what)?);
    let mut output = Output { writer, options, rows: 0 };
    let mut next = subtrahends.next()?;
    while let Some(row) = minuends.next()? {
        if let Some(missing) = next.filter(|subtrahend| subtrahend.id() < row.id()) {
            return Err(below_zero(from, Tally::default(), missing));
        }
        let Some(subtrahend) = next.filter(|subtrahend| subtrahend.id() == row.id()) else {
            output.push(&row)?;
            continue;
        };
        let left = difference(from, row, subtrahend)?;
        if left.tally != Tally::default() {
            output.push(&left)?;
        }
        next = subtrahends.next()?;
    }
    if let Some(missing) = next {
        return Err(below_zero(from, Tally::default(), missing));
    }
    JoinedRoots::open(&[from], Some(what), range)?.for_each(|root| output.writer.push_root(root))?;
    output.finish()
}

/// Subtracts one row from another; fails if a count would become negative, or if the remaining rating sums
/// would be impossible for the remaining games.
fn difference(from: &Table, row: Row, subtrahend: Row) -> Result<Row> {
    let tally =
        row.tally.checked_sub(subtrahend.tally).ok_or_else(|| below_zero(from, row.tally, subtrahend))?;
    let ratings = row.ratings.checked_sub(subtrahend.ratings).filter(|ratings| ratings.fit(tally));
    let ratings = ratings.ok_or_else(|| ratings_below_zero(from, row, subtrahend))?;
    Ok(Row { tally, ratings, ..row })
}

fn ratings_below_zero(from: &Table, row: Row, subtrahend: Row) -> Error {
    let sums = |RatingSums { mover_elo, opponent_elo, rated_games }| [mover_elo, opponent_elo, rated_games];
    Error::RatingsBelowZero {
        path: from.path().to_owned(),
        key: row.key,
        mv: row.mv,
        expected: sums(row.ratings),
        got: sums(subtrahend.ratings),
    }
}

fn below_zero(from: &Table, held: Tally, subtrahend: Row) -> Error {
    Error::below_zero(from.path(), (subtrahend.key, subtrahend.mv), [held, subtrahend.tally])
}
