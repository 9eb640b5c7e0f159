//! Exports a book as a Polyglot book.

use std::{
    cmp::Reverse,
    fs::File,
    io::{self, Write as _},
    ops::Range,
    os::unix::fs::FileExt,
    path::Path,
};

use output::{OutputFile, Prepared};
use position::Key;
use rayon::{ThreadPoolBuildError, ThreadPoolBuilder, prelude::*};

use super::{
    ExportOptions, Header, PolyglotEntry, Weigher, Weight,
    seal::Sealer,
    weigher::{ByCounts, WeightedMove},
};
use crate::{Book, BookEdge, Error, Existing, PositionEntry, Positions, Result};

/// The number of buckets that a thread encodes as one batch: about 100,000 positions.
const BATCH_BUCKETS: u64 = 4096;

/// The file that a Polyglot book is written to.
#[derive(Clone, Copy, Debug)]
pub struct Target<'t> {
    /// The file.
    pub path: &'t Path,
    /// What to do if a file already exists at this path.
    pub existing: Existing,
    /// The header that precedes the entries, if there is one.
    pub header: Option<&'t Header>,
}

impl Target<'_> {
    /// Makes the file under a temporary name, and writes the header.
    fn create(&self) -> Result<OutputFile> {
        let mut output = OutputFile::create(self.path, self.existing).map_err(Error::output(self.path))?;
        let header = self.header.map_or_else(Vec::new, Header::to_bytes);
        output.file().write_all(&header).map_err(Error::io(self.path))?;
        output.wrote(header.len() as u64).map_err(Error::io(self.path))?;
        Ok(output)
    }

    /// Writes the count and checksum of the entries into the header, if it has room for them.
    fn finish(&self, mut output: OutputFile, sealer: &Sealer) -> Result<Prepared> {
        if let Some(header) = self.header.filter(|header| header.seal().is_some()) {
            let bytes = header.with(sealer.seal()).to_bytes();
            output.file().write_all_at(&bytes, 0).map_err(Error::io(self.path))?;
        }
        output.prepare().map_err(Error::output(self.path))
    }

    /// The number of bytes before the first entry.
    fn header_bytes(&self) -> u64 {
        self.header.map_or(0, |header| header.to_bytes().len() as u64)
    }
}

/// The numbers of entries, positions and moves that an export wrote or left out.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct PolyglotStats {
    /// Entries, sixteen bytes each.
    pub entries: u64,
    /// Positions with entries.
    pub positions: u64,
    /// Positions whose weights were scaled down to fit sixteen bits.
    pub scaled_positions: u64,
    /// Moves left out because their position's key is 0; readers would mistake them for a header.
    pub skipped_zero_key: u64,
    /// Moves of the book that were not exported because the options leave them out.
    pub left_out_moves: u64,
    /// Moves of the book that were not exported because they never scored.
    pub unscored_moves: u64,
    /// Positions that were left out because all their moves were left out.
    pub left_out_positions: u64,
    /// Positions that are exported although the book does not have them.
    pub positions_beyond: u64,
}

impl PolyglotStats {
    /// Counts a position and its exported moves; `unscored` is the number of moves that were left out because
    /// they never scored.
    pub fn count(&mut self, position: &PositionEntry, moves: &[WeightedMove], unscored: u64) {
        let missing = missing(position, moves);
        self.entries += moves.len() as u64;
        self.positions += u64::from(!moves.is_empty());
        self.unscored_moves += unscored;
        self.left_out_moves += missing - unscored;
        self.left_out_positions += u64::from(missing > 0 && moves.is_empty());
    }

    /// Adds the counts of another part of the export.
    pub fn add(&mut self, other: PolyglotStats) {
        self.entries += other.entries;
        self.positions += other.positions;
        self.scaled_positions += other.scaled_positions;
        self.skipped_zero_key += other.skipped_zero_key;
        self.left_out_moves += other.left_out_moves;
        self.unscored_moves += other.unscored_moves;
        self.left_out_positions += other.left_out_positions;
        self.positions_beyond += other.positions_beyond;
    }
}

/// Writes the kept moves of `book` to `path`. The file appears at `path` only once it is complete.
///
/// # Errors
///
/// Fails with [`Error::OutputExists`](crate::Error::OutputExists) if the file exists and must not be
/// replaced, with [`Error::Io`](crate::Error::Io) if a file cannot be read or written, and with
/// [`Error::Corrupt`](crate::Error::Corrupt) or [`Error::Length`](crate::Error::Length) if the book is
/// damaged.
///
/// # Memory
///
/// Each thread holds the entries of about 100,000 positions: 2–4 MB.
pub fn write(
    book: &Book,
    path: &Path,
    options: ExportOptions<'_>,
    existing: Existing,
) -> Result<PolyglotStats> {
    let (stats, prepared) = prepare(book, Target { path, existing, header: None }, options)?;
    prepared.publish().map_err(|error| Error::output(path)(error.into()))?;
    Ok(stats)
}

