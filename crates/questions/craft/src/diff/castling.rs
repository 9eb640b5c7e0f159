//! Recognises castling that a Polyglot book writes as a king moving two squares, so that it is compared as
//! castling.

use position::PackedMove;
use query::{Artefact, ArtefactRows, KeyProbe};
use walk::{Ascending, Origin, Walk, Work};

use crate::Result;

/// The boards of a Polyglot book's positions. They show which piece makes a move such as `e1g1`: if it is the
/// king, the move is castling. Positions that no line of the book reaches have no board.
pub(super) struct KingMoves(Option<Ascending>);

impl KingMoves {
    /// Finds the boards of a Polyglot book, if any of its moves may be castling written as a king moving two
    /// squares. Other books and other artefacts need no boards.
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

    /// Converts castling that is written as a king moving two squares to the usual form, king takes rook.
    /// Keys must be passed in ascending order.
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
