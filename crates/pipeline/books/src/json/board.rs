//! Boards for the positions that a walk through a book reaches from the start position.

use std::ops::ControlFlow;

use position::{Board, Key};
use query::{Artefact, ArtefactRows};
use run::{Context, Result};
use shakmaty::{EnPassantMode, fen::Fen};
use walk::{Ascending, Origin, Walk, Work};

/// Boards by key; keys must be looked up in ascending order.
pub(super) struct Boards(Ascending);

/// The board's FEN, which includes the en passant square only if the board's Polyglot key does.
pub(super) fn fen(board: &Board) -> String {
    Fen::from_position(&board.position(), EnPassantMode::PseudoLegal).to_string()
}

impl Boards {
    /// Walks all moves of a book from the start position.
    pub(super) fn of(context: &Context, artefact: &Artefact) -> Result<Self> {
        let rows = ArtefactRows::of(artefact)?;
        let on_progress = |_| match context.check_interrupt() {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        };
        let work = Work {
            threads: context.threads.max(1),
            memory_bytes: context.memory.all(),
            temp_dir: context.temp_dir.clone(),
            on_progress: &on_progress,
        };
        let walk = Walk::run(&work, &rows, &Origin::default())?;
        Ok(Self(Ascending::of(walk)))
    }

    /// Returns the board for `key`, if the walk reached that position.
    pub(super) fn find(&mut self, key: Key) -> Result<Option<Board>> {
        let found = self.0.find(key)?;
        Ok(found.and_then(|walked| walked.board()))
    }
}
