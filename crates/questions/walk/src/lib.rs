//! The walk: finds the board of every key by playing the edges from the start position.
//!
//! A key cannot be turned back into a position, so positions are found from the start outwards, breadth
//! first, one ply a pass. Tables may be far larger than memory, so a pass is a merge join: the frontier (the
//! positions of one ply, sorted by key) meets the edges that are left (sorted by key), and its children are
//! sorted to be the next frontier.
//!
//! A position is reached if the moves of rows lead there from the first one. In a book of one side
//! ([`SortedRows::replies_of`]) the other side replies with any legal move that leads to a position with
//! rows.
//!
//! It also begins at the rows' roots, from which games started that do not start at the start position.
//!
//! What it finds is a stream of [`Walked`] a shard, ascending by key: the ply, the parent, the packed board.
//! A [`Tree`] has the moves that lead to some of them.
//!
//! # Flow
//!
//! 1. The edges are written once: sixteen bytes each, groups put together.
//! 2. A pass reads the frontier, and of the edges only the windows that hold one of its keys; a key is found
//!    in a window by interpolation. The parts of the walk run on all threads. A position that is met for the
//!    first time is reached, and its children, key by [`Step::child`](position::Step::child) and pieces by
//!    its placement, go to the next frontier.
//! 3. If a quarter of a part's edges were reached (or half of them, if they are in memory), the rest is
//!    written anew before the next pass. So the edges that a walk passes over grow with the mean ply of the
//!    edges, and not with the longest game.
//! 4. It ends when a pass reaches nothing, or at the last ply asked for.
//!
//! # Memory
//!
//! The edges take an eighth of the limit, the frontier another and its children a third; the positions that
//! were reached take the rest, less one bit an edge, which must fit into a quarter of the limit. What does
//! not fit is on disk: edges take 16 bytes, positions about 70. A window a thread is not part of the limit.
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
    rows::{CheckedRows, Positions, open, shard_of},
    tree::{Node, Tree, Visit},
    work::{OnProgress, WalkProgress, Work, for_each_shard},
};
use self::{
    pass::Pass,
    pending::{Pending, Place},
    records::{Arrival, Lineage, NO_PARENT, Record, RecordArena, RecordWriter, SortedRecords, sorter},
    roots::WalkRoots,
};

/// The most parts a walk is cut into, by the top bits of the key, however many shards there are: each has a
/// file open.
const PARTS_MAX: u32 = 64;

/// Where a walk begins and ends.
#[derive(Clone, Debug)]
pub struct Origin {
    /// The first position.
    pub position: Chess,
    /// Its ply, as games reach it: an even number if White is to move.
    pub ply: u16,
    /// The last ply: its positions are reached, and none after them.
    pub last_ply: u16,
    /// How many moves in a row that at most one game had end a line; without it they do not.
    pub new_after: Option<NonZeroU8>,
    /// Whether lines also begin at the roots of the rows, in which ply 0 is the root.
    pub with_roots: bool,
}

impl Default for Origin {
    /// The default goes from the start position and all roots to the end of the longest game: with the
    /// fifty-move rule no game has 65,535 plies.
    fn default() -> Self {
        Self { position: Chess::default(), ply: 0, last_ply: u16::MAX, new_after: None, with_roots: true }
    }
}

/// What a walk found.
pub struct Walk {
    /// The positions reached, in the shards of the rows.
    reached: SortedRecords,
    roots: WalkRoots,
    /// How many plies lead from the origin to the last position found.
    pub plies: u32,
}

impl Walk {
    /// Walks all edges from the origin.
    ///
    /// # Errors
    ///
    /// Fails if the rows cannot be read or are out of order, a temporary file cannot be written or read, or
    /// `on_progress` breaks.
    pub fn run(work: &Work<'_>, edges: &impl SortedRows, origin: &Origin) -> Result<Self> {
        Self::labelled(work, edges, origin, Labels::NONE)
    }

    /// Does what [`run`](Self::run) does, with a label for each position.
    ///
    /// # Errors
    ///
    /// Fails as [`run`](Self::run) does.
    pub fn labelled(
        work: &Work<'_>,
        edges: &impl SortedRows,
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

    /// The position of a root, without move counters unless it is the origin; `None` if it is not legal, as
    /// in a damaged table.
    ///
    /// # Errors
    ///
    /// Fails if a temporary file cannot be read.
    pub fn root(&self, number: u64) -> Result<Option<Chess>> {
        self.roots.position(number)
    }

    /// The positions that were reached among these ascending keys.
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

/// The memory that pending edges take besides their limit.
fn bytes_beside(pending: &[Mutex<Pending>], work: &Work<'_>) -> Result<u64> {
    let sum = |of: fn(&Pending) -> u64| -> u64 {
        pending.iter().map(|part| of(&part.lock().unwrap_or_else(PoisonError::into_inner))).sum()
    };
    let bytes = sum(Pending::bytes_beside);
    EdgesError::check(sum(Pending::rows), bytes, work.memory_bytes)?;
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

/// Adds the roots in which a side is to move.
fn push_roots(roots: &WalkRoots, turn: Color, mut writer: RecordWriter<'_>) -> Result<()> {
    roots.of_side(turn, |number, Root { key, placement, .. }| {
        let arrival = Arrival { from: Lineage::new(number, turn), ..NO_PARENT };
        Ok(writer.push(Record { key, words: arrival.words(placement) })?)
    })?;
    Ok(writer.close()?)
}

/// Who is to move.
pub(crate) fn turn_at(ply: u16) -> Color {
    Color::from_white(ply.is_multiple_of(2))
}
