//! The entries of a Polyglot book as rows, for a walk over them.
//!
//! They hold weights and no counts, so what is made of these rows is boards, not numbers: a weight counts as
//! that many draws, at least one, because a move of weight 0 leads on, too.

use book::{BookStats, polyglot::Reader};
use position::{Step, Tally};
use table::Counting;

use super::{Counts, SortedCounts, kept::sorted};
use crate::{Context, Result};

/// Entries between two looks at whether the user interrupts.
const ENTRIES_A_LOOK: usize = 1 << 16;

/// The entries of a Polyglot book. It has no rows of positions without moves, and leaves out moves of games.
pub(crate) fn of_polyglot(context: &Context, reader: &Reader) -> Result<Counts> {
    let size = BookStats { edges: reader.entries(), ..BookStats::default() };
    let runs = sorted(context, size, |writer| {
        for (number, entry) in reader.iter().enumerate() {
            let entry = entry?;
            if number.is_multiple_of(ENTRIES_A_LOOK) {
                context.check_interrupt()?;
            }
            let tally = Tally { draws: u64::from(entry.weight.max(1)), ..Tally::default() };
            writer.push(entry.key, entry.mv, Step::default(), tally)?;
        }
        Ok(())
    })?;
    let (counting, sources) = (Counting::default(), Vec::new());
    Ok(Counts::Sorted(SortedCounts { runs, counting, sources, complete: false, leaves: false }))
}
