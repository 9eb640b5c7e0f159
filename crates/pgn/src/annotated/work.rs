//! The text of games into games with notes.

use std::ops::Range;

use super::{AnnotatedBatch, AnnotatedOptions, batch::Entry, loose, notes};
use crate::{
    batches::ReadChunk,
    input::{Chunk, GameBounds, Piece, PieceKind},
    replay::Replay,
    tags::TagBuffer,
    verdict::{Rejection, Verdict},
};

/// Games that one record of a loose file may hold: a bound for what is kept of them. A record ends where tags
/// follow anything else, so a person's file has one game in nearly every record.
const LOOSE_GAMES_MAX: usize = 1 << 14;

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
            self.piece(&mut batch, piece, chunk.bounds());
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

    fn piece(&mut self, batch: &mut AnnotatedBatch, piece: Piece<'_>, bounds: GameBounds) {
        let Piece { kind, offset, text } = piece;
        match kind {
            PieceKind::Game if self.loose => self.loose_games(batch, (offset, text), bounds),
            PieceKind::Game => self.game(batch, offset, text),
            PieceKind::Fragment => batch.reject(offset, Verdict::Rejected(Rejection::fragment(text))),
            PieceKind::Oversized => batch.reject(offset, self.replay.too_large(text)),
        }
    }

    /// Adds the games of a record; if they are more than a record may hold, the rest counts as one game.
    fn loose_games(
        &mut self,
        batch: &mut AnnotatedBatch,
        (offset, text): (usize, &[u8]),
        bounds: GameBounds,
    ) {
        for (number, (start, game)) in loose::games(text).enumerate() {
            if number == LOOSE_GAMES_MAX {
                return batch.reject(offset + start, self.replay.too_large(&text[start..]));
            }
            if bounds.exceeded_within(&game) {
                batch.reject(offset + start, self.replay.too_large(&game));
            } else {
                self.game(batch, offset + start, &game);
            }
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
        // The notes hold what the movetext says.
        let text = batch.keep(&text[..tags.movetext_at()]);
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
    fn reject(&mut self, offset: usize, verdict: Verdict) {
        let end = self.text.len();
        let (tags, plies) = (self.tags.len(), self.plies.len());
        self.games.push(Entry {
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

    /// Keeps the text of a game's tags.
    fn keep(&mut self, text: &[u8]) -> Range<usize> {
        let start = self.text.len();
        self.text.extend_from_slice(text);
        start..self.text.len()
    }
}
