//! Turns chunks into batches of games with notes.

use std::{convert::Infallible, ops::Range};

use position::Outcome;

use super::{AnnotatedBatch, AnnotatedOptions, Form, batch::BatchedGame, notes};
use crate::{
    batches::ReadChunk,
    input::{Chunk, Piece, PieceKind},
    replay::Replay,
    tags::TagBuffer,
    texts::texts,
    verdict::{Rejection, Verdict},
};

/// Turns each chunk into a batch of annotated games.
#[derive(Clone, Debug)]
pub struct Annotator {
    replay: Replay,
    tags: TagBuffer,
    form: Form,
    /// Whether lines are read instead of games.
    repertoire: bool,
}

impl ReadChunk for Annotator {
    type Batch = AnnotatedBatch;

    fn read_chunk(&mut self, chunk: &mut Chunk) -> AnnotatedBatch {
        let mut batch = AnnotatedBatch::empty(chunk.place);
        for piece in chunk.games() {
            let Ok(()) = texts(piece, self.form, chunk.bounds, |piece| {
                self.piece(&mut batch, chunk, piece);
                Ok::<_, Infallible>(())
            });
        }
        batch
    }
}

impl Annotator {
    /// Creates an annotator with these options.
    #[must_use]
    pub fn new(options: &AnnotatedOptions) -> Self {
        let replay = Replay::new(&options.replay);
        let repertoire = options.replay.counting.repertoire;
        Self { replay, tags: TagBuffer::default(), form: options.form, repertoire }
    }

    /// Adds a game, or a rejection for text that is not a game.
    fn piece(&mut self, batch: &mut AnnotatedBatch, chunk: &Chunk, Piece { kind, offset, text }: Piece<'_>) {
        match (chunk.copy_at(offset), kind) {
            (Some(original), _) => batch.reject(offset, Verdict::Copy(original)),
            (None, PieceKind::Game | PieceKind::Fragment) if self.repertoire => {
                self.record(batch, offset, text);
            }
            (None, PieceKind::Game) => self.game(batch, offset, text),
            (None, PieceKind::Fragment) => {
                batch.reject(offset, Verdict::Rejected(Rejection::fragment(text)));
            }
            (None, PieceKind::Oversized) => batch.reject(offset, self.replay.too_large(text)),
        }
    }

    /// Adds the moves in all lines of a repertoire record. Each written move is added once, even if several
    /// lines share it.
    fn record(&mut self, batch: &mut AnnotatedBatch, offset: usize, text: &[u8]) {
        let (first, verdict) = (batch.plies.len(), self.replay.record(text));
        let read = self.replay.respelled().unwrap_or(text);
        notes::annotate_written(read, self.replay.written(), &mut batch.plies);
        self.add(batch, (offset, text), first, (verdict, None, 0));
    }

    /// Adds a game, whatever the verdict on it is.
    fn game(&mut self, batch: &mut AnnotatedBatch, offset: usize, text: &[u8]) {
        let tags = self.tags.read(text);
        let first = batch.plies.len();
        let became = match self.replay.take(text, self.form) {
            Ok(taken) => {
                let text = taken.respelled.unwrap_or(text);
                notes::annotate(text, tags.movetext_at, taken.first, taken.visits, &mut batch.plies);
                (taken.verdict, taken.outcome, taken.first as u32)
            }
            Err(verdict) => (verdict, None, 0),
        };
        self.add(batch, (offset, text), first, became);
    }

    /// Adds a game with its verdict; its moves are in the batch already, starting at index `first`.
    fn add(
        &mut self,
        batch: &mut AnnotatedBatch,
        (offset, text): (usize, &[u8]),
        first: usize,
        (verdict, outcome, first_ply): (Verdict, Option<Outcome>, u32),
    ) {
        let (tags, first_tag) = (self.tags.read(text), batch.tags.len());
        batch.tags.extend_from_slice(tags.entries);
        // Only the tags' text is kept, because the notes already contain the annotations.
        let text = batch.keep(&text[..tags.movetext_at]);
        batch.games.push(BatchedGame {
            offset,
            text,
            tags: first_tag..batch.tags.len(),
            movetext_at: tags.movetext_at,
            plies: first..batch.plies.len(),
            first_ply,
            outcome,
            verdict,
        });
    }
}

impl AnnotatedBatch {
    fn reject(&mut self, offset: usize, verdict: Verdict) {
        let end = self.text.len();
        let (tags, plies) = (self.tags.len(), self.plies.len());
        self.games.push(BatchedGame {
            offset,
            text: end..end,
            tags: tags..tags,
            movetext_at: 0,
            plies: plies..plies,
            first_ply: 0,
            outcome: None,
            verdict,
        });
    }

    /// Stores the text of a game's tags and returns its range in the batch's text.
    fn keep(&mut self, text: &[u8]) -> Range<usize> {
        let start = self.text.len();
        self.text.extend_from_slice(text);
        start..self.text.len()
    }
}
