//! The shards of a book, encoded on every thread and written in order.

use std::{
    collections::VecDeque,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    thread,
};

use ::book::{BookFilter, BookWriter, PositionEntry, Segment};
use count::WeightedCounts;
use experience::Union;
use output::grouped;
use position::{Key, Root};
use run::{Context, Error, OnDrop, Result, RunError};
use shakmaty::Chess;
use table::SortedRows as _;

use super::{
    Compact, leaves::Leaves, positions::BookPositions, promoted::PostbookMoves, queue::ShardQueue,
    way::LineFromStart,
};

/// A segment goes to the writer once it has this many bytes.
const SEGMENT_BYTES: usize = 1 << 20;
/// How many positions are sampled to estimate the total.
const SAMPLE_POSITIONS: u64 = 1 << 14;

/// The data that all threads share while they make the shards of a book.
pub(super) struct BookShards<'s> {
    context: &'s Context,
    counts: &'s WeightedCounts,
    filter: &'s BookFilter,
    leaves: Leaves,
    promoted: PostbookMoves,
    way: LineFromStart,
    /// How many moves have been promoted so far, in all shards.
    promotions: AtomicU64,
    roots: Mutex<FoundRoots>,
}

/// The roots whose positions are in the book. Also, the number of games that started from any root, whether
/// or not the root is in the book.
#[derive(Default)]
struct FoundRoots {
    kept: Vec<Root>,
    games: u64,
}

impl<'s> BookShards<'s> {
    /// Runs the first three passes, which find the moves and positions that are in the book in addition to
    /// the moves that its filter keeps.
    pub(super) fn find(
        context: &'s Context,
        counts: &'s WeightedCounts,
        settings: &Compact,
        filter: &'s BookFilter,
        union: &Union,
    ) -> Result<Self> {
        let promoted = PostbookMoves::find(union, &settings.promote, filter.color)?;
        let way = if settings.from_start {
            LineFromStart::find(context, counts)?
        } else {
            LineFromStart::default()
        };
        let leaves = Leaves::find(context, counts, filter, (&promoted, &way))?;
        Ok(Self {
            context,
            counts,
            filter,
            leaves,
            promoted,
            way,
            promotions: AtomicU64::new(0),
            roots: Mutex::default(),
        })
    }
}

