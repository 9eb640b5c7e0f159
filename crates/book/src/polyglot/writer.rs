//! Export of a book as a Polyglot book.

use std::{fs::File, io, ops::Range, os::unix::fs::FileExt, path::Path};

use output::{OutputFile, Prepared};
use position::{Key, PackedMove};
use rayon::{ThreadPoolBuildError, ThreadPoolBuilder, prelude::*};

use super::{PolyglotEntry, Weight, entry::ENTRY_BYTES};
use crate::{Book, BookEdge, Error, Existing, PositionEntry, Positions, Result};

/// Buckets per batch of a thread: about 100,000 positions.
const BATCH_BUCKETS: u64 = 4096;

/// How a book is exported.
#[derive(Clone, Copy, Debug, Default)]
pub struct ExportOptions<'m> {
    /// The rule for weights. Moves that are left out have no part in a position's scale.
    pub weight: Weight,
    /// Moves that are left out, ascending.
    pub left_out: &'m [(Key, PackedMove)],
    /// Threads to write with; 0 is one a core.
    pub threads: usize,
}

/// The counts of an export.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct PolyglotStats {
    /// Entries, sixteen bytes each.
    pub entries: u64,
    /// Positions with entries.
    pub positions: u64,
    /// Positions whose weights were scaled down to fit sixteen bits.
    pub scaled_positions: u64,
    /// Moves left out because their position's key is 0, which readers of Polyglot books take for a
    /// header.
    pub skipped_zero_key: u64,
    /// Kept moves of the book that were left out as the options said.
    pub left_out_moves: u64,
    /// Positions that are left out because all of their moves are.
    pub left_out_positions: u64,
}

impl PolyglotStats {
    fn add(&mut self, other: PolyglotStats) {
        self.entries += other.entries;
        self.positions += other.positions;
        self.scaled_positions += other.scaled_positions;
        self.skipped_zero_key += other.skipped_zero_key;
        self.left_out_moves += other.left_out_moves;
        self.left_out_positions += other.left_out_positions;
    }
}

/// Writes the kept moves of `book` to `path`. The file appears under its name when it is complete.
///
/// # Errors
///
/// [`Error::OutputExists`](crate::Error::OutputExists), [`Error::Io`](crate::Error::Io);
/// [`Error::Corrupt`](crate::Error::Corrupt) or [`Error::Length`](crate::Error::Length) if the book is
/// damaged.
///
/// # Memory
///
/// The entries of about 100,000 positions per thread: 2–4 MB.
pub fn write(
    book: &Book,
    path: &Path,
    options: ExportOptions<'_>,
    existing: Existing,
) -> Result<PolyglotStats> {
    let (stats, prepared) = prepare(book, path, options, existing)?;
    prepared.publish().map_err(|error| Error::output(path)(error.into()))?;
    Ok(stats)
}

/// As [`write()`], but the file has no name yet.
///
/// # Errors
///
/// As [`write()`].
pub fn prepare(
    book: &Book,
    path: &Path,
    options: ExportOptions<'_>,
    existing: Existing,
) -> Result<(PolyglotStats, Prepared)> {
    let mut output = OutputFile::create(path, existing).map_err(Error::output(path))?;
    let pool = ThreadPoolBuilder::new().num_threads(options.threads).build();
    let refused = |error| io::Error::other(format!("the system refused a thread: {error}"));
    let pool = pool.map_err(|error: ThreadPoolBuildError| Error::io(path)(refused(error)))?;
    let stats = pool.install(|| write_entries(book, path, options, &mut output))?;
    Ok((stats, output.prepare().map_err(Error::output(path))?))
}

