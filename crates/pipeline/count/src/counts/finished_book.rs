//! Sorts the moves of a finished book, so that they can be read like the counts of a table.

use book::BookStats;
use extsort::{Item, Sorter, Sum, Writer};
use position::{Group, Key, Observation, PackedMove, Step, Tally};
use run::{Context, Result};

use super::{OUTCOMES, Runs};

/// A sorter item for a kept move and its tally.
#[derive(Clone, Copy)]
struct Kept {
    id: u128,
    step: Step,
    tally: Tally,
}

/// One item adds at most this many games to each sum of its row.
const GAMES_AN_ITEM: u64 = 1 << 32;

impl Item<OUTCOMES> for Kept {
    type Combine = Sum;
    const PAYLOAD_BITS: u32 = Observation::PAYLOAD_BITS;

    fn bits(&self) -> u128 {
        self.id
    }

    fn note(&self) -> u16 {
        self.step.0
    }

    fn add_to(&self, sums: &mut [u64; OUTCOMES]) {
        let Tally { white, draws, black } = self.tally;
        sums.iter_mut().zip([white, draws, black]).for_each(|(sum, games)| *sum += games);
    }
}

/// Passes a book's moves to the sorter, in any order.
pub(super) struct KeptWriter<'s>(Writer<'s, Kept, OUTCOMES>);

impl KeptWriter<'_> {
    /// Adds a move with its games. If there are too many games for one item, they are divided among several
    /// items.
    pub(super) fn push(&mut self, key: Key, mv: PackedMove, step: Step, mut tally: Tally) -> Result<()> {
        let id = Observation::row_id(key, mv, Group::NONE);
        while tally.games() > 0 {
            let part = Tally {
                white: tally.white.min(GAMES_AN_ITEM),
                draws: tally.draws.min(GAMES_AN_ITEM),
                black: tally.black.min(GAMES_AN_ITEM),
            };
            self.0.push(Kept { id, step, tally: part })?;
            tally = tally.checked_sub(part).unwrap_or_default();
        }
        Ok(())
    }
}

/// Sorts the moves that `fill` pushes; `size` is roughly the size of the book.
pub(super) fn sorted(
    context: &Context,
    size: BookStats,
    fill: impl FnOnce(&mut KeptWriter<'_>) -> Result<()>,
) -> Result<Runs> {
    context.progress().enter("reading the book", 0);
    let memory_bytes = context.memory.count.min(needed_bytes(size));
    let sorter = Sorter::new(context.sorting(table::DEFAULT_SHARDS, memory_bytes, 1))?;
    {
        let mut writer = KeptWriter(sorter.writer()?);
        fill(&mut writer)?;
        writer.0.close()?;
    }
    Ok(Runs::Plain(sorter.finish()?))
}

/// How much memory is enough to sort all counts of a book. The sorter allocates its whole limit up front, so
/// a small book gets a low limit.
fn needed_bytes(BookStats { positions, edges, .. }: BookStats) -> u64 {
    SORTER_BYTES + 2 * size_of::<Kept>() as u64 * (positions + edges)
}

/// An upper bound for the memory that the sorter needs apart from its items.
const SORTER_BYTES: u64 = 16 << 20;
