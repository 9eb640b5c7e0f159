//! Finds the roots among sorted rows.

use position::{Root, Tally};
use table::{RootRow, Row};

/// Assembles roots, each of which is stored in several rows.
#[derive(Default)]
pub(super) struct RootParts {
    open: Option<RootRow>,
    whole: Vec<RootRow>,
}

impl RootParts {
    /// Whether a row is part of a root.
    #[inline]
    pub(super) fn has(row: &Row) -> bool {
        Root::is_part(row.mv)
    }

    /// Adds a row if it is part of a root, and returns whether it is. Rows must ascend.
    pub(super) fn take(&mut self, row: &Row) -> bool {
        if !Self::has(row) {
            return false;
        }
        self.whole.extend(self.open.take_if(|open| open.root.key != row.key));
        let begin = || RootRow { root: Root::begun(row.key, row.mv), tally: Tally::default() };
        let open = self.open.get_or_insert_with(begin);
        if open.root.add_part((row.mv, row.group, row.step)) == 0 {
            open.tally += row.tally;
        }
        true
    }

    /// Removes and returns the complete roots. If `is_end` is set, there are no more rows, and the last root
    /// is complete too.
    pub(super) fn drain(&mut self, is_end: bool) -> impl Iterator<Item = RootRow> + '_ {
        self.whole.extend(self.open.take_if(|_| is_end));
        self.whole.drain(..)
    }
}
