//! The walk: finds the board of every key by playing the edges from the start position.
//!
//! A key cannot be turned back into a position, so positions are found from the start outwards, breadth
//! first, one ply a pass. Tables may be far larger than memory, so a pass is a merge join: the frontier (the
//! positions of one ply, sorted by key) meets the edges that are left (sorted by key), and its children are
//! sorted to be the next frontier.
//!
//! # Flow
//!
//! 1. The edges are written once as [`Pending`]: twelve bytes an edge, without groups and counts.
//! 2. A pass reads pending edges and the frontier in step, the parts of the walk on all threads. A frontier
//!    position that is met for the first time is [`Reached`], and its children, key by
//!    [`Step::child`](position::Step::child) and pieces by [`Placement::after`], go to the next frontier.
//! 3. Where a quarter of a part's pending positions were reached, the next pass writes the rest anew. So a
//!    walk reads about as many edges as the mean ply has them, not as the longest game.
//! 4. It ends when a pass reaches nothing.
//!
//! # Memory
//!
//! Half of the limit for the positions reached, a quarter for the frontier, a quarter for its children; past
//! that they are spilled. On top one bit a position, and a quarter MiB of buffers a thread. On disk: 12 bytes
//! an edge, and what is spilled: about 40 bytes a position.

mod pending;
mod placement;
mod records;

use std::{
    path::Path,
    sync::{Mutex, PoisonError},
};

use position::{Key, PackedMove};
use shakmaty::{Color, Position as _};
use table::SortedRows;

use self::{
    pending::{Pending, PendingPosition, PendingWriter},
    records::Reached,
};
pub(crate) use self::{
    placement::Placement,
    records::{Lookup, Record, RecordWriter, SortedRecords, shard_of, sorter},
};
use crate::{
    Result,
    shards::{Work, for_each_shard},
};

/// The most parts a walk is cut into, by the top bits of the key, however many shards there are: each has a
/// file open, and a second one while it writes the rest anew.
const PARTS_MAX: u32 = 64;

/// The walk ends here: with the fifty-move rule no game is half as long.
const PLY_MAX: u16 = u16::MAX;

/// What a walk found.
pub(crate) struct Walk {
    /// The positions reached, in the shards of the rows.
    reached: SortedRecords,
    /// The longest shortest way, plies.
    pub(crate) plies: u32,
}

/// A position as the walk found it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found {
    /// Plies from the start position, by the shortest way.
    pub(crate) ply: u32,
    pub(crate) placement: Placement,
}

/// Finds positions of one shard, asked for by ascending keys.
pub(crate) struct FoundPositions(Lookup);

impl Walk {
    /// Walks all edges from the start position.
    pub(crate) fn run(work: &Work<'_>, edges: &impl SortedRows) -> Result<Self> {
        let parts = edges.shards().min(PARTS_MAX);
        let pending = for_each_shard(work, "reading edges", parts, |part| {
            let shards = edges.shards() / parts;
            let shards = part * shards..(part + 1) * shards;
            Ok(Mutex::new(Pending::of_shards(edges, shards, &work.temp_dir)?))
        })?;
        let reached = sorter(work, work.memory_bytes / 2, edges.shards())?;
        let mut frontier = start(work, parts)?;
        let mut ply = 0;
        loop {
            let children = sorter(work, work.memory_bytes / 4, parts)?;
            let pass = Pass { ply, complete: edges.is_complete(), temp_dir: &work.temp_dir };
            let found = for_each_shard(work, "walking", parts, |part| {
                let mut pending = pending[part as usize].lock().unwrap_or_else(PoisonError::into_inner);
                let frontier = Lookup::open(&frontier, part)?;
                pass.run(&mut pending, frontier, reached.writer()?, children.writer()?)
            })?;
            if found.iter().sum::<u64>() == 0 || ply == PLY_MAX {
                break;
            }
            frontier = children.finish()?;
            ply += 1;
        }
        Ok(Self { reached: reached.finish()?, plies: u32::from(ply).saturating_sub(1) })
    }

