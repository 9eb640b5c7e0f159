//! Counts as one page to look at: the opening tree, results by group, and what became of the games.
//!
//! # Flow
//!
//! 1. [`positions`] finds what is played in a position; [`tree`] walks the commonest moves with it.
//! 2. [`groups`] sums the first position's games by speed, rating band and month; [`fates`] those of the inputs by what became of them.
//! 3. [`figures`] describes charts as plotly.js takes them, and [`page`] puts everything, the library too, into one file.

mod fates;
mod figures;
mod groups;
mod numbers;
mod page;
mod positions;
mod tables;
mod tree;

use position::Key;
use shakmaty::Chess;

use self::{fates::Fates, groups::Groupings, page::Page, positions::Positions, tree::Tree};
use crate::{Context, Counts, Error, Result};

/// Plies of the tree if nothing else is said.
pub(crate) const PLIES: u32 = 10;
/// Plies of the tree at most: more columns than these cannot be read.
pub(crate) const PLIES_MAX: u32 = 16;

/// What the page is to show.
pub(crate) struct Wanted<'w> {
    /// Its heading.
    pub(crate) title: &'w str,
    /// Where the tree begins.
    pub(crate) start: &'w Chess,
    /// How far it goes.
    pub(crate) plies: u32,
}

/// A finished page.
pub(crate) struct Made {
    /// The page, a whole HTML document.
    pub(crate) html: String,
    /// Moves in its tree.
    pub(crate) moves: u64,
}

/// Draws `counts`.
///
/// # Memory
///
/// The page, some seven megabytes, and what [`Positions`] keeps.
pub(crate) fn report(context: &Context, counts: &Counts, wanted: &Wanted) -> Result<Made> {
    let key = Key::of(wanted.start);
    let rows = positions::rows_of(counts, key)?;
    if rows.is_empty() {
        check_root(counts, key)?;
        context.report().warnings.push("no counted game comes to the position the report is about".into());
    }
    let groupings = Groupings::of(counts.counting().groups, &rows);
    let positions = Positions::find(context, counts, groupings.all.games())?;
    let tree = Tree::grow(&positions, wanted.start, wanted.plies, || context.check_cancelled())?;
    let fates = Fates::of(counts.sources());
    let html = Page::new(wanted.title, counts, &tree, &groupings, &fates).html()?;
    Ok(Made { html, moves: tree.moves().len() as u64 })
}

/// Counts that begin at a position know nothing of those before it, and name theirs only by its key.
fn check_root(counts: &Counts, key: Key) -> Result<()> {
    match counts.counting().root {
        Some(root) if root != key => Err(Error::Recipe(format!(
            "the counts begin at the position {root}; name it for the report, with `fen` or `line`"
        ))),
        _ => Ok(()),
    }
}
