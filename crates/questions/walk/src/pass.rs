//! A pass over one part of the keys, which takes the walk one ply further.

use std::num::NonZeroU8;

use position::{Key, PackedMove, Placement, Step};
use shakmaty::{Color, Position as _};

use fault::Result;

use crate::{
    Labels, Parent,
    pending::{Pending, PendingEdge},
    records::{
        Arrival, Lineage, Record, RecordRows, RecordWriter, WORDS, at_ply, handed_on, key_of, was_played,
    },
    turn_at,
};

/// While a position is looked up, the edges of a later position are prefetched, namely the one that comes
/// this many places later in the frontier. For positions even further ahead, guesses of where their rows are
/// would be off by too much.
const PREFETCH_DISTANCE: usize = 2;

/// The settings that all parts of a pass share.
pub(crate) struct Pass<'l> {
    pub(crate) ply: u16,
    /// The side for which the book has no moves. The walk follows every legal move of this side that leads to
    /// a position with rows.
    pub(crate) replies_of: Option<Color>,
    /// The ply at which lines end.
    pub(crate) last_ply: u16,
    /// A line ends after this many moves in a row that were each played in at most one game.
    pub(crate) new_after: Option<NonZeroU8>,
    pub(crate) labels: Labels<'l>,
}

/// A position in the frontier, from which lines continue.
#[derive(Clone, Copy)]
struct At {
    key: Key,
    placement: Placement,
    /// The label that this position passes on to the next positions.
    label: u16,
    from: Lineage,
}

impl Pass<'_> {
    /// Joins the frontier with the pending edges. Returns the number of positions that were reached or passed
    /// through.
    pub(crate) fn run(
        &self,
        pending: &mut Pending,
        mut frontier: RecordRows,
        mut reached: RecordWriter<'_>,
        mut children: RecordWriter<'_>,
    ) -> Result<u64> {
        let (mut positions, mut batch) = (0, Vec::new());
        pending.drop_reached_if_many()?;
        let mut reader = pending.read();
        while frontier.next_batch(&mut batch)? {
            for (index, row) in batch.iter().enumerate() {
                if let Some(later) = batch.get(index + PREFETCH_DISTANCE) {
                    reader.prefetch(key_of(later));
                }
                let at = self.at(key_of(row), row.sums);
                let Some(is_last) = self.is_last(at.from) else { continue };
                let Some(edges) = reader.reach(at.key)? else {
                    positions += u64::from(!is_last && self.pass_through(at, row.sums[0], &mut children)?);
                    continue;
                };
                positions += 1;
                reached.push(Record { key: at.key, words: at_ply(row.sums, self.ply, at.label) })?;
                if !is_last {
                    self.spread(at, edges, &mut children)?;
                }
            }
        }
        reached.close()?;
        children.close()?;
        Ok(positions)
    }

    /// Continues the line through a position that has no rows. This is possible if the move that led to the
    /// position has a row, and if the side to move may reply with any legal move. The position itself does
    /// not count as reached. Lines also continue in this way through positions that were reached in an
    /// earlier pass. That is harmless, because the positions after them have already been found.
    fn pass_through(&self, from: At, first: u64, children: &mut RecordWriter<'_>) -> Result<bool> {
        let goes_on = self.has_replies() && was_played(first);
        if goes_on {
            self.spread_replies(from, &[], children)?;
        }
        Ok(goes_on)
    }

    /// Whether a line ends at this ply; `None` if it ended at an earlier ply.
    fn is_last(&self, from: Lineage) -> Option<bool> {
        let last_ply = self.last_ply.saturating_add(from.first_ply());
        let is_new = self.new_after.is_some_and(|most| from.new_moves() >= most.get());
        (self.ply <= last_ply).then_some(self.ply == last_ply || is_new)
    }

    fn has_replies(&self) -> bool {
        self.replies_of == Some(turn_at(self.ply))
    }

    /// Adds to `children` the positions that a position's moves lead to. A move is skipped if no piece can
    /// make it, or if the step in its row differs from the step computed from the position's pieces. Such a
    /// move turns out to be illegal later, when its SAN is looked up.
    fn spread(
        &self,
        from: At,
        edges: impl Iterator<Item = PendingEdge>,
        children: &mut RecordWriter<'_>,
    ) -> Result<()> {
        let (mover, mut unchecked) = (turn_at(self.ply), Vec::new());
        for edge in edges {
            // Rows of a book have no step.
            if edge.step.role().is_none() || self.has_replies() {
                unchecked.push(edge);
                continue;
            }
            let after = from.placement.after(mover, edge.mv);
            if let Some(after) = after.filter(|(_, step)| edge.step == *step) {
                children.push(from.child(edge.mv, edge.games, after))?;
            }
        }
        if self.has_replies() {
            return self.spread_replies(from, &unchecked, children);
        }
        self.spread_legal(from, &unchecked, children)
    }

    /// Adds the positions that these moves lead to, skipping illegal moves. Files from other programs may
    /// contain illegal moves.
    fn spread_legal(&self, from: At, edges: &[PendingEdge], children: &mut RecordWriter<'_>) -> Result<()> {
        let mover = turn_at(self.ply);
        let Some(position) = (if edges.is_empty() { None } else { from.placement.position(mover) }) else {
            return Ok(());
        };
        for edge in edges {
            // Castling may be packed as a two-square king move.
            let mv = edge.mv.unpack(&position).map(PackedMove::pack);
            if let Some((mv, after)) = mv.and_then(|mv| Some((mv, from.placement.after(mover, mv)?))) {
                children.push(from.child(mv, edge.games, after))?;
            }
        }
        Ok(())
    }

    /// Adds every position that a legal move from this position leads to. A move without a row counts as
    /// played in no games.
    fn spread_replies(&self, from: At, edges: &[PendingEdge], children: &mut RecordWriter<'_>) -> Result<()> {
        let mover = turn_at(self.ply);
        let Some(position) = from.placement.position(mover) else { return Ok(()) };
        for mv in position.legal_moves().into_iter().map(PackedMove::pack) {
            let games = edges.iter().find(|edge| edge.mv == mv).map_or(0, |edge| edge.games);
            if let Some(after) = from.placement.after(mover, mv) {
                children.push(from.child(mv, games, after))?;
            }
        }
        Ok(())
    }

    /// Turns a record into a position of the frontier. The position gets its own label or, if it has none,
    /// the label that was passed on to it.
    fn at(&self, key: Key, words: [u64; WORDS]) -> At {
        let [_, _, a, b, c, d, _] = words;
        let placement = Placement([a, b, c, d]);
        let own = (self.labels.of)(key, &|| placement.position(turn_at(self.ply)));
        At { key, placement, label: own.unwrap_or_else(|| handed_on(words)), from: Lineage::of(words) }
    }
}

impl At {
    /// The record of the position that `mv` leads to.
    #[inline]
    fn child(self, mv: PackedMove, games: u32, (after, step): (Placement, Step)) -> Record {
        let Self { key, label, from, .. } = self;
        let arrival = Arrival { parent: Parent { key, mv }, games, label, from: from.after(games) };
        Record { key: step.child(self.key, mv), words: arrival.words(after) }
    }
}
