//! Recognises castling moves that a Polyglot book writes as a king moving two squares, so that they are
//! compared as castling.

use position::PackedMove;
use query::{Artefact, ArtefactRows, KeyProbe};
use walk::{Ascending, Origin, Walk, Work};

use crate::Result;

/// The boards that show whether a move such as `e1g1` is castling or the move of another piece. There are no
/// boards for positions that no line of the book reaches.
pub(super) struct KingMoves(Option<Ascending>);

impl KingMoves {
    /// Finds the boards of a Polyglot book if it may write castling as a king moving two squares. Other
    /// artefacts need none.
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

    /// Turns king moves of two squares that are castling into castling moves. Keys must be passed in
    /// ascending order.
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
