//! The walk: finds the board of every key by playing the edges from the start position.
//!
//! A key cannot be turned back into a position, so positions are found from the start outwards, breadth first, one ply a pass.
//! Tables may be far larger than memory, so a pass is a merge join: the frontier (the positions of one ply, sorted by key) meets
//! the edges that are left (sorted by key), and its children are sorted to be the next frontier.
//!
//! # Flow
//!
//! 1. The edges are written once as [`Pending`]: twelve bytes an edge, without groups and counts.
//! 2. A pass reads pending edges beside the frontier, the parts of the walk on all threads. A frontier position that is met for the first
//!    time is written to [`Reached`], and its children, key by [`Step::child`](position::Step::child) and pieces by
//!    [`Placement::after`], go to the next frontier.
//! 3. Where a quarter of a part's pending positions were reached, the next pass writes the rest anew. So a walk reads about as
//!    many edges as the mean ply has them, not as the longest game.
//! 4. It ends when a pass reaches nothing.
//!
//! # Memory
//!
//! Half of the limit for the frontier, half for its children, divided between the threads; past that they are spilled. On top
//! one bit a position, and a quarter MiB of buffers a thread. On disk: 12 bytes an edge and 40 a position.

mod pending;
mod placement;
mod reached;
mod records;

use std::{path::Path, sync::Mutex};

use position::{Key, PackedMove};
use shakmaty::{Color, Position as _};

use self::{
    pending::{Pending, PendingPosition, PendingWriter},
    placement::Placement,
    reached::Reached,
    records::{into_inner, lock},
};
pub(crate) use self::{
    reached::{Found, FoundPositions},
    records::{Lookup, Record, RecordSorter, RecordWriter, RunRecords, SortedRecords, shard_of},
};
use crate::{
    Edges, Result,
    shards::{Work, for_each_shard},
};

/// The most parts a walk is cut into, by the top bits of the key, however many shards there are: each keeps two files open.
const PARTS_MAX: u32 = 64;

/// What a walk found.
pub(crate) struct Walk {
    /// Part by part.
    reached: Vec<Reached>,
    /// The longest shortest way, plies.
    pub(crate) plies: u32,
}

/// One part while the walk goes on.
struct PartWalk {
    pending: Pending,
    reached: Reached,
}

impl Walk {
    /// Walks all edges from the start position.
    pub(crate) fn run(work: &Work<'_>, edges: &impl Edges) -> Result<Self> {
        let parts = edges.shards().min(PARTS_MAX);
        let walked = for_each_shard(work, "reading edges", parts, |part| {
            let shards = edges.shards() / parts;
            let shards = part * shards..(part + 1) * shards;
            let pending = Pending::of_shards(edges, shards, &work.temp_dir)?;
            Ok(Mutex::new(PartWalk { pending, reached: Reached::create(&work.temp_dir)? }))
        })?;
        let start = Record { key: Key::START, payload: Placement::start().0 };
        let mut frontier = SortedRecords::of(vec![start], parts);
        let mut ply = 0;
        loop {
            let next = RecordSorter::new(work, work.memory_bytes / 2, parts)?;
            let reached = for_each_shard(work, "walking", parts, |part| {
                let pass = Pass { ply, complete: edges.is_complete(), temp_dir: &work.temp_dir };
                pass.run(
                    &mut lock(&walked[part as usize]),
                    Lookup::new(frontier.shard(part)?)?,
                    next.writer(),
                )
            })?;
            if reached.iter().sum::<u64>() == 0 {
                break;
            }
            frontier = next.finish();
            ply += 1;
        }
        let reached = walked.into_iter().map(|part| into_inner(part).reached.finish());
        Ok(Self { reached: reached.collect::<Result<_>>()?, plies: ply.saturating_sub(1) })
    }

    /// The positions of the part that holds `first`, from that one on.
    pub(crate) fn find(&self, first: Key) -> Result<FoundPositions<'_>> {
        self.reached[shard_of(first, self.reached.len() as u32) as usize].find(first)
    }
}

/// One ply of one part.
struct Pass<'w> {
    ply: u32,
    /// Whether the moves of a position are all that lead on from it.
    complete: bool,
    temp_dir: &'w Path,
}

impl Pass<'_> {
    /// Joins frontier and pending edges; the number of positions reached.
    fn run(
        &self,
        walk: &mut PartWalk,
        mut frontier: Lookup<RunRecords<'_>>,
        mut children: RecordWriter<'_>,
    ) -> Result<u64> {
        let mut indices = Vec::new();
        if !frontier.is_empty() && !walk.pending.is_done() {
            walk.reached.begin(self.ply);
            let mut rest =
                walk.pending.is_stale().then(|| PendingWriter::create(self.temp_dir)).transpose()?;
            let mut position = PendingPosition::default();
            let (mut pending, was_reached) = walk.pending.read()?;
            while let Some(index) = pending.next_into(&mut position)? {
                if was_reached[(index / 64) as usize] >> (index % 64) & 1 == 1 {
                    continue;
                }
                if let Some((record, _)) = frontier.find(position.key)? {
                    indices.push(index);
                    walk.reached.push(&record)?;
                    self.spread(&position, Placement(record.payload), &mut children)?;
                } else if let Some(rest) = &mut rest {
                    rest.push(&position)?;
                } else if frontier.is_empty() {
                    break;
                }
            }
            match rest {
                Some(rest) => walk.pending = rest.finish()?,
                None => walk.pending.set_reached(&indices),
            }
        }
        children.close();
        Ok(indices.len() as u64)
    }

    /// Sends on what the moves of a position lead to. A move that no piece can make leads nowhere; it is counted where its
    /// SAN is asked for.
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
