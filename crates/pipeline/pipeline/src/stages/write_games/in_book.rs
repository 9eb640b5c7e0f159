//! Whether a game stays in a book.

use std::{collections::HashMap, path::Path, sync::Arc};

use pgn::replay::Replay;
use position::{Key, Observation, PackedMove};
use query::{Artefact, only_side, probe_key};
use run::Result;
use shakmaty::Color;

/// Moves whose answers a thread remembers: games begin alike, and a look-up in a table takes long.
const REMEMBERED: usize = 1 << 16;

/// A book that games stay in, and up to which ply.
#[derive(Clone)]
pub(super) struct InBook {
    book: Arc<Artefact>,
    /// The only side that it has moves of, if there is one.
    side: Option<Color>,
    plies: usize,
    /// Whether moves are in the book: those that were asked for before.
    known: HashMap<(Key, PackedMove), bool>,
}

impl InBook {
    /// Opens a book.
    pub(super) fn open(path: &Path, plies: u32) -> Result<Self> {
        let book = Artefact::open(path)?;
        let (side, plies, known) = (only_side(&book)?, plies as usize, HashMap::new());
        Ok(Self { book: Arc::new(book), side, plies, known })
    }

    /// Whether the game replayed last plays only moves of the book up to the ply, or to its end if that comes
    /// before. Where the book has no moves of a side, its moves must lead back into the book.
    pub(super) fn has(&mut self, replay: &Replay) -> Result<bool> {
        let visits: Vec<Observation> = replay.observations().take(self.plies + 1).collect();
        for pair in visits.windows(2) {
            let (visit, next) = (pair[0], pair[1]);
            let has_move = match self.known.get(&(visit.key(), visit.mv())) {
                Some(known) => *known,
                None => self.has_move(visit, next)?,
            };
            if self.known.len() < REMEMBERED {
                self.known.insert((visit.key(), visit.mv()), has_move);
            }
            if !has_move {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn has_move(&self, visit: Observation, next: Observation) -> Result<bool> {
        if self.side.is_some_and(|side| side != visit.step().mover()) {
            return Ok(probe_key(&self.book, next.key())?.is_some());
        }
        let plays = |mv: PackedMove| mv == visit.mv();
        let found = probe_key(&self.book, visit.key())?;
        Ok(found.is_some_and(|found| found.moves.iter().any(|known| plays(known.mv))))
    }
}
