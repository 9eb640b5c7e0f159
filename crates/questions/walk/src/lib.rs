//! Finds the board that belongs to each key by playing the edges from the start position.
//!
//! A key cannot be turned back into a position. Positions are therefore found by a breadth-first search from
//! the start, one ply per pass. Tables may be far larger than memory, so each pass is a merge join of the
//! frontier (the positions of one ply, sorted by key) and the remaining edges (also sorted by key). The join
//! yields the positions of the next ply, which are sorted and become the next frontier.
//!
//! A walk begins at its [`Origin`], which is the start position by default, and at the roots of the rows.
//! Roots are positions, other than the start position, from which games started. A position is reached if a
//! line of moves leads to it from the origin or from a root, and each move of this line has a row. In a book
//! with moves for only one side ([`SortedRows::replies_of`]), the other side may reply with any legal move
//! that leads to a position with rows.
//!
//! For each shard, the result is a stream of [`Walked`] in ascending order of keys, with each position's ply,
//! parent and packed board. A [`Tree`] holds the moves that lead to some of these positions.
//!
//! # Flow
//!
//! 1. The edges are summed over their groups and written once, in sixteen bytes each.
//! 2. A pass reads the whole frontier. Edges are divided into windows, and only windows that may contain keys
//!    of the frontier are read. In a window, keys are found by their upper bits. The parts of the walk are
//!    divided among all threads. A position counts as reached the first time a pass finds it. Its children
//!    are added to the next frontier; their keys come from [`Step::child`](position::Step::child), and their
//!    pieces from the position's placement.
//! 3. Once more than a quarter of a part's edges have been reached (more than half if the part is in memory),
//!    its remaining edges are rewritten before the next pass. How much a walk reads therefore depends on the
//!    mean ply of the edges, not on the length of the longest game.
//! 4. The walk ends when a pass reaches nothing new, or at the last ply that was requested.
//!
//! # Memory
//!
//! The edges, the frontier and its children each take an eighth of the memory limit. The rest is used for the
//! reached positions and for one bit per edge; these bits must fit into a quarter of the limit. Whatever does
//! not fit into memory goes to disk, where an edge takes 16 bytes and a position about 70. In addition to the
//! limit, each thread needs memory for one window.
//!
//! # Example
//!
//! ```
//! use std::ops::ControlFlow;
//!
//! use position::{Board, Key, Outcome, Tally};
//! use table::{Counting, Row, TableWriter};
//! use walk::{Origin, Walk, Work};
//!
//! // A table of one game, 1.e4.
//! let dir = tempfile::tempdir()?;
//! let writer = TableWriter::create(&dir.path().join("games.table"), Counting::default(), 1, false)?;
//! let ply = Board::start().play_san(&"e4".parse()?)?;
//! let tally = Tally::one(Outcome::White);
//! let mut shard = writer.shard(0)?;
//! shard.push(&Row { key: Key::START, mv: ply.mv, step: ply.step, tally, ..Row::default() })?;
//! let table = writer.finish(vec![shard.finish()?], Vec::new())?;
//!
//! let on_progress = |_| ControlFlow::Continue(());
//! let temp_dir = dir.path().to_owned();
//! let work = Work { threads: 1, memory_bytes: 64 << 20, temp_dir, on_progress: &on_progress };
//! let walk = Walk::run(&work, &table, &Origin::default())?;
//! let start = walk.shard(0)?.next()?.unwrap();
//! assert_eq!((start.key, start.ply, start.parent), (Key::START, 0, None));
//! assert_eq!(start.board().unwrap().position(), shakmaty::Chess::default());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod buckets;
mod error;
mod found;
mod labels;
mod pass;
mod pending;
mod records;
mod roots;
mod rows;
mod tree;
mod work;

use std::{
    num::NonZeroU8,
    sync::{Mutex, PoisonError},
};

use fault::Result;
use position::{Key, Placement, Root};
use shakmaty::{Chess, Color, Position as _};
use table::SortedRows;

