//! The text of games into games with notes.

use std::ops::Range;

use super::{AnnotatedBatch, AnnotatedOptions, batch::Entry, loose, notes};
use crate::{
    batches::ReadChunk,
    input::{Chunk, Piece, PieceKind},
    replay::Replay,
    tags::TagBuffer,
    verdict::{Rejection, Verdict},
};

/// Reads the games of one chunk after another.
#[derive(Clone, Debug)]
pub struct Annotator {
    replay: Replay,
    tags: TagBuffer,
    loose: bool,
}

impl ReadChunk for Annotator {
    type Batch = AnnotatedBatch;

    fn read_chunk(&mut self, chunk: &mut Chunk) -> AnnotatedBatch {
        let mut batch = AnnotatedBatch::empty(chunk.place);
        for piece in chunk.games() {
            self.piece(&mut batch, piece);
        }
        batch
    }
}

impl Annotator {
    /// A reader of games with these options.
    #[must_use]
    pub fn new(options: &AnnotatedOptions) -> Self {
        Self { replay: Replay::new(&options.replay), tags: TagBuffer::default(), loose: options.loose }
    }

    fn piece(&mut self, batch: &mut AnnotatedBatch, Piece { kind, offset, text }: Piece<'_>) {
        match kind {
            PieceKind::Game if self.loose => {
                for (start, game) in loose::games(text) {
                    self.game(batch, offset + start, &game);
                }
            }
            PieceKind::Game => self.game(batch, offset, text),
            PieceKind::Fragment => batch.reject(offset, text, Rejection::fragment(text)),
            PieceKind::Oversized => batch.reject(offset, text, Rejection::oversized(text)),
        }
    }

    /// Adds a game, whatever becomes of it.
    fn game(&mut self, batch: &mut AnnotatedBatch, offset: usize, text: &[u8]) {
        let tags = self.tags.read(text);
        let (first_tag, first) = (batch.tags.len(), batch.plies.len());
        batch.tags.extend_from_slice(tags.spans());
        let (verdict, outcome, first_ply) = match self.replay.take(text, self.loose) {
            Ok(taken) => {
                notes::annotate(text, tags.movetext_at(), taken.first, taken.visits, &mut batch.plies);
                (taken.verdict, taken.outcome, taken.first as u32)
            }
            Err(verdict) => (verdict, None, 0),
        };
        let text = batch.keep(text);
        batch.games.push(Entry {
            offset,
            text,
            tags: first_tag..batch.tags.len(),
            movetext_at: tags.movetext_at(),
            plies: first..batch.plies.len(),
            first_ply,
            outcome,
            verdict,
        });
    }
}

impl AnnotatedBatch {
    fn reject(&mut self, offset: usize, text: &[u8], rejection: Rejection) {
        let text = self.keep(text);
        let (tags, plies) = (self.tags.len(), self.plies.len());
        self.games.push(Entry {
            offset,
            text,
            tags: tags..tags,
            movetext_at: 0,
            plies: plies..plies,
            first_ply: 0,
            outcome: None,
            verdict: Verdict::Rejected(rejection),
        });
    }

    /// Keeps the text of a game.
    fn keep(&mut self, text: &[u8]) -> Range<usize> {
        let start = self.text.len();
        self.text.extend_from_slice(text);
        start..self.text.len()
    }
}
