//! One ply of one part of the walk.

use position::{Key, PackedMove, Placement, Step};
use shakmaty::Position as _;

use crate::{
    Parent, Result,
    pending::{Pending, PendingEdge},
    records::{Arrival, Record, RecordRows, RecordWriter, WORDS, at_ply, was_played},
    turn_at,
};

/// What all parts of a pass have in common.
pub(crate) struct Pass {
    pub(crate) ply: u16,
    /// Whether the moves of a position are all that lead on from it.
    pub(crate) complete: bool,
    /// Whether every position that a row's move leads to has rows.
    pub(crate) leaves: bool,
    /// Whether no position after these is asked for.
    pub(crate) last: bool,
}

impl Pass {
    /// Joins frontier and pending edges; the number of positions from which the walk goes on.
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
            for row in &batch {
                let key = Key((row.id >> 64) as u64);
                let Some(edges) = reader.reach(key)? else {
                    positions += u64::from(self.pass_through(key, row.sums, &mut children)?);
                    continue;
                };
                positions += 1;
                reached.push(Record { key, words: at_ply(row.sums, self.ply) })?;
                if !self.last {
                    let [.., a, b, c, d] = row.sums;
                    self.spread(key, edges, Placement([a, b, c, d]), &mut children)?;
                }
            }
        }
        reached.close()?;
        children.close()?;
        Ok(positions)
    }

    /// Goes on from a position without rows if the move of a row led there. It is not reached by that. A
    /// position whose rows were dropped, because it was reached before, is taken for one: what follows it is
    /// known already.
    fn pass_through(
        &self,
        from: Key,
        [first, _, placement @ ..]: [u64; WORDS],
        children: &mut RecordWriter<'_>,
    ) -> Result<bool> {
        let goes_on = !self.leaves && !self.last && was_played(first);
        if goes_on {
            self.spread_all(from, std::iter::empty(), Placement(placement), children)?;
        }
        Ok(goes_on)
    }

    /// Sends on what the moves of a position lead to. A move that no piece can make leads nowhere, and so
    /// does one whose row says another step than the pieces do; the reader that asks for its SAN finds that.
    fn spread(
        &self,
        from: Key,
        edges: impl Iterator<Item = PendingEdge>,
        at: Placement,
        children: &mut RecordWriter<'_>,
    ) -> Result<()> {
        if !self.complete {
            return self.spread_all(from, edges, at, children);
        }
        for PendingEdge { mv, step, games } in edges {
            // A book's rows have no step.
            let is_true = |&(_, found): &(_, Step)| step.role().is_none() || step == found;
            if let Some((after, step)) = at.after(turn_at(self.ply), mv).filter(is_true) {
                let arrival = Arrival { parent: Parent { key: from, mv }, games };
                children.push(Record { key: step.child(from, mv), words: arrival.words(after) })?;
            }
        }
        Ok(())
    }

    /// Sends on what all legal moves of a position lead to; those without a row have no games.
    fn spread_all(
        &self,
        from: Key,
        edges: impl Iterator<Item = PendingEdge>,
        at: Placement,
        children: &mut RecordWriter<'_>,
    ) -> Result<()> {
        let mover = turn_at(self.ply);
        let Some(position) = at.position(mover) else { return Ok(()) };
        let edges: Vec<_> = edges.collect();
        for mv in position.legal_moves().into_iter().map(PackedMove::pack) {
            let games = edges.iter().find(|edge| edge.mv == mv).map_or(0, |edge| edge.games);
            if let Some((after, step)) = at.after(mover, mv) {
                let arrival = Arrival { parent: Parent { key: from, mv }, games };
                children.push(Record { key: step.child(from, mv), words: arrival.words(after) })?;
            }
        }
        Ok(())
    }
}
