//! Sorted edges, either of a table on disk or of a count that writes no table.

mod finished_book;
mod observed;
mod of_book;
mod of_play;
mod roots;
mod runs;
mod weighted;

use std::thread;

use query::BookRoots;
use run::{Context, Result};
use serde_json::{Value, json};
use shakmaty::Color;
use table::{BoxedRows, CountedInput, Counting, EachRoot, RowBatches as _, SortedRows, Table};

pub use self::{
    observed::{OUTCOMES, OUTCOMES_AND_RATINGS, ObservedItem, PlainItem, RatedItem},
    of_book::of_book,
    of_play::{PLAYED, Play, PlayBy, PlayCounts, of_play},
    runs::{BucketRows, Runs},
    weighted::{WeightedCounts, described},
};

/// Edges with their tallies, sorted, and divided into shards by the top bits of the key.
pub enum Counts {
    /// A table on disk.
    Table(Table),
    /// A sorter's runs, merged each time they are read.
    Sorted(SortedCounts),
}

/// A count's sorted runs, and how its games were counted.
pub struct SortedCounts {
    /// The runs.
    pub runs: Runs,
    /// How games were counted.
    pub counting: Counting,
    /// The inputs that were counted.
    pub sources: Vec<CountedInput>,
    /// The side whose moves have no rows, if the book has only the other side's moves.
    pub replies_of: Option<Color>,
    /// The roots of a book; `None` for a count, whose runs contain the roots.
    pub roots: Option<BookRoots>,
}

/// Runs `work`, which waits for the disk, while another thread frees the memory of `counts`.
pub fn give_back_during<C: Send, T>(counts: C, work: impl FnOnce() -> T) -> T {
    thread::scope(|scope| {
        // If no thread can be started, this call frees the memory itself, and the work begins afterwards.
        thread::Builder::new().spawn_scoped(scope, || drop(counts)).ok();
        work()
    })
}

impl Counts {
    /// The inputs that were counted.
    #[must_use]
    pub fn sources(&self) -> &[CountedInput] {
        match self {
            Counts::Table(table) => &table.manifest().sources,
            Counts::Sorted(sorted) => &sorted.sources,
        }
    }

    /// How many bytes of memory are free while counts are read. Counts that are not in a table still take up
    /// the sorter's memory.
    pub fn memory_beside(&self, context: &Context) -> u64 {
        match self {
            Counts::Table(_) => context.memory.leaves + context.memory.count,
            Counts::Sorted(_) => context.memory.leaves,
        }
    }

    /// The number of games counted.
    #[must_use]
    pub fn games(&self) -> u64 {
        match self {
            Counts::Table(table) => table.manifest().games,
            Counts::Sorted(sorted) => sorted.sources.iter().map(|source| source.accepted).sum(),
        }
    }

    /// Whether games may have started from a FEN that is not recorded as a root. The first tables had no
    /// roots.
    #[must_use]
    pub fn may_lack_roots(&self) -> bool {
        let Counts::Table(table) = self else { return false };
        table.counting().from_position && table.manifest().roots().0 == 0
    }

    /// The digest that identifies the table; `None` if there is no table.
    #[must_use]
    pub fn digest(&self) -> Option<&str> {
        match self {
            Counts::Table(table) => Some(table.digest()),
            Counts::Sorted(_) => None,
        }
    }

    /// Where the counts come from, as recorded in a book. The record is the same whether or not a table was
    /// kept.
    #[must_use]
    pub fn provenance(&self) -> Value {
        let mut sources: Vec<_> = self.sources().iter().collect();
        sources.sort();
        json!({ "counting": self.counting(), "games": self.games(), "sources": sources })
    }
}

impl SortedRows for Counts {
    fn shards(&self) -> u32 {
        match self {
            Counts::Table(table) => SortedRows::shards(table),
            Counts::Sorted(sorted) => sorted.runs.shards(),
        }
    }

    fn counting(&self) -> &Counting {
        match self {
            Counts::Table(table) => table.counting(),
            Counts::Sorted(sorted) => &sorted.counting,
        }
    }

    fn replies_of(&self) -> Option<Color> {
        match self {
            Counts::Table(_) => None,
            Counts::Sorted(sorted) => sorted.replies_of,
        }
    }

    fn all_start_elsewhere(&self, rooted: u64) -> bool {
        match self {
            Counts::Sorted(SortedCounts { roots: Some(roots), .. }) => roots.all_start_elsewhere(),
            _ => rooted >= self.games(),
        }
    }

    fn roots(&self, shard: u32, each: &mut EachRoot<'_>) -> Result<()> {
        let sorted = match self {
            Counts::Table(table) => return SortedRows::roots(table, shard, each),
            Counts::Sorted(sorted) => sorted,
        };
        if let Some(roots) = &sorted.roots {
            return roots.of_shard(shard, sorted.runs.shards()).try_for_each(each);
        }
        // If every game started from the start position, there are no roots, and no row needs to be read.
        if !sorted.counting.from_position {
            return Ok(());
        }
        let (mut rows, mut batch) = (sorted.runs.bucket(shard)?, Vec::new());
        while rows.next_batch(&mut batch)? {
            rows.roots().try_for_each(&mut *each)?;
        }
        rows.roots().try_for_each(each)
    }

    fn shard(&self, shard: u32) -> Result<BoxedRows<'_>> {
        match self {
            Counts::Table(table) => table.shard(shard),
            Counts::Sorted(sorted) => Ok(Box::new(sorted.runs.bucket(shard)?)),
        }
    }
}
