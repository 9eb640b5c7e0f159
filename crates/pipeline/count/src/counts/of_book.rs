//! The counts of a book, sorted like those of a table.
//!
//! A book does not store the [`Step`] of a move, so its rows have no steps, and a reader needs a board to
//! find out where a move leads. In a book, visits that continued with a dropped move look the same as games
//! that ended at the position, so both become terminal visits.

use book::{Book, PositionEntry};
use position::{PackedMove, Step, only_side};
use query::BookRoots;
use run::{Context, Result};
use shakmaty::ByColor;
use table::{CountedInput, Counting};

use super::{
    Counts, SortedCounts,
    finished_book::{KeptWriter, sorted},
};

/// Sorts the counts of a book.
pub fn of_book(context: &Context, book: &Book) -> Result<Counts> {
    let mut has_moves = ByColor::new_with(|_| false);
    let runs = sorted(context, book.stats(), |writer| {
        let (mut positions, mut entry) = (book.positions(), PositionEntry::default());
        while positions.next_into(&mut entry)? {
            context.check_interrupt()?;
            *has_moves.get_mut(entry.turn) |= !entry.edges.is_empty();
            push_position(writer, &entry)?;
        }
        Ok(())
    })?;
    let provenance = book.provenance()?;
    let counting: Counting = serde_json::from_value(provenance["counting"].clone()).unwrap_or_default();
    let sources: Vec<CountedInput> =
        serde_json::from_value(provenance["sources"].clone()).unwrap_or_default();
    Ok(Counts::Sorted(SortedCounts {
        runs,
        counting: Counting { groups: table::Groups::NONE, ratings: false, ..counting },
        sources,
        replies_of: only_side(|side| *has_moves.get(side)).map(|side| !side),
        roots: Some(BookRoots::of(book)?),
    }))
}

fn push_position(writer: &mut KeptWriter<'_>, entry: &PositionEntry) -> Result<()> {
    let (mut rest, step) = (entry.tally, Step::terminal(entry.turn));
    for edge in &entry.edges {
        rest = rest.checked_sub(edge.tally).unwrap_or_default();
        writer.push(entry.key, edge.mv, step, edge.tally)?;
    }
    writer.push(entry.key, PackedMove::TERMINAL, step, rest)
}
