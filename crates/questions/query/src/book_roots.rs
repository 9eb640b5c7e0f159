//! The positions where the lines of a book or a table begin.

use book::Book;
use position::{Key, Root, Tally};
use shakmaty::Chess;
use table::{RootRow, SortedRows, Table};

use crate::{Artefact, Result};

/// The roots of a book or a table, in ascending order of keys. They include the start position if any lines
/// begin there. If there are no roots, all lines begin at the start position.
///
/// # Memory
///
/// Each root takes 48 bytes.
#[derive(Clone, Debug, Default)]
pub struct BookRoots(Vec<Root>);

impl BookRoots {
    /// Reads the roots of a book.
    ///
    /// # Errors
    ///
    /// Fails if the book cannot be read or is damaged.
    pub fn of(book: &Book) -> Result<Self> {
        Ok(Self(book.roots()?))
    }

    /// Reads the roots of a table.
    ///
    /// # Errors
    ///
    /// Fails if the table cannot be read or is damaged.
    pub fn of_table(table: &Table) -> Result<Self> {
        let (mut roots, mut games) = (Vec::new(), 0);
        for shard in 0..SortedRows::shards(table) {
            for row in table.roots(shard)?.into_iter().flatten() {
                let RootRow { root, tally } = row?;
                roots.push(root);
                games += tally.games();
            }
        }
        if !roots.is_empty() && !table.all_start_elsewhere(games) {
            roots.push(Root::of(&Chess::default()));
            roots.sort_unstable_by_key(|root| root.key);
        }
        Ok(Self(roots))
    }

    /// Whether no line begins at the start position.
    #[must_use]
    pub fn all_start_elsewhere(&self) -> bool {
        !self.0.is_empty() && self.0.binary_search_by_key(&Key::START, |root| root.key).is_err()
    }

    /// The positions where lines begin, with the start position first if it is one of them.
    #[must_use]
    pub fn positions(&self) -> Vec<Chess> {
        let start = (!self.all_start_elsewhere()).then(Chess::default);
        start.into_iter().chain(self.of_shard(0, 1).filter_map(|row| row.root.position())).collect()
    }

    /// The roots in a shard, without the start position. The tally of each root is empty, because the number
    /// of games that began at the root is not known.
    pub fn of_shard(&self, shard: u32, shards: u32) -> impl Iterator<Item = RootRow> + '_ {
        let shard_of = move |key: Key| key.0.checked_shr(64 - shards.trailing_zeros()).unwrap_or(0);
        let inside = move |root: &&Root| shard_of(root.key) == u64::from(shard) && root.key != Key::START;
        self.0.iter().filter(inside).map(|root| RootRow { root: *root, tally: Tally::default() })
    }
}

/// The positions where the lines of an artefact begin. If the start position is among them, it comes first.
///
/// # Errors
///
/// Fails if the artefact cannot be read or is damaged.
pub fn first_positions(artefact: &Artefact) -> Result<Vec<Chess>> {
    match artefact {
        Artefact::Book(book) => Ok(BookRoots::of(book)?.positions()),
        Artefact::Table(table) => Ok(BookRoots::of_table(table)?.positions()),
        Artefact::Polyglot(_) | Artefact::Experience(_) => Ok(vec![Chess::default()]),
    }
}
