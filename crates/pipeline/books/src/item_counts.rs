//! What was read, written and left out, counted by name.

use std::collections::BTreeMap;

/// The numbers of items by what they are. An item that never came has none.
#[derive(Default)]
pub(crate) struct ItemCounts(BTreeMap<&'static str, u64>);

impl ItemCounts {
    pub(crate) fn add(&mut self, what: &'static str, items: u64) {
        if items > 0 {
            *self.0.entry(what).or_default() += items;
        }
    }

    /// The numbers as a summary says them.
    pub(crate) fn said(&self) -> impl Iterator<Item = (String, u64)> {
        self.0.iter().map(|(what, items)| ((*what).to_owned(), *items))
    }
}