impl BookShards<'_> {
    /// Warns if PostBook moves were not added to the book although their results and values are good enough.
    /// Returns the number of promoted moves in the book.
    pub(super) fn end(self) -> u64 {
        let (proven, promoted) = (self.promoted.len() as u64, self.promotions.into_inner());
        if promoted < proven {
            self.context.summary().warnings.push(format!(
                "{} of {} proven PostBook moves were not added to the book: it has them already, has no moves of their colour, or the counts do not have their positions",
                grouped(proven - promoted),
                grouped(proven)
            ));
        }
        promoted
    }

    fn shard(&self, shard: u32) -> Result<BookPositions<'_>> {
        let (rows, leaves) = (self.counts.shard(shard)?, self.leaves.shard(shard)?);
        let rows = self.way.shard(shard, self.counts.shards(), rows);
        Ok(BookPositions::new(rows, self.filter, leaves, (self.promoted.clone(), &self.way)))
    }

    /// Estimates the number of positions. Keys are evenly distributed, so the first few reveal their
    /// density.
    #[expect(clippy::cast_precision_loss, clippy::cast_sign_loss, reason = "an estimate, far below 2^63")]
    pub(super) fn estimate(&self) -> Result<u64> {
        let mut positions = self.shard(0)?;
        let mut entry = PositionEntry::default();
        let mut seen = 0;
        while positions.next_into(&mut entry)? {
            seen += 1;
            if seen == SAMPLE_POSITIONS {
                return Ok((seen as f64 / (entry.key.0 as f64 / u64::MAX as f64)) as u64);
            }
        }
        Ok(seen * u64::from(self.counts.shards()))
    }

    /// Reads the roots of a shard, some of which may turn out not to be in the book.
    fn roots_of(&self, shard: u32) -> Result<ShardRoots> {
        let mut found = ShardRoots::default();
        self.counts.roots(shard, &mut |row| {
            found.games += row.tally.games();
            found.waiting.push_back(row.root);
            Ok(())
        })?;
        Ok(found)
    }

    /// The roots of the book, which are complete once all shards are written. If games started at the start
    /// position, that position is one of the roots.
    pub(super) fn roots(&self) -> Vec<Root> {
        let mut found = self.roots.lock().unwrap_or_else(PoisonError::into_inner);
        let start = !self.counts.all_start_elsewhere(found.games);
        let start = start.then(|| Root::of(&Chess::default()));
        std::mem::take(&mut found.kept).into_iter().chain(start).collect()
    }

    /// Encodes all shards and writes them in order. Returns the number of rows read.
    pub(super) fn write(&self, writer: &mut BookWriter) -> Result<u64> {
        let shards = self.counts.shards();
        self.context.progress().enter("compacting", shards);
        let segments: Vec<_> = (0..self.context.threads).map(|_| writer.segment()).collect();
        let waiting = self.context.memory.segments / SEGMENT_BYTES as u64;
        let queue = ShardQueue::new(shards, waiting as usize);
        thread::scope(|scope| {
            let queue = &queue;
            let start = |segment| {
                thread::Builder::new().spawn_scoped(scope, move || self.encode_shards(queue, segment))
            };
            let mut started = segments.into_iter().map(start);
            // If the system starts fewer threads than asked for, the threads that it did start do all the
            // work.
            let first = started.next().transpose().map_err(|source| RunError::Threads { source })?;
            let workers: Vec<_> = first.into_iter().chain(started.map_while(Result::ok)).collect();
            let written = append_all(writer, queue);
            let rows = workers
                .into_iter()
                .map(|worker| worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
            let rows = rows.sum::<Result<u64>>();
            // If the writer fails, the workers stop without an error of their own, so the writer's error is
            // returned.
            written.and(rows)
        })
    }

    fn encode_shards(&self, queue: &ShardQueue<Segment>, mut segment: Segment) -> Result<u64> {
        let stop = OnDrop(|| queue.stop());
        let mut rows = 0;
        while let Some(shard) = queue.begin() {
            rows += self.encode_shard(shard, &mut segment, queue)?;
            queue.end(shard);
            self.context.progress().shard_done();
        }
        std::mem::forget(stop);
        Ok(rows)
    }

    fn encode_shard(&self, shard: u32, segment: &mut Segment, queue: &ShardQueue<Segment>) -> Result<u64> {
        let mut roots = self.roots_of(shard)?;
        let (mut positions, mut entry) = (self.shard(shard)?, PositionEntry::default());
        while positions.next_into(&mut entry)? {
            self.context.check_interrupt()?;
            roots.keep(entry.key);
            segment.push(&entry)?;
            if segment.bytes() >= SEGMENT_BYTES && !queue.push(shard, segment.take()) {
                return Ok(0);
            }
        }
        queue.push(shard, segment.take());
        self.roots.lock().unwrap_or_else(PoisonError::into_inner).add(roots);
        self.promotions.fetch_add(positions.promotions, Relaxed);
        Ok(positions.rows())
    }
}

/// The roots of a shard, in ascending order.
#[derive(Default)]
struct ShardRoots {
    waiting: VecDeque<Root>,
    kept: Vec<Root>,
    games: u64,
}

impl ShardRoots {
    /// Keeps the root with the key `key`, if there is one; the caller has found that this position is in the
    /// book. Successive calls must pass ascending keys.
    fn keep(&mut self, key: Key) {
        while let Some(root) = self.waiting.pop_front_if(|root| root.key <= key) {
            self.kept.extend(Some(root).filter(|root| root.key == key));
        }
    }
}

impl FoundRoots {
    fn add(&mut self, shard: ShardRoots) {
        self.kept.extend(shard.kept);
        self.games += shard.games;
    }
}

fn append_all(writer: &mut BookWriter, queue: &ShardQueue<Segment>) -> Result<()> {
    let _stop = OnDrop(|| queue.stop());
    std::iter::from_fn(|| queue.take()).try_for_each(|segment| writer.append(segment).map_err(Error::from))
}