pub use self::{
    error::{EdgesError, RowOrderError},
    found::{Ascending, Parent, Walked, WalkedPositions},
    labels::{LabelOf, Labels},
    rows::{open, shard_of},
    tree::{Node, Tree, Visit},
    work::{OnProgress, WalkProgress, Work, for_each_shard},
};
use self::{
    pass::Pass,
    pending::{Pending, Place},
    records::{Arrival, Lineage, NO_PARENT, Record, RecordArena, RecordWriter, SortedRecords, sorter},
    roots::WalkRoots,
};

/// The maximum number of parts into which a walk is divided, however many shards there are. A key's leading
/// bits determine its part. There is a limit because each part keeps a file open.
const PARTS_MAX: u32 = 64;

/// Where a walk begins and ends.
#[derive(Clone, Debug)]
pub struct Origin {
    /// The first position.
    pub position: Chess,
    /// The ply of this position. The ply is even if White is to move, and odd if Black is to move.
    pub ply: u16,
    /// The last ply whose positions are reached.
    pub last_ply: u16,
    /// A line ends after this many moves in a row that were each played in at most one game; `None` for no
    /// such limit.
    pub new_after: Option<NonZeroU8>,
    /// Whether lines also begin at the roots of the rows. On such a line, plies are counted from its root.
    pub with_roots: bool,
}

impl Default for Origin {
    /// By default, the walk begins at the start position and at all roots, and continues to the end of the
    /// longest game. Under the fifty-move rule, no game lasts 65,535 plies.
    fn default() -> Self {
        Self { position: Chess::default(), ply: 0, last_ply: u16::MAX, new_after: None, with_roots: true }
    }
}

/// The result of a walk.
pub struct Walk {
    /// The reached positions, in the same shards as the rows.
    reached: SortedRecords,
    roots: WalkRoots,
    /// The number of plies from the origin to the position found last.
    pub plies: u32,
}

impl Walk {
    /// Walks all edges from the origin.
    ///
    /// # Errors
    ///
    /// Fails if the rows cannot be read or are out of order, if the edges need too much memory, if a
    /// temporary file cannot be written or read, or if `on_progress` breaks.
    pub fn run(work: &Work<'_>, edges: &dyn SortedRows, origin: &Origin) -> Result<Self> {
        Self::labelled(work, edges, origin, Labels::NONE)
    }

    /// Like [`run`](Self::run), but also labels the positions.
    ///
    /// # Errors
    ///
    /// Fails as [`run`](Self::run) does.
    pub fn labelled(
        work: &Work<'_>,
        edges: &dyn SortedRows,
        origin: &Origin,
        labels: Labels<'_>,
    ) -> Result<Self> {
        let parts = edges.shards().min(PARTS_MAX);
        let memory_bytes = (work.memory_bytes / 8 / u64::from(parts)) as usize;
        let place = Place { folder: work.temp_dir.clone(), memory_bytes };
        let pending = for_each_shard(work, "reading edges", parts, |part| {
            let shards = edges.shards() / parts;
            let shards = part * shards..(part + 1) * shards;
            Ok(Mutex::new(Pending::of_shards(edges, shards, place.clone())?))
        })?;
        let memory_bytes = (work.memory_bytes / 8 * 5).saturating_sub(bytes_beside(&pending, work)?);
        let reached = sorter(work, memory_bytes, edges.shards(), &RecordArena::default())?;
        let arena = RecordArena::default();
        let roots = WalkRoots::read(work, edges, origin)?;
        let mut frontier = first_frontier(work, parts, (origin, &roots), labels.first, &arena)?;
        let Origin { mut ply, last_ply, new_after, .. } = *origin;
        let end = last_ply.saturating_add(roots.has_black.into());
        loop {
            let children = sorter(work, work.memory_bytes / 8, parts, &arena)?;
            let pass = Pass { ply, replies_of: edges.replies_of(), last_ply, new_after, labels };
            let begins_black = ply == origin.ply && roots.has_black;
            if begins_black {
                push_roots(&roots, Color::Black, children.writer()?)?;
            }
            let found = for_each_shard(work, "walking", parts, |part| {
                let mut pending = pending[part as usize].lock().unwrap_or_else(PoisonError::into_inner);
                pass.run(&mut pending, frontier.bucket(part)?, reached.writer()?, children.writer()?)
            })?;
            if found.iter().sum::<u64>() == 0 && !begins_black {
                break;
            }
            ply = ply.saturating_add(1);
            if pass.ply == end {
                break;
            }
            frontier = children.finish()?;
        }
        let plies = u32::from(ply - origin.ply).saturating_sub(1);
        Ok(Self { reached: reached.finish()?, roots, plies })
    }

