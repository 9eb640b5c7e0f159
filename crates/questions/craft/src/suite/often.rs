//! Collects the visits of frequently reached positions while a walk reads all rows.

use std::sync::{
    Arc, Mutex, PoisonError,
    atomic::{AtomicU64, Ordering::Relaxed},
};

use position::{Key, Tally};
use shakmaty::Color;
use table::{BoxedRows, Counting, EachRoot, Row, RowBatches, SortedRows};

/// Bytes per kept position, allowing for a vector whose capacity is twice its length.
const POSITION_BYTES: u64 = 2 * size_of::<(Key, Tally)>() as u64;

/// The kept positions of each shard and their visits, in ascending order of keys.
pub(super) struct FrequentPositions(Vec<Vec<(Key, Tally)>>);

impl FrequentPositions {
    pub(super) fn of_shard(&self, shard: u32) -> &[(Key, Tally)] {
        &self.0[shard as usize]
    }
}

/// Supplies a walk with its rows, and meanwhile collects the positions that many games reached. A table has
/// only a few such positions. Because their visits are kept here, the rows need not be read a second time.
///
/// # Memory
///
/// The collected positions take up at most the given number of bytes. If this is not enough for all of them,
/// no position is kept.
pub(super) struct FrequencyRecorder<'r> {
    rows: &'r dyn SortedRows,
    kept: Arc<Kept>,
}

struct Kept {
    min_games: u64,
    most: u64,
    positions: AtomicU64,
    shards: Vec<Mutex<Vec<(Key, Tally)>>>,
}

impl<'r> FrequencyRecorder<'r> {
    /// Keeps the positions with at least `min_games` visits if they fit into `memory_bytes`.
    pub(super) fn of(rows: &'r dyn SortedRows, min_games: u64, memory_bytes: u64) -> Self {
        let shards = (0..rows.shards()).map(|_| Mutex::default()).collect();
        let (most, positions) = (memory_bytes / POSITION_BYTES, AtomicU64::new(0));
        Self { rows, kept: Arc::new(Kept { min_games: min_games.max(1), most, positions, shards }) }
    }

    /// Returns the kept positions once all rows have been read, or `None` if they did not fit into memory.
    pub(super) fn often(self) -> Option<FrequentPositions> {
        let Kept { most, positions, shards, .. } = Arc::into_inner(self.kept)?;
        let kept = |shard: Mutex<_>| shard.into_inner().unwrap_or_else(PoisonError::into_inner);
        (positions.into_inner() <= most).then(|| FrequentPositions(shards.into_iter().map(kept).collect()))
    }
}

impl SortedRows for FrequencyRecorder<'_> {
    fn shards(&self) -> u32 {
        self.rows.shards()
    }

    fn counting(&self) -> &Counting {
        self.rows.counting()
    }

    fn replies_of(&self) -> Option<Color> {
        self.rows.replies_of()
    }

    fn all_start_elsewhere(&self, rooted: u64) -> bool {
        self.rows.all_start_elsewhere(rooted)
    }

    fn roots(&self, shard: u32, each: &mut EachRoot<'_>) -> fault::Result<()> {
        self.rows.roots(shard, each)
    }

    fn shard(&self, shard: u32) -> fault::Result<BoxedRows<'_>> {
        let (rows, kept) = (self.rows.shard(shard)?, Arc::clone(&self.kept));
        let (shard, position) = (shard as usize, Default::default());
        Ok(Box::new(PassingShard { rows, kept, shard, position, often: Vec::new() }))
    }
}

/// The rows of one shard, which are given to the walk as they are read.
struct PassingShard<'r> {
    rows: BoxedRows<'r>,
    kept: Arc<Kept>,
    shard: usize,
    /// The position of the last row that was read, and the position's visits so far.
    position: (Key, Tally),
    often: Vec<(Key, Tally)>,
}

impl RowBatches for PassingShard<'_> {
    fn next_batch(&mut self, rows: &mut Vec<Row>) -> fault::Result<bool> {
        let (more, before) = (self.rows.next_batch(rows)?, self.often.len());
        if self.kept.positions.load(Relaxed) > self.kept.most {
            return Ok(more);
        }
        for row in rows.iter() {
            if row.key != self.position.0 {
                self.end_position();
                self.position.0 = row.key;
            }
            self.position.1 += row.tally;
        }
        if !more {
            self.end_position();
        }
        let new = (self.often.len() - before) as u64;
        if self.kept.positions.fetch_add(new, Relaxed) + new > self.kept.most {
            self.often = Vec::new();
        }
        if !more {
            let mut shard = self.kept.shards[self.shard].lock().unwrap_or_else(PoisonError::into_inner);
            shard.append(&mut self.often);
        }
        Ok(more)
    }
}

impl PassingShard<'_> {
    #[inline]
    fn end_position(&mut self) {
        if self.position.1.games() >= self.kept.min_games {
            self.often.push(self.position);
        }
        self.position.1 = Tally::default();
    }
}
