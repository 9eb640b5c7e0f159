//! A book back into sorted counts.
//!
//! A book does not say what a move changes besides its squares; a board does. So the book is walked from the start position,
//! and every kept move gives a row as a table has it. Visits that went on with a move the book does not keep cannot be told
//! from those that ended, and become terminal visits. The moves of positions that no walk from the start reaches come without a
//! step: nobody knows where they lead.
//!
//! # Memory
//!
//! The sorter's share; eight bytes and a bit a position for those that were met, and sixty for each that waits for its turn.

use std::{
    collections::{HashSet, VecDeque},
    sync::Arc,
};

use book::{Book, PositionEntry};
use extsort::{Item, Sorter, Writer};
use position::{Board, Group, Key, Observation, PackedMove, Step, Tally};
use table::{Counting, Source};

use crate::{
    Context, Counts, Result,
    count::{OUTCOMES, Runs},
    counts::SortedCounts,
};

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
pub(crate) fn unfold(context: &Context, book: &Book) -> Result<Counts> {
    context.progress.enter("walking the book", 0);
    let options = extsort::Options {
        buckets: table::DEFAULT_SHARDS,
        temp_dir: context.temp_dir.clone(),
        cancel: Arc::clone(&context.cancel),
        ..extsort::Options::new(context.shares.count, 1)
    };
    let sorter = Sorter::new(options)?;
    let walk = Walk { book, writer: sorter.writer()?, met: HashSet::new(), waiting: VecDeque::new() };
    walk.run(context)?;
    let provenance = book.provenance()?;
    let counting: Counting = serde_json::from_value(provenance["counting"].clone()).unwrap_or_default();
    let sources: Vec<Source> = serde_json::from_value(provenance["sources"].clone()).unwrap_or_default();
    let counting = Counting { groups: table::Groups::NONE, ratings: false, ..counting };
    Ok(Counts::Sorted(SortedCounts { runs: Runs::Plain(sorter.finish()?), counting, sources }))
}

struct Walk<'b> {
    book: &'b Book,
    writer: Writer<'b, Kept, OUTCOMES>,
    met: HashSet<Key>,
    waiting: VecDeque<Board>,
}

impl Walk<'_> {
    fn run(mut self, context: &Context) -> Result<()> {
        let (start, mut entry) = (Board::start(), PositionEntry::default());
        if self.book.probe_into(start.key(), &mut entry)? {
            self.met.insert(start.key());
            self.waiting.push_back(start);
        }
        while let Some(board) = self.waiting.pop_front() {
            context.check_cancelled()?;
            if self.book.probe_into(board.key(), &mut entry)? {
                self.position(&board, &entry)?;
            }
        }
        let mut positions = self.book.positions();
        while positions.next_into(&mut entry)? {
            context.check_cancelled()?;
            if !self.met.contains(&entry.key) {
                self.unreached(&entry)?;
            }
        }
        self.writer.close()?;
        Ok(())
    }

    fn position(&mut self, board: &Board, entry: &PositionEntry) -> Result<()> {
        let chess = board.position();
        let mut rest = entry.tally;
        for edge in &entry.edges {
            rest = rest.checked_sub(edge.tally).unwrap_or_default();
            // A move that is illegal here belongs to another position of the same key; it is no edge of this walk.
            let Some(m) = edge.mv.unpack(&chess) else { continue };
            let mut after = board.clone();
            let Ok(ply) = after.play_san(&shakmaty::san::San::from_move(&chess, m)) else { continue };
            self.push(entry.key, edge.mv, ply.step, edge.tally)?;
            if self.met.insert(after.key()) {
                self.waiting.push_back(after);
            }
        }
        self.push(entry.key, PackedMove::TERMINAL, Step::terminal(board.turn()), rest)
    }

    fn unreached(&mut self, entry: &PositionEntry) -> Result<()> {
        let (mut rest, step) = (entry.tally, Step::terminal(entry.turn));
        for edge in &entry.edges {
            rest = rest.checked_sub(edge.tally).unwrap_or_default();
            self.push(entry.key, edge.mv, step, edge.tally)?;
        }
        self.push(entry.key, PackedMove::TERMINAL, step, rest)
    }

    fn push(&mut self, key: Key, mv: PackedMove, step: Step, mut tally: Tally) -> Result<()> {
        let id = Observation::row_id(key, mv, Group::NONE);
        while tally.games() > 0 {
            let part = Tally {
                white: tally.white.min(GAMES_AN_ITEM),
                draws: tally.draws.min(GAMES_AN_ITEM),
                black: tally.black.min(GAMES_AN_ITEM),
            };
            self.writer.push(Kept { id, step, tally: part })?;
            tally = tally.checked_sub(part).unwrap_or_default();
        }
        Ok(())
    }
}