/// Writes the entries with the threads of the current pool.
fn write_entries(
    book: &Book,
    path: &Path,
    options: ExportOptions<'_>,
    output: &mut OutputFile,
) -> Result<PolyglotStats> {
    let count = book.bucket_count();
    let ranges: Vec<_> = (0..count)
        .step_by(BATCH_BUCKETS as usize)
        .map(|from| from..count.min(from + BATCH_BUCKETS))
        .collect();
    let mut batches: Vec<Batch<'_>> = (0..rayon::current_num_threads()).map(|_| Batch::of(book)).collect();
    let (mut stats, mut offset) = (PolyglotStats::default(), 0);
    for ranges in ranges.chunks(batches.len()) {
        let batches = &mut batches[..ranges.len()];
        let encode = |(batch, range): (&mut Batch<'_>, &Range<u64>)| batch.encode(options, range.clone());
        batches.par_iter_mut().zip(ranges).try_for_each(encode)?;
        for batch in &mut *batches {
            batch.offset = offset;
            offset += batch.bytes.len() as u64;
            stats.add(batch.stats);
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
struct Batch<'b> {
    positions: Positions<'b>,
    bytes: Vec<u8>,
    stats: PolyglotStats,
    /// Their offset in the file.
    offset: u64,
}

impl<'b> Batch<'b> {
    /// An empty batch.
    fn of(book: &'b Book) -> Self {
        let positions = Positions::new(book, 0..0);
        Self { positions, bytes: Vec::new(), stats: PolyglotStats::default(), offset: 0 }
    }

    fn encode(&mut self, options: ExportOptions<'_>, buckets: Range<u64>) -> Result<()> {
        let Self { positions, bytes, .. } = self;
        bytes.clear();
        positions.go_on_with(buckets);
        let mut stats = PolyglotStats::default();
        let mut left_out = LeftOut { moves: options.left_out };
        let (mut position, mut entries) = (PositionEntry::default(), Vec::new());
        while positions.next_into(&mut position)? {
            if position.key == Key(0) {
                stats.skipped_zero_key = position.edges.len() as u64;
                continue;
            }
            if !left_out.moves.is_empty() {
                let moves = left_out.remove_from(&mut position);
                stats.left_out_moves += moves;
                stats.left_out_positions += u64::from(moves > 0 && position.edges.is_empty());
            }
            let scaled = push(bytes, &position, options.weight, &mut entries);
            stats.positions += u64::from(!position.edges.is_empty());
            stats.scaled_positions += u64::from(scaled);
        }
        stats.entries = (bytes.len() / ENTRY_BYTES) as u64;
        self.stats = stats;
        Ok(())
    }

    fn write(&self, file: &File) -> io::Result<()> {
        file.write_all_at(&self.bytes, self.offset)
    }
}

/// Adds the entries of a position, heaviest first, and returns whether they were scaled. `entries` is a
/// buffer for sorting.
fn push(
    bytes: &mut Vec<u8>,
    position: &PositionEntry,
    weight: Weight,
    entries: &mut Vec<PolyglotEntry>,
) -> bool {
    let raw = |edge: &BookEdge| weight.raw(edge.tally, position.turn);
    let weighed = |edge: &BookEdge, raw, largest| PolyglotEntry {
        key: position.key,
        mv: edge.mv,
        weight: Weight::scaled(raw, largest),
        learn: 0,
    };
    let largest = if let [edge] = &position.edges[..] {
        // Most positions of a large book have one move, and need no sort.
        let raw = raw(edge);
        bytes.extend_from_slice(&weighed(edge, raw, raw).to_bytes());
        raw
    } else {
        let largest = position.edges.iter().map(raw).max().unwrap_or(0);
        entries.clear();
        entries.extend(position.edges.iter().map(|edge| weighed(edge, raw(edge), largest)));
        entries.sort_by_key(|entry| (std::cmp::Reverse(entry.weight), entry.mv));
        for entry in entries {
            bytes.extend_from_slice(&entry.to_bytes());
        }
        largest
    };
    largest > u128::from(u16::MAX)
}

/// Moves to leave out, from the next position on.
struct LeftOut<'m> {
    moves: &'m [(Key, PackedMove)],
}

impl LeftOut<'_> {
    /// Removes those of a position, and returns how many it had; positions ascend.
    fn remove_from(&mut self, position: &mut PositionEntry) -> u64 {
        if self.moves.first().is_none_or(|(key, _)| *key > position.key) {
            return 0;
        }
        let from = self.moves.partition_point(|(key, _)| *key < position.key);
        let (here, later) =
            self.moves[from..].split_at(self.moves[from..].partition_point(|(key, _)| *key == position.key));
        self.moves = later;
        let before = position.edges.len();
        position.edges.retain(|edge| here.binary_search(&(position.key, edge.mv)).is_err());
        (before - position.edges.len()) as u64
    }
}