/// Like [`write()`], but leaves it to the caller to publish the file.
///
/// # Errors
///
/// Fails as [`write()`] does.
pub fn prepare(
    book: &Book,
    target: Target<'_>,
    options: ExportOptions<'_>,
) -> Result<(PolyglotStats, Prepared)> {
    prepare_by(book, target, &ByCounts { book, options }, options.threads)
}

/// Like [`prepare`], but with weights from `weigher` and on `threads` threads, where 0 means one per core.
///
/// # Errors
///
/// Fails in the same cases as [`write()`], and also if `weigher` fails.
pub fn prepare_by<W: Weigher>(
    book: &Book,
    target: Target<'_>,
    weigher: &W,
    threads: usize,
) -> Result<(PolyglotStats, Prepared), W::Error> {
    let path = target.path;
    let mut output = target.create()?;
    let mut sealer = Sealer::default();
    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
    let refused = |error| io::Error::other(format!("the system could not start a thread: {error}"));
    let pool = pool.map_err(|error: ThreadPoolBuildError| Error::io(path)(refused(error)))?;
    let stats = pool.install(|| write_entries(book, target, weigher, (&mut output, &mut sealer)))?;
    Ok((stats, target.finish(output, &sealer)?))
}

/// Writes the entries, using the threads of the current pool.
fn write_entries<W: Weigher>(
    book: &Book,
    target: Target<'_>,
    weigher: &W,
    (output, sealer): (&mut OutputFile, &mut Sealer),
) -> Result<PolyglotStats, W::Error> {
    let count = book.bucket_count();
    let ranges: Vec<_> = (0..count)
        .step_by(BATCH_BUCKETS as usize)
        .map(|from| from..count.min(from + BATCH_BUCKETS))
        .collect();
    let mut batches: Vec<EntryBatch<'_>> =
        (0..rayon::current_num_threads()).map(|_| EntryBatch::of(book)).collect();
    let path = target.path;
    let (mut stats, mut offset) = (PolyglotStats::default(), target.header_bytes());
    for ranges in ranges.chunks(batches.len()) {
        let batches = &mut batches[..ranges.len()];
        let encode =
            |(batch, range): (&mut EntryBatch<'_>, &Range<u64>)| batch.encode(book, weigher, range.clone());
        batches.par_iter_mut().zip(ranges).try_for_each(encode)?;
        for batch in &mut *batches {
            batch.offset = offset;
            offset += batch.bytes.len() as u64;
            stats.add(batch.stats);
            if target.header.is_some() {
                sealer.add(&batch.bytes);
            }
        }
        let file = output.file();
        batches.par_iter().try_for_each(|batch| batch.write(file)).map_err(Error::io(path))?;
        let bytes = batches.iter().map(|batch| batch.bytes.len() as u64).sum();
        output.wrote(bytes).map_err(Error::io(path))?;
    }
    Ok(stats)
}

/// The entries of a batch of buckets.
#[derive(Debug)]
struct EntryBatch<'b> {
    positions: Positions<'b>,
    bytes: Vec<u8>,
    stats: PolyglotStats,
    /// A buffer for the moves of a position.
    moves: Vec<WeightedMove>,
    /// The offset of the entries in the file.
    offset: u64,
}

impl<'b> EntryBatch<'b> {
    /// An empty batch.
    fn of(book: &'b Book) -> Self {
        let positions = Positions::new(book, 0..0);
        Self { positions, bytes: Vec::new(), stats: PolyglotStats::default(), moves: Vec::new(), offset: 0 }
    }

    fn encode<W: Weigher>(&mut self, book: &Book, weigher: &W, buckets: Range<u64>) -> Result<(), W::Error> {
        self.bytes.clear();
        self.stats = PolyglotStats::default();
        let mut beyond = keys_of(book, weigher.beyond(), &buckets);
        self.positions.go_on_with(buckets);
        let mut position = PositionEntry::default();
        while self.positions.next_into(&mut position)? {
            let ahead = beyond.partition_point(|key| *key < position.key);
            self.weigh_beyond(weigher, &beyond[..ahead])?;
            beyond = &beyond[ahead..];
            self.weigh(weigher, &position)?;
        }
        self.weigh_beyond(weigher, beyond)
    }

