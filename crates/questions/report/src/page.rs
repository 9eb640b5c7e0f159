//! Shows counts on a single page: the opening tree, results by group, and the games that were left out.
//!
//! # Flow
//!
//! 1. [`positions`] finds what is played in a position; [`tree`] follows the most frequent moves from there.
//! 2. [`groups`] counts the first position's games by speed, rating band and month; [`left_out`] counts the
//!    games that were filtered out or rejected; [`spread`] holds any box plots that the caller passed in.
//! 3. [`figures`] draws the numbers as SVG charts, [`tables`] lists them in tables, and [`document`] puts
//!    everything into one file.

mod document;
mod figures;
mod groups;
mod left_out;
mod positions;
pub(crate) mod spread;
mod tables;
mod tree;

use std::ops::ControlFlow;

use askama::Template as _;
use position::{Experience, Key, NamedLine, PackedMove};
use table::{CountedInput, SortedRows, Table};

use self::{
    document::Document, groups::Groupings, left_out::LeftOut, positions::Positions, spread::Spread,
    tree::Tree,
};
use fault::{Result, Stop};

use crate::Error;

/// The default number of plies of the tree.
pub const PLIES: u32 = 10;
/// The maximum number of plies of the tree; with more, the columns would be too narrow to read.
pub const PLIES_MAX: u32 = 16;

/// Looks up the experience of a move: the values that were learned or set by hand.
pub type KnownMoves<'k> = dyn Fn(Key, PackedMove) -> Option<Experience> + Sync + 'k;

/// The counts that the page shows.
pub struct Subject<'s> {
    /// The rows of these counts.
    pub rows: &'s dyn SortedRows,
    /// The table from which the rows come; `None` if they come from elsewhere. If there is a table, its parts
    /// are checked and positions are looked up in it, so no row is read from `rows`.
    pub table: Option<&'s Table>,
    /// The inputs that were counted.
    pub sources: &'s [CountedInput],
    /// The number of games that were counted.
    pub games: u64,
    /// Looks up the experience of a book move.
    pub known: &'s KnownMoves<'s>,
    /// Sections of box plots, shown after the groups. The plots show numbers taken from games, such as the
    /// time that moves took.
    pub spreads: &'s [Spread],
}

/// The heading and the tree that a page shows.
pub struct PageRequest<'w> {
    /// The heading of the page.
    pub title: &'w str,
    /// The position at which the tree begins, and the moves that lead to it.
    pub start: &'w NamedLine,
    /// The number of plies of the tree, 1 to [`PLIES_MAX`].
    pub plies: u32,
}

/// The number of threads to use, and callbacks for stopping the work and reporting progress. Both callbacks
/// may be called on any thread.
#[derive(Clone, Copy)]
pub struct Work<'w> {
    /// The number of threads that read shards.
    pub threads: usize,
    /// Called before each shard and before each move of the tree; `Break` stops the work.
    pub check: &'w (dyn Fn() -> ControlFlow<()> + Sync),
    /// Called after each shard has been read (or checked, if there is a table).
    pub on_shard: &'w (dyn Fn() + Sync),
}

/// A finished page.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Page {
    /// The page, as a complete HTML document.
    pub html: String,
    /// The number of moves in the tree.
    pub moves: u64,
    /// Warnings for the user about things that did not stop the work.
    pub warnings: Vec<String>,
}

