//! The walk: finds the board of every key by playing the edges from the start position.
//!
//! A key cannot be turned back into a position. So positions are found by searching from the start, breadth
//! first, one ply in each pass. Tables may be far larger than memory, so a pass is a merge join: the frontier
//! (the positions of one ply, sorted by key) is joined with the remaining edges (sorted by key). This finds
//! the positions one ply later, which are sorted and become the next frontier.
//!
//! A position is reached if moves that have rows lead to it from the first position. In a book with moves for
//! only one side ([`SortedRows::replies_of`]), the other side replies with any legal move that leads to a
//! position with rows.
//!
//! The walk also begins at the roots of the rows: positions, other than the start position, that games
//! started from.
//!
//! The result is a stream of [`Walked`] for each shard, ascending by key: the ply, the parent and the packed
//! board of each position. A [`Tree`] has the moves that lead to some of these positions.
//!
//! # Flow
//!
//! 1. The edges are written once, at sixteen bytes each, with groups summed.
//! 2. A pass reads the frontier, and only those windows of the edges that hold one of its keys; in a window,
//!    a key is found by interpolation. The parts of the walk run on all threads. A position that comes up for
//!    the first time counts as reached. Its children go to the next frontier, with the key from
//!    [`Step::child`](position::Step::child) and the pieces from the position's placement.
//! 3. If a quarter of a part's edges have been reached (or half of them, if they are in memory), the
//!    remaining edges are rewritten before the next pass. So the amount that a walk reads depends on the mean
//!    ply of the edges, not on the length of the longest game.
//! 4. The walk ends when a pass reaches nothing new, or at the last requested ply.
//!
//! # Memory
//!
//! The edges take an eighth of the limit, the frontier another eighth and its children a third. The reached
//! positions take the rest, less one bit for each edge; these bits must fit into a quarter of the limit.
//! Whatever does not fit into memory is on disk: an edge takes 16 bytes there, and a position about 70. In
//! addition to the limit, there is one window for each thread.
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

/// The maximum number of parts that a walk is cut into, by the leading bits of keys, even if there are more
/// shards. The number is limited because each part has an open file.
const PARTS_MAX: u32 = 64;

/// Where a walk begins and ends.
#[derive(Clone, Debug)]
pub struct Origin {
    /// The first position.
    pub position: Chess,
    /// The ply of this position: an even number if White is to move.
    pub ply: u16,
    /// The last ply. Its positions are reached, but not the positions after them.
    pub last_ply: u16,
    /// A line ends after this number of moves in a row that were played in at most one game each; `None` if
    /// lines do not end by this rule.
    pub new_after: Option<NonZeroU8>,
    /// Whether lines also begin at the roots of the rows. On such a line, plies are counted from the root.
    pub with_roots: bool,
}

impl Default for Origin {
    /// By default, the walk goes from the start position and all roots to the end of the longest game. By the
    /// fifty-move rule, no game has 65,535 plies.
    fn default() -> Self {
        Self { position: Chess::default(), ply: 0, last_ply: u16::MAX, new_after: None, with_roots: true }
    }
}

/// What a walk found.
pub struct Walk {
    /// The positions that were reached, in the same shards as the rows.
    reached: SortedRecords,
    roots: WalkRoots,
    /// The number of plies from the origin to the last position that was found.
    pub plies: u32,
}

impl Walk {
    /// Walks all edges from the origin.
    ///
    /// # Errors
    ///
    /// Fails if the rows cannot be read or are out of order, a temporary file cannot be written or read, or
    /// `on_progress` breaks.
    pub fn run(work: &Work<'_>, edges: &dyn SortedRows, origin: &Origin) -> Result<Self> {
        Self::labelled(work, edges, origin, Labels::NONE)
    }

    /// Like [`run`](Self::run), but also gives each position a label.
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

    /// Whether lines begin at roots of the rows.
    #[must_use]
    pub fn has_roots(&self) -> bool {
        self.roots.count > 0
    }

    /// The position of a root. Only the origin has its own halfmove clock and move number. `None` if the
    /// position is not legal, as may happen in a damaged table.
    ///
    /// # Errors
    ///
    /// Fails if a temporary file cannot be read.
    pub fn root(&self, number: u64) -> Result<Option<Chess>> {
        self.roots.position(number)
    }

    /// Those of the positions with these keys that were reached. The keys must ascend.
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

/// The memory that pending edges take in addition to their limit.
fn bytes_beside(pending: &[Mutex<Pending>], work: &Work<'_>) -> Result<u64> {
    let sum = |of: fn(&Pending) -> u64| -> u64 {
        pending.iter().map(|part| of(&part.lock().unwrap_or_else(PoisonError::into_inner))).sum()
    };
    let bytes = sum(Pending::bytes_beside);
    EdgesError::check(sum(|pending| pending.rows), bytes, work.memory_bytes)?;
    Ok(bytes)
}

/// The first frontier: the origin, and the roots in which White is to move.
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

/// Adds the roots in which this side is to move.
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
