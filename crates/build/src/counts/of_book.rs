//! The counts of a book, sorted as those of a table are.
//!
//! A book does not record what a move changes besides its squares, so rows come without a step: a reader that
//! needs to know where a move leads needs a board. Visits that went on with a move the book does not keep
//! cannot be distinguished from those that ended, and become terminal visits.

use book::{Book, PositionEntry};
use extsort::{Item, Sorter, Sum, Writer};
use position::{Group, Observation, PackedMove, Step, Tally};
use table::{Counting, Source};

use super::{Counts, OUTCOMES, Runs, SortedCounts};
use crate::{Context, Result};

/// One kept move with its games, as a sorter takes it.
#[derive(Clone, Copy)]
struct Kept {
    id: u128,
    step: Step,
    tally: Tally,
}

/// What an item may add to each of its row's sums.
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

/// The counts of a book.
pub(crate) fn of_book(context: &Context, book: &Book) -> Result<Counts> {
    context.progress().enter("reading the book", 0);
    let options = extsort::Options {
        buckets: table::DEFAULT_SHARDS,
        temp_dir: context.temp_dir.clone(),
        stop: context.interrupt(),
        ..extsort::Options::new(context.memory.count.min(needed_bytes(book)), 1)
    };
    let sorter = Sorter::new(options)?;
    let mut writer = sorter.writer()?;
    let (mut positions, mut entry) = (book.positions(), PositionEntry::default());
    while positions.next_into(&mut entry)? {
        context.check_interrupt()?;
        push_position(&mut writer, &entry)?;
    }
    writer.close()?;
    let provenance = book.provenance()?;
    let counting: Counting = serde_json::from_value(provenance["counting"].clone()).unwrap_or_default();
    let sources: Vec<Source> = serde_json::from_value(provenance["sources"].clone()).unwrap_or_default();
    Ok(Counts::Sorted(SortedCounts {
        runs: Runs::Plain(sorter.finish()?),
        counting: Counting { groups: table::Groups::NONE, ratings: false, ..counting },
        sources,
        complete: provenance["book"]["keeps"] == "" && provenance["book"]["promotes"].is_null(),
    }))
}

/// Memory in which all of a book's counts are sorted. The sorter asks for all it may have at once, so a small
/// book asks for little.
fn needed_bytes(book: &Book) -> u64 {
    let book::BookStats { positions, edges, .. } = book.stats();
    SORTER_BYTES + 2 * size_of::<Kept>() as u64 * (positions + edges)
}

/// More than a sorter needs besides its items.
const SORTER_BYTES: u64 = 16 << 20;

fn push_position(writer: &mut Writer<'_, Kept, OUTCOMES>, entry: &PositionEntry) -> Result<()> {
    let (mut rest, step) = (entry.tally, Step::terminal(entry.turn));
    let mut push =
        |mv, tally| push_tally(writer, Observation::row_id(entry.key, mv, Group::NONE), step, tally);
    for edge in &entry.edges {
        rest = rest.checked_sub(edge.tally).unwrap_or_default();
        push(edge.mv, edge.tally)?;
    }
    push(PackedMove::TERMINAL, rest)
}

/// Pushes a tally in as many items as it takes.
fn push_tally(writer: &mut Writer<'_, Kept, OUTCOMES>, id: u128, step: Step, mut tally: Tally) -> Result<()> {
    while tally.games() > 0 {
        let part = Tally {
            white: tally.white.min(GAMES_AN_ITEM),
            draws: tally.draws.min(GAMES_AN_ITEM),
            black: tally.black.min(GAMES_AN_ITEM),
        };
        writer.push(Kept { id, step, tally: part })?;
        tally = tally.checked_sub(part).unwrap_or_default();
    }
    Ok(())
}
