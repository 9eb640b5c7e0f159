//! The boards of a book's positions, where a walk from the start position reaches them.

use std::ops::ControlFlow;

use position::{Board, Key};
use shakmaty::{EnPassantMode, fen::Fen};
use walk::{Origin, Walk, WalkedPositions, Work, shard_of};

use crate::{Context, Result, counts::Counts};
use table::SortedRows as _;

/// Boards by key, asked for in ascending order.
pub(super) struct Boards {
    walk: Walk,
    shards: u32,
    open: Option<(u32, WalkedPositions)>,
}

/// The FEN whose key is the board's: an en passant square stands where Polyglot hashes it.
pub(super) fn fen(board: &Board) -> String {
    Fen::from_position(&board.position(), EnPassantMode::PseudoLegal).to_string()
}

impl Boards {
    /// Walks all moves of a book from the start position.
    pub(super) fn of(context: &Context, counts: &Counts) -> Result<Self> {
        let on_progress = |_| match context.check_interrupt() {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        };
        let work = Work {
            threads: context.threads.max(1),
            memory_bytes: context.memory.leaves,
            temp_dir: context.temp_dir.clone(),
            on_progress: &on_progress,
        };
        let walk = Walk::run(&work, counts, &Origin::default()).map_err(analysis::Error::from)?;
        Ok(Self { walk, shards: counts.shards(), open: None })
    }

    /// The board of `key`, if the walk reached it.
    pub(super) fn find(&mut self, key: Key) -> Result<Option<Board>> {
        let shard = shard_of(key, self.shards);
        if self.open.as_ref().is_none_or(|(open, _)| *open != shard) {
            self.open = Some((shard, self.walk.shard(shard).map_err(analysis::Error::from)?));
        }
        let Some((_, positions)) = &mut self.open else { return Ok(None) };
        let found = positions.find(key).map_err(analysis::Error::from)?;
        Ok(found.and_then(|walked| walked.board()))
    }
}
