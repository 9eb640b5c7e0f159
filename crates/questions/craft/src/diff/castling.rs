//! Castling that a Polyglot book has as the king's two squares, so that it is compared with castling.

use position::PackedMove;
use query::{Artefact, ArtefactRows, KeyProbe};
use walk::{Ascending, Origin, Walk, Work};

use crate::Result;

/// The boards that tell such moves from moves of other pieces. Only positions that lines of the book lead to
/// have a board.
pub(super) struct KingMoves(Option<Ascending>);

impl KingMoves {
    /// The boards of an artefact; there are none unless it is a Polyglot book that may have such moves.
    pub(super) fn of(artefact: &Artefact, work: &Work<'_>) -> Result<Self> {
        let Artefact::Polyglot(reader) = artefact else { return Ok(Self(None)) };
        let mut may_castle = false;
        for entry in reader.iter() {
            may_castle |= entry?.mv.may_castle_by_king();
        }
        if !may_castle {
            return Ok(Self(None));
        }
        let walk = Walk::run(work, &ArtefactRows::of(artefact)?, &Origin::default())?;
        Ok(Self(Some(Ascending::of(walk))))
    }

    /// Turns such moves of a position into castling; positions must ascend by key from call to call.
    pub(super) fn normalized(&mut self, mut found: KeyProbe) -> Result<KeyProbe> {
        let Some(boards) = self.0.as_mut().filter(|_| found.moves.iter().any(may_castle)) else {
            return Ok(found);
        };
        if let Some(board) = boards.find(found.key)?.and_then(|walked| walked.board()) {
            let board = board.position();
            for known in &mut found.moves {
                known.mv = known.mv.normalized(&board);
            }
        }
        Ok(found)
    }
}

fn may_castle(known: &query::KeyMove) -> bool {
    PackedMove::may_castle_by_king(known.mv)
}
