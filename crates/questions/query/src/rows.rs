//! An artefact's positions as sorted rows, for walks. The rows are read straight from the artefact and need
//! no sorting.

use std::iter::Peekable;

use book::{PositionEntry, Positions, polyglot::PolyglotEntry};
use position::{PackedMove, Step, Tally};
use shakmaty::Color;
use table::{BoxedRows, Counting, EachRoot, Row, RowBatches, SortedRows};

use crate::{Artefact, BookRoots, Error, Result, only_side};

/// The approximate number of rows in a batch.
const BATCH_ROWS: usize = 1 << 12;

/// The moves of a book, a table or a Polyglot book as rows. A Polyglot book has weights instead of counts. A
/// weight of n is treated as n draws. A weight of 0 is treated as one draw, so that a walk still counts the
/// move as played.
///
/// # Memory
///
/// One batch of rows is in memory for each shard that is being read.
pub struct ArtefactRows<'a> {
    artefact: &'a Artefact,
    counting: Counting,
    replies_of: Option<Color>,
    /// The roots of a book.
    roots: BookRoots,
}

impl<'a> ArtefactRows<'a> {
    /// Opens the rows of an artefact.
    ///
    /// # Errors
    ///
    /// Fails with [`Error::NoBookToChooseFrom`] for an experience file, or if the artefact cannot be read.
    pub fn of(artefact: &'a Artefact) -> Result<Self> {
        let roots = match artefact {
            Artefact::Book(book) => BookRoots::of(book)?,
            Artefact::Table(_) | Artefact::Polyglot(_) => BookRoots::default(),
            Artefact::Experience(file) => {
                return Err(Error::NoBookToChooseFrom(file.path().into()));
            }
        };
        let replies_of = only_side(artefact)?.map(|side| !side);
        Ok(Self { artefact, counting: Counting::default(), replies_of, roots })
    }
}

impl SortedRows for ArtefactRows<'_> {
    fn shards(&self) -> u32 {
        match self.artefact {
            Artefact::Book(book) => book.shards(table::DEFAULT_SHARDS),
            Artefact::Table(table) => SortedRows::shards(table),
            _ => table::DEFAULT_SHARDS,
        }
    }

    fn counting(&self) -> &Counting {
        match self.artefact {
            Artefact::Table(table) => table.counting(),
            _ => &self.counting,
        }
    }

    fn replies_of(&self) -> Option<Color> {
        self.replies_of
    }

    fn all_start_elsewhere(&self, rooted: u64) -> bool {
        match self.artefact {
            Artefact::Table(table) => table.all_start_elsewhere(rooted),
            _ => self.roots.all_start_elsewhere(),
        }
    }

    fn roots(&self, shard: u32, each: &mut EachRoot<'_>) -> fault::Result<()> {
        match self.artefact {
            Artefact::Table(table) => SortedRows::roots(table, shard, each),
            _ => self.roots.of_shard(shard, SortedRows::shards(self)).try_for_each(each),
        }
    }

    fn shard(&self, shard: u32) -> fault::Result<BoxedRows<'_>> {
        let of_all = SortedRows::shards(self);
        match self.artefact {
            Artefact::Book(book) => Ok(Box::new(BookRows(book.positions_of(shard, of_all)))),
            Artefact::Table(table) => table.shard(shard),
            Artefact::Polyglot(reader) => {
                Ok(Box::new(PolyglotRows(reader.entries_of(shard, of_all)?.peekable())))
            }
            Artefact::Experience(_) => unreachable!("it is refused"),
        }
    }
}

/// The positions of a book as rows.
struct BookRows<'b>(Positions<'b>);

impl RowBatches for BookRows<'_> {
    fn next_batch(&mut self, rows: &mut Vec<Row>) -> fault::Result<bool> {
        rows.clear();
        let mut entry = PositionEntry::default();
        while rows.len() < BATCH_ROWS && self.0.next_into(&mut entry)? {
            push_position(&entry, rows);
        }
        Ok(!rows.is_empty())
    }
}

/// The entries of a Polyglot book as rows.
struct PolyglotRows<I: Iterator>(Peekable<I>);

impl<I: Iterator<Item = book::Result<PolyglotEntry>>> RowBatches for PolyglotRows<I> {
    fn next_batch(&mut self, rows: &mut Vec<Row>) -> fault::Result<bool> {
        rows.clear();
        while rows.len() < BATCH_ROWS
            && let Some(first) = self.0.next().transpose()?
        {
            let begin = rows.len();
            push_entry(&first, begin, rows);
            let is_same =
                |next: &book::Result<PolyglotEntry>| next.as_ref().is_ok_and(|next| next.key == first.key);
            while let Some(entry) = self.0.next_if(is_same).transpose()? {
                push_entry(&entry, begin, rows);
            }
            rows[begin..].sort_unstable_by_key(|row| row.mv);
        }
        Ok(!rows.is_empty())
    }
}

/// Adds the rows of a position. If a position has more games than its moves account for, the other games are
/// taken to have ended there.
fn push_position(entry: &PositionEntry, rows: &mut Vec<Row>) {
    let (key, step) = (entry.key, Step::terminal(entry.turn));
    let rest =
        entry.edges.iter().fold(entry.tally, |rest, edge| rest.checked_sub(edge.tally).unwrap_or_default());
    let row = |mv, tally| Row { key, mv, step, tally, ..Row::default() };
    rows.push(row(PackedMove::TERMINAL, rest));
    rows.extend(entry.edges.iter().map(|edge| row(edge.mv, edge.tally)));
}

/// Adds an entry to the rows of its position, which start at `begin`.
fn push_entry(entry: &PolyglotEntry, begin: usize, rows: &mut Vec<Row>) {
    let tally = Tally { draws: entry.weight.max(1).into(), ..Tally::default() };
    match rows[begin..].iter_mut().find(|row| row.mv == entry.mv) {
        Some(row) => row.tally += tally,
        None => rows.push(Row { key: entry.key, mv: entry.mv, tally, ..Row::default() }),
    }
}