/// Makes a page that shows the counts of `subject`. The same counts give the same page, byte for byte.
///
/// # Memory
///
/// The page takes at most 1.5 MB of memory. Unless the rows come from a table, the most frequent positions
/// are kept in memory as well, at about a hundred bytes each. There are fewer than 40,000 of these positions
/// for each ply that was counted.
///
/// # Errors
///
/// Fails with [`Error::RootDiffers`] if the counts do not contain the position of `wanted.start`, and begin
/// at a position that is neither this position nor the start position. Fails with [`Stop`] if the caller
/// stops the work. Also fails if the counts cannot be read.
pub fn page(subject: &Subject<'_>, wanted: &PageRequest<'_>, work: &Work<'_>) -> Result<Page> {
    if let Some(table) = subject.table {
        table.check_parts(work.threads, || work.check(), work.on_shard)?;
    }
    let (key, counting) = (Key::of(&wanted.start.position), subject.rows.counting());
    let rows = positions::rows_of(subject, key)?;
    let mut warnings = Vec::new();
    if rows.is_empty() {
        // Counts that begin at a position other than the start position store only the key of that position.
        if let Some(root) = counting.root.filter(|root| *root != key) {
            return Err(Error::RootDiffers(root).into());
        }
        warnings.push("no counted game comes to the position the report is about".into());
    }
    let groupings = Groupings::of(counting.groups, &rows);
    let positions = Positions::find(subject, groupings.all.games(), work)?;
    let tree = Tree::grow(&positions, subject.known, wanted, || work.check())?;
    let left_out = LeftOut::of(subject.sources);
    let html =
        Document::new(wanted.title, subject, &tree, &groupings, &left_out).render().map_err(Error::from)?;
    Ok(Page { html, moves: tree.moves.len() as u64, warnings })
}

impl Work<'_> {
    /// Fails with [`Stop`] if the caller asks to stop.
    fn check(&self) -> Result<()> {
        if (self.check)().is_break() { Err(Stop.into()) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

    use position::{Outcome, Tally, named_line};
    use shakmaty::Square;
    use table::{Counting, Row, TableWriter};

    use super::*;

    /// A table of a single game, 1. e4, counted from `root`.
    fn table(folder: &tempfile::TempDir, root: Option<Key>) -> Table {
        let counting = Counting { root, ..Counting::default() };
        let writer = TableWriter::create(&folder.path().join("games.table"), counting, 2, false).unwrap();
        let mv = PackedMove::new(Square::E2, Square::E4, None);
        let tally = Tally::one(Outcome::White);
        let row = Row { key: Key::START, mv, tally, ..Row::default() };
        let shards = [0, 1].map(|number| {
            let mut shard = writer.shard(number).unwrap();
            if u64::from(number) == row.key.0 >> 63 {
                shard.push(&row).unwrap();
            }
            shard.finish().unwrap()
        });
        writer.finish(shards.into(), Vec::new()).unwrap()
    }

    fn made(rows: &Table, table: Option<&Table>, start: &NamedLine, work: &Work<'_>) -> Result<Page> {
        let known = |_, _| None;
        let subject = Subject { rows, table, sources: &[], games: 1, known: &known, spreads: &[] };
        page(&subject, &PageRequest { title: "", start, plies: PLIES }, work)
    }

    #[test]
    fn a_table_and_rows_alone_give_the_same_page() {
        let (folder, read) = (tempfile::tempdir().unwrap(), AtomicU32::new(0));
        let on_shard = || {
            read.fetch_add(1, Relaxed);
        };
        let work = Work { threads: 2, check: &|| ControlFlow::Continue(()), on_shard: &on_shard };
        let (rows, start) = (table(&folder, None), named_line(None, None).unwrap());
        let probed = made(&rows, Some(&rows), &start, &work).unwrap();
        assert_eq!((probed.moves, probed.warnings.len(), read.load(Relaxed)), (1, 0, 2));
        assert!(probed == made(&rows, None, &start, &work).unwrap());
        assert_eq!(read.load(Relaxed), 4);
        let stopped = Work { check: &|| ControlFlow::Break(()), ..work };
        assert!(made(&rows, None, &start, &stopped).err().unwrap().is::<Stop>());
    }

    #[test]
    fn a_position_before_the_root_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let rows = table(&folder, Some(Key::START));
        let work = Work { threads: 1, check: &|| ControlFlow::Continue(()), on_shard: &|| () };
        let after_d4 = named_line(None, Some("d4")).unwrap();
        let error = made(&rows, Some(&rows), &after_d4, &work).unwrap_err();
        assert!(error.kind().is_usage(), "{error}");
        assert_eq!(
            error.to_string(),
            format!(
                "this position has no counts, and the counts begin at the position with key {}: begin the \
                 report there",
                Key::START
            )
        );
    }
}
