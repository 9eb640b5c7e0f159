//! Checks whether games stay in a book.

use std::{collections::HashMap, path::Path, sync::Arc};

use pgn::replay::Replay;
use position::{Key, Observation, PackedMove};
use query::{Artefact, only_side, probe_key};
use run::Result;
use shakmaty::Color;

/// The maximum number of moves that each thread caches. The cache pays off because many games begin alike
/// and looking a move up in a table is slow.
const REMEMBERED: usize = 1 << 16;

/// A book that games must not leave before a given ply.
#[derive(Clone)]
pub(super) struct InBook {
    book: Arc<Artefact>,
    /// The side that has moves in the book, if only one side has any; `None` otherwise.
    side: Option<Color>,
    plies: usize,
    /// The cached moves, and whether each of them is in the book.
    known: HashMap<(Key, PackedMove), bool>,
}

impl InBook {
    /// Opens a book.
    pub(super) fn open(path: &Path, plies: u32) -> Result<Self> {
        let book = Artefact::open(path)?;
        let (side, plies, known) = (only_side(&book)?, plies as usize, HashMap::new());
        Ok(Self { book: Arc::new(book), side, plies, known })
    }

    /// Whether the most recently replayed game follows the book for the given number of plies. A shorter game
    /// must follow the book to its end. Each move must be in the book; if the book has no moves for the
    /// mover's side, the move must lead to a position in the book.
    pub(super) fn has(&mut self, replay: &Replay) -> Result<bool> {
        let visits: Vec<Observation> = replay.observations().take(self.plies + 1).collect();
        for pair in visits.windows(2) {
            if !self.has_move(pair[0], pair[1])? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether the move from `visit` to `next` is in the book.
    fn has_move(&mut self, visit: Observation, next: Observation) -> Result<bool> {
        let played = (visit.key(), visit.mv());
        if let Some(known) = self.known.get(&played) {
            return Ok(*known);
        }
        let is_in_book = self.look_up(visit, next)?;
        if self.known.len() < REMEMBERED {
            self.known.insert(played, is_in_book);
        }
        Ok(is_in_book)
    }

    fn look_up(&self, visit: Observation, next: Observation) -> Result<bool> {
        if self.side.is_some_and(|side| side != visit.step().mover()) {
            return Ok(probe_key(&self.book, next.key())?.is_some());
        }
        let found = probe_key(&self.book, visit.key())?;
        Ok(found.is_some_and(|found| found.moves.iter().any(|known| known.mv == visit.mv())))
    }
}
