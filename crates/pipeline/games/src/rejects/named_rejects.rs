//! Keeps rejected games so that the summary can name them if there are only a few and no list is written.

use std::sync::{Mutex, PoisonError};

use pgn::input::{Place, ReadInputs};
use run::{RejectedGame, Status};

use super::{Number, RejectEntry, log::Numbering};

/// The maximum number of games that are named.
pub(super) const NAMED_MAX: usize = 5;

/// The rejected games of all chunks. All of them are dropped once there are too many to name.
pub struct FewRejects(Mutex<Option<Chunks>>);

#[derive(Default)]
struct Chunks {
    list: Vec<Chunk>,
    rejected: u64,
}

/// A chunk. Chunks without rejected games are kept too, because numbering a game requires the number of games
/// in all earlier chunks.
struct Chunk {
    place: Place,
    games: u64,
    /// The encoded lines, see `PendingEntry`.
    lines: Vec<u8>,
}

impl FewRejects {
    /// Starts without games. `is_complete` says whether every chunk will be added. If it is `false`, no game
    /// is kept, because games cannot be numbered unless all chunks are known.
    pub fn new(is_complete: bool) -> Self {
        Self(Mutex::new(is_complete.then(Chunks::default)))
    }

    /// Adds a chunk: its place, how many games it has, its encoded lines, and how many of its games were
    /// rejected.
    pub fn chunk(&self, place: Place, games: u64, (lines, rejected): (&[u8], u64)) {
        let mut chunks = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(noted) = chunks.as_mut() else { return };
        noted.rejected += rejected;
        if noted.rejected > NAMED_MAX as u64 {
            *chunks = None;
        } else {
            noted.list.push(Chunk { place, games, lines: lines.to_vec() });
        }
    }

    /// Returns the rejected games in the order of the inputs; there are none if too many were rejected.
    pub fn named(self, inputs: &ReadInputs) -> Vec<RejectedGame> {
        let chunks = self.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mut chunks = chunks.unwrap_or_default().list;
        chunks.sort_unstable_by_key(|chunk| chunk.place);
        let (mut numbering, mut named) = (Numbering::default(), Vec::new());
        for chunk in chunks {
            let start = numbering.start(inputs, chunk.place);
            let Ok(()) = numbering.each_line(&chunk.lines, &start, inputs, |line| {
                named.extend(rejected(line));
                Ok::<_, std::convert::Infallible>(())
            });
            numbering.games_before += chunk.games;
        }
        named
    }
}

fn rejected(line: &RejectEntry<'_>) -> Option<RejectedGame> {
    let (Status::Rejected { ply, reason, text }, Number::Game(game)) = (line.status, line.number) else {
        return None;
    };
    let input = line.input.to_owned();
    let reason = reason.to_owned();
    let text = text.to_owned();
    Some(RejectedGame { input, game, ply, reason, text })
}