    /// Adds the entries of positions that the book does not have.
    fn weigh_beyond<W: Weigher>(&mut self, weigher: &W, keys: &[Key]) -> Result<(), W::Error> {
        for &key in keys {
            let before = self.stats.positions;
            self.weigh(weigher, &PositionEntry { key, ..PositionEntry::default() })?;
            self.stats.positions_beyond += self.stats.positions - before;
        }
        Ok(())
    }

    /// Adds the entries of a position.
    fn weigh<W: Weigher>(&mut self, weigher: &W, position: &PositionEntry) -> Result<(), W::Error> {
        let Self { bytes, stats, moves, .. } = self;
        if position.key == Key(0) {
            stats.skipped_zero_key = position.edges.len() as u64;
            return Ok(());
        }
        moves.clear();
        let unscored = weigher.weigh(position, moves)?;
        stats.count(position, moves, unscored);
        stats.scaled_positions += u64::from(push(bytes, position.key, moves));
        Ok(())
    }

    fn write(&self, file: &File) -> io::Result<()> {
        file.write_all_at(&self.bytes, self.offset)
    }
}

/// The part of `keys` that belongs to `buckets`; `keys` must be sorted.
fn keys_of<'k>(book: &Book, keys: &'k [Key], buckets: &Range<u64>) -> &'k [Key] {
    let before = |bucket| keys.partition_point(|key| book.bits.bucket_of(*key) < bucket);
    &keys[before(buckets.start)..before(buckets.end)]
}

/// The number of moves of a position that are not exported.
#[inline]
fn missing(position: &PositionEntry, moves: &[WeightedMove]) -> u64 {
    let edges = &position.edges;
    if edges.iter().map(|edge| edge.mv).eq(moves.iter().map(|weighted| weighted.mv)) {
        return 0;
    }
    let is_missing = |edge: &&BookEdge| moves.iter().all(|weighted| weighted.mv != edge.mv);
    edges.iter().filter(is_missing).count() as u64
}

/// Adds the entries of a position, heaviest first. Returns whether their weights were scaled.
#[inline]
fn push(bytes: &mut Vec<u8>, key: Key, moves: &mut [WeightedMove]) -> bool {
    // Most positions of a book have only one move, which needs no sorting.
    if let &mut [WeightedMove { mv, raw, learn }] = moves {
        let entry = PolyglotEntry { key, mv, weight: Weight::scaled(raw, raw), learn };
        bytes.extend_from_slice(&entry.to_bytes());
        return raw > u128::from(u16::MAX);
    }
    let largest = moves.iter().map(|weighted| weighted.raw).max().unwrap_or(0);
    for entry in entries(key, moves) {
        bytes.extend_from_slice(&entry.to_bytes());
    }
    largest > u128::from(u16::MAX)
}

/// Returns a position's entries with scaled weights, sorted as the format requires. Replaces the raw weights
/// in `moves` with the scaled ones.
pub fn entries(key: Key, moves: &mut [WeightedMove]) -> impl Iterator<Item = PolyglotEntry> {
    let largest = moves.iter().map(|weighted| weighted.raw).max().unwrap_or(0);
    // The entries are sorted by the weight in the file, so each raw weight is first replaced by its scaled
    // weight.
    for weighted in &mut *moves {
        weighted.raw = Weight::scaled(weighted.raw, largest).into();
    }
    moves.sort_by_key(|weighted| (Reverse(weighted.raw), weighted.mv));
    moves.iter().map(move |&WeightedMove { mv, raw, learn }| PolyglotEntry {
        key,
        mv,
        weight: raw as u16,
        learn,
    })
}

/// Writes batches of entries that are already in the format's order. The file keeps its temporary name until
/// it is published.
///
/// # Errors
///
/// Fails with [`Error::OutputExists`](crate::Error::OutputExists) if the file exists and must not be
/// replaced, with [`Error::Io`](crate::Error::Io) if it cannot be written, and with any error that `batches`
/// yields.
pub fn prepare_sorted<E: From<Error>>(
    target: Target<'_>,
    batches: impl Iterator<Item = Result<Vec<PolyglotEntry>, E>>,
) -> Result<Prepared, E> {
    let path = target.path;
    let mut output = target.create()?;
    let mut sealer = Sealer::default();
    let mut bytes = Vec::new();
    for batch in batches {
        bytes.clear();
        bytes.extend(batch?.into_iter().flat_map(PolyglotEntry::to_bytes));
        sealer.add(&bytes);
        output.file().write_all(&bytes).map_err(Error::io(path))?;
        output.wrote(bytes.len() as u64).map_err(Error::io(path))?;
    }
    Ok(target.finish(output, &sealer)?)
}