    /// Whether any lines begin at roots of the rows.
    #[must_use]
    pub fn has_roots(&self) -> bool {
        self.roots.count > 0
    }

    /// The position of a root. Only the origin keeps its halfmove clock and move number. `None` if the
    /// position is not legal, as may happen in a damaged table.
    ///
    /// # Errors
    ///
    /// Fails if a temporary file cannot be read.
    pub fn root(&self, number: u64) -> Result<Option<Chess>> {
        self.roots.position(number)
    }

    /// Returns the positions with these keys, except those that the walk did not reach. The keys must be in
    /// ascending order.
    ///
    /// # Errors
    ///
    /// Fails if a temporary file cannot be read.
    pub fn find(&self, keys: &[Key]) -> Result<Vec<Walked>> {
        let (shards, mut found) = (self.shards(), Vec::new());
        for keys in keys.chunk_by(|a, b| shard_of(*a, shards) == shard_of(*b, shards)) {
            let mut positions = self.shard(shard_of(keys[0], shards))?;
            for key in keys {
                found.extend(positions.find(*key)?);
            }
        }
        Ok(found)
    }

    fn shards(&self) -> u32 {
        self.reached.buckets()
    }

    /// The positions of a shard.
    ///
    /// # Errors
    ///
    /// Fails if a temporary file cannot be read.
    pub fn shard(&self, shard: u32) -> Result<WalkedPositions> {
        WalkedPositions::new(self.reached.bucket(shard)?)
    }
}

/// Returns how many bytes the pending edges take in addition to their rows. Fails with [`EdgesError`] if the
/// memory limit is too low for these bytes.
fn bytes_beside(pending: &[Mutex<Pending>], work: &Work<'_>) -> Result<u64> {
    let sum = |of: fn(&Pending) -> u64| -> u64 {
        pending.iter().map(|part| of(&part.lock().unwrap_or_else(PoisonError::into_inner))).sum()
    };
    let bytes = sum(Pending::bytes_beside);
    EdgesError::check(sum(|pending| pending.rows), bytes, work.memory_bytes)?;
    Ok(bytes)
}

/// The first frontier: the origin, and those roots where White is to move.
fn first_frontier(
    work: &Work<'_>,
    parts: u32,
    (origin, roots): (&Origin, &WalkRoots),
    label: u16,
    arena: &RecordArena,
) -> Result<SortedRecords> {
    debug_assert_eq!(origin.position.turn(), turn_at(origin.ply));
    let sorter = sorter(work, work.memory_bytes / 8, parts, arena)?;
    let mut writer = sorter.writer()?;
    if roots.has_origin {
        let words = Arrival { label, ..NO_PARENT }.words(Placement::of(&origin.position));
        writer.push(Record { key: Key::of(&origin.position), words })?;
    }
    push_roots(roots, Color::White, writer)?;
    Ok(sorter.finish()?)
}

/// Adds the roots where this side is to move.
fn push_roots(roots: &WalkRoots, turn: Color, mut writer: RecordWriter<'_>) -> Result<()> {
    roots.of_side(turn, |number, Root { key, placement, .. }| {
        let arrival = Arrival { from: Lineage::new(number, turn), ..NO_PARENT };
        Ok(writer.push(Record { key, words: arrival.words(placement) })?)
    })?;
    Ok(writer.close()?)
}

/// The side to move at a ply.
pub(crate) fn turn_at(ply: u16) -> Color {
    Color::from_white(ply.is_multiple_of(2))
}
