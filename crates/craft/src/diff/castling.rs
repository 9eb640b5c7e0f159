//! Castling that a Polyglot book has as the king's two squares, so that it is compared with castling.

use std::collections::HashMap;

use position::{Key, PackedMove};
use query::{Artefact, KeyProbe};
use walk::Work;

use crate::{
    Result,
    graph::{Graph, index_of},
};

/// What such moves of a book castle as. Only where lines of the book lead is there a board to tell them from
/// moves of other pieces.
#[derive(Default)]
pub(super) struct KingMoves(HashMap<(Key, PackedMove), PackedMove>);

impl KingMoves {
    /// Those of an artefact: none unless it is a Polyglot book.
    pub(super) fn of(artefact: &Artefact, work: &Work<'_>) -> Result<Self> {
        let Artefact::Polyglot(reader) = artefact else { return Ok(Self::default()) };
        let mut may_castle = false;
        for entry in reader.iter() {
            may_castle |= entry.map_err(query::Error::from)?.mv.may_castle_by_king();
        }
        if !may_castle {
            return Ok(Self::default());
        }
        let index = index_of(artefact)?;
        let graph = Graph::of(&index, None, work.threads)?;
        Ok(Self(graph.king_moves().iter().map(|found| ((found.key, found.mv), found.castling)).collect()))
    }

    /// A position with such moves as castling.
    pub(super) fn normalized(&self, mut found: KeyProbe) -> KeyProbe {
        if !self.0.is_empty() {
            for known in &mut found.moves {
                known.mv = self.0.get(&(found.key, known.mv)).copied().unwrap_or(known.mv);
            }
        }
        found
    }
}