    /// The positions of a shard.
    pub(crate) fn shard(&self, shard: u32) -> Result<FoundPositions> {
        Ok(FoundPositions(Lookup::open(&self.reached, shard)?))
    }
}

impl FoundPositions {
    pub(crate) fn find(&mut self, key: Key) -> Result<Option<Found>> {
        let found = self.0.find(key)?;
        Ok(found.map(|row| Found { ply: row.note.into(), placement: Placement(row.sums) }))
    }
}

/// The frontier of ply 0.
fn start(work: &Work<'_>, parts: u32) -> Result<SortedRecords> {
    let sorter = sorter(work, work.memory_bytes / 4, parts)?;
    let mut writer = sorter.writer()?;
    writer.push(Record { key: Key::START, payload: Placement::start().0 })?;
    writer.close()?;
    Ok(sorter.finish()?)
}

/// One ply of one part.
struct Pass<'w> {
    ply: u16,
    /// Whether the moves of a position are all that lead on from it.
    complete: bool,
    temp_dir: &'w Path,
}

impl Pass<'_> {
    /// Joins frontier and pending edges; the number of positions reached.
    fn run(
        &self,
        pending: &mut Pending,
        mut frontier: Lookup,
        mut reached: extsort::Writer<'_, Reached, 4>,
        mut children: RecordWriter<'_>,
    ) -> Result<u64> {
        let mut indices = Vec::new();
        if !frontier.is_at_end() && !pending.is_done() {
            let mut rest = pending.is_stale().then(|| PendingWriter::create(self.temp_dir)).transpose()?;
            let mut position = PendingPosition::default();
            let (mut positions, was_reached) = pending.read()?;
            while let Some(index) = positions.next_into(&mut position)? {
                if was_reached[(index / 64) as usize] >> (index % 64) & 1 == 1 {
                    continue;
                }
                let key = position.key;
                if let Some(placement) = frontier.find(key)?.map(|row| Placement(row.sums)) {
                    indices.push(index);
                    reached.push(Reached { key, ply: self.ply, placement })?;
                    self.spread(&position, placement, &mut children)?;
                } else if let Some(rest) = &mut rest {
                    rest.push(&position)?;
                } else if frontier.is_at_end() {
                    break;
                }
            }
            match rest {
                Some(rest) => *pending = rest.finish()?,
                None => pending.set_reached(&indices),
            }
        }
        reached.close()?;
        children.close()?;
        Ok(indices.len() as u64)
    }

    /// Sends on what the moves of a position lead to. A move that no piece can make leads nowhere; it is
    /// counted where its SAN is asked for.
    fn spread(
        &self,
        position: &PendingPosition,
        at: Placement,
        children: &mut RecordWriter<'_>,
    ) -> Result<()> {
        let mover = Color::from_white(self.ply.is_multiple_of(2));
        if !self.complete {
            return spread_all(at, mover, children);
        }
        for (mv, step) in &position.moves {
            let Some(after) = at.after(mover, *mv) else { continue };
            let key = match step.role() {
                Some(_) => Some(step.child(position.key, *mv)),
                None => after.position(!mover).map(|board| Key::of(&board)),
            };
            if let Some(key) = key {
                children.push(Record { key, payload: after.0 })?;
            }
        }
        Ok(())
    }
}

/// Sends on what all legal moves of a position lead to.
fn spread_all(at: Placement, mover: Color, children: &mut RecordWriter<'_>) -> Result<()> {
    let Some(board) = at.position(mover) else { return Ok(()) };
    for m in board.legal_moves() {
        let mut played = board.clone();
        played.play_unchecked(m);
        if let Some(after) = at.after(mover, PackedMove::pack(m)) {
            children.push(Record { key: Key::of(&played), payload: after.0 })?;
        }
    }
    Ok(())
}
