//! The games of one chunk with the annotations of their moves.

use std::{borrow::Cow, ops::Range};

use position::Outcome;

use super::AnnotatedPly;
use crate::{
    batches::Batch,
    input::Place,
    tags::{TagSpan, TagValue, Tags},
    verdict::Verdict,
};

/// One or more games of one stream, in order.
///
/// # Memory
/// Holds the text of the games' tags, plus 40 bytes per tag and about 80 bytes per counted ply.
#[derive(Debug)]
pub struct AnnotatedBatch {
    pub(super) place: Place,
    pub(super) text: Vec<u8>,
    /// The number of games of the same stream before this batch.
    pub(super) before: u64,
    pub(super) games: Vec<BatchedGame>,
    pub(super) tags: Vec<TagSpan>,
    pub(super) plies: Vec<AnnotatedPly>,
}

/// A game, stored as ranges in the buffers of its batch.
#[derive(Debug)]
pub(super) struct BatchedGame {
    /// The offset of the game in the text that was read.
    pub(super) offset: usize,
    /// The range of the game's tags in the batch's text.
    pub(super) text: Range<usize>,
    pub(super) tags: Range<usize>,
    pub(super) movetext_at: usize,
    pub(super) plies: Range<usize>,
    pub(super) first_ply: u32,
    pub(super) outcome: Option<Outcome>,
    pub(super) verdict: Verdict,
}

/// One game, accepted or not.
#[derive(Clone, Copy, Debug)]
pub struct AnnotatedGame<'b> {
    /// The place where the game's text begins.
    pub place: Place,
    /// The number of the game among the games of its stream, counted from 1.
    pub number: u64,
    /// The game's tags.
    pub tags: Tags<'b>,
    /// The text of the game's tags; empty if the game is a fragment or too large. In loose mode the tags are
    /// rewritten in the form of the PGN standard.
    pub text: &'b [u8],
    /// The verdict on the game, as in [`crate::replay`].
    pub verdict: &'b Verdict,
    /// The game's result. It is `None` if the game is not accepted, if it is a record of a repertoire, or if
    /// the result is unknown and the [`Form`](super::Form) allows unknown results.
    pub outcome: Option<Outcome>,
    /// The game's counted moves; empty if the game is not accepted.
    pub plies: &'b [AnnotatedPly],
    /// The number of moves in the game before the first move of `plies`. It is 0 unless moves are counted
    /// only after the game has reached a given position.
    pub first_ply: u32,
}

impl<'b> AnnotatedGame<'b> {
    /// The FEN that the game starts from; `None` for the start position of chess.
    #[must_use]
    pub fn fen(&self) -> Option<Cow<'b, str>> {
        crate::replay::fen_of(&self.tags).map(TagValue::text)
    }

    /// The value of a tag as text.
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<Cow<'b, str>> {
        self.tags.get(name).map(TagValue::text)
    }
}

impl Batch for AnnotatedBatch {
    fn place(&self) -> Place {
        self.place
    }

    fn items(&self) -> usize {
        self.games.len()
    }

    fn bytes(&self) -> usize {
        let Self { text, games, tags, plies, .. } = self;
        text.len() + size_of_val(&games[..]) + size_of_val(&tags[..]) + size_of_val(&plies[..])
    }

    fn number_after(&mut self, before: u64) {
        self.before = before;
    }
}

impl AnnotatedBatch {
    pub(super) fn empty(place: Place) -> Self {
        let (text, games, tags, plies) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Self { place, text, before: 0, games, tags, plies }
    }

    /// Returns the games in the order in which they occur in the text.
    pub fn games(&self) -> impl Iterator<Item = AnnotatedGame<'_>> {
        self.games.iter().zip(self.before + 1..).map(|(entry, number)| self.game(entry, number))
    }

    fn game<'b>(&'b self, entry: &'b BatchedGame, number: u64) -> AnnotatedGame<'b> {
        let text = &self.text[entry.text.clone()];
        AnnotatedGame {
            place: Place { offset: self.place.offset + entry.offset as u64, ..self.place },
            number,
            tags: Tags::of_spans(text, &self.tags[entry.tags.clone()], entry.movetext_at),
            text,
            verdict: &entry.verdict,
            outcome: entry.outcome,
            plies: &self.plies[entry.plies.clone()],
            first_ply: entry.first_ply,
        }
    }
}
