//! Turns the text of records into items.

use position::{Board, Key, PackedMove};

use super::{
    LearnedBatch, LearnedReason,
    batch::{BatchedItem, Content},
    epd, header, moves, numbers,
    reason::Refusal,
    setboard,
};
use pgn::{
    batches::ReadChunk,
    input::{Chunk, Games, Piece, PieceKind},
    tags::{TagBuffer, decode, trim, trim_start},
    verdict::excerpt,
};

/// The word that `position.lrn` begins with.
const POSITIONS: &[u8] = b"position";

/// The word that precedes the position in an entry of `position.lrn`.
const SETBOARD: &[u8] = b"setboard";

/// Turns each chunk of a learning file into a batch of items.
#[derive(Clone, Debug)]
pub struct Parser {
    tags: TagBuffer,
    start: Board,
}

/// The items found in the text.
#[derive(Default)]
struct Found {
    entries: Vec<BatchedItem>,
    plies: Vec<(Key, PackedMove)>,
}

impl Default for Parser {
    fn default() -> Self {
        Self { tags: TagBuffer::default(), start: Board::start() }
    }
}

impl ReadChunk for Parser {
    type Batch = LearnedBatch;

    fn read_chunk(&mut self, chunk: &mut Chunk) -> LearnedBatch {
        let Found { entries, plies } = self.pieces(chunk.games());
        LearnedBatch { place: chunk.place, text: std::mem::take(&mut chunk.text), before: 0, entries, plies }
    }
}

/// Whether text begins like a learning file: with a record or position that can be read.
pub(super) fn begins(pieces: Games<'_>) -> bool {
    let found = Parser::default().pieces(pieces.take(2));
    found.entries.first().is_some_and(|entry| !matches!(entry.content, Content::Rejection { .. }))
}

impl Parser {
    fn pieces<'t>(&mut self, pieces: impl Iterator<Item = Piece<'t>>) -> Found {
        let mut found = Found::default();
        for piece in pieces {
            match piece.kind {
                PieceKind::Game => self.piece(piece, &mut found),
                PieceKind::Fragment => found.text(piece.offset, piece.text, LearnedReason::Fragment),
                PieceKind::Oversized => {
                    found.reject(piece.offset, (LearnedReason::TooLong, None, piece.text));
                }
            }
        }
        found
    }

    /// Reads a record. Any headers before the record that have no moves are rejected.
    fn piece(&mut self, piece: Piece<'_>, found: &mut Found) {
        let mut at = 0;
        for next in header::more(&self.tags.read(piece.text)) {
            found.reject(piece.offset + at, (LearnedReason::NoMoves, None, &piece.text[at..next]));
            at = next;
        }
        let (offset, text) = (piece.offset + at, &piece.text[at..]);
        match self.record(offset, text, found) {
            Ok((content, end)) => {
                found.entries.push(BatchedItem { offset, content });
                found.text(offset + end, &text[end..], LearnedReason::StrayText);
            }
            Err(refusal) => found.reject(offset, refusal),
        }
    }

    /// Reads one record or position, and returns the offset of its end.
    fn record<'t>(
        &mut self,
        offset: usize,
        text: &'t [u8],
        found: &mut Found,
    ) -> Result<(Content, usize), Refusal<'t>> {
        let tags = self.tags.read(text);
        if let Some(at) = tags.malformed_at.filter(|_| tags.get("White").and(tags.get("Black")).is_none()) {
            return Err((LearnedReason::InvalidTags, None, &text[at..]));
        }
        let from = tags.movetext_at;
        let brace = memchr::memchr(b'{', &text[from..]).map_or(text.len(), |length| from + length);
        if let Some(fen) = text[from..brace].strip_prefix(SETBOARD) {
            let position =
                setboard::position(&decode(fen)).ok_or((LearnedReason::BadPosition, None, &text[from..]))?;
            let (numbers, end) = read_numbers(text, brace)?;
            return Ok((
                Content::Position(header::of_position(&tags, offset), Box::new(position), numbers),
                end,
            ));
        }
        let first = found.plies.len();
        let played = moves::play(self.start.clone(), text, from..brace, &mut found.plies);
        let (numbers, end) =
            played.and_then(|()| read_numbers(text, brace)).inspect_err(|_| found.plies.truncate(first))?;
        Ok((Content::Record(header::of_record(&tags, offset), first..found.plies.len(), numbers), end))
    }
}

fn read_numbers(text: &[u8], at: usize) -> Result<numbers::Numbers, Refusal<'_>> {
    numbers::parse(text, at).ok_or((
        LearnedReason::BadNumbers,
        None,
        if at < text.len() { &text[at..] } else { text },
    ))
}

impl Found {
    fn reject(&mut self, offset: usize, (reason, ply, text): Refusal<'_>) {
        let text = excerpt(text).into();
        self.entries.push(BatchedItem { offset, content: Content::Rejection { reason, ply, text } });
    }

    /// Rejects text that belongs to no record: before the first record, or after the numbers of a record. A
    /// game result after the numbers is skipped, since it does no harm. Before the first record, each part of
    /// the text that ends in `}` is rejected separately, as a record without tags.
    fn text(&mut self, offset: usize, text: &[u8], reason: LearnedReason) {
        let text_from = |from: usize| text.len() - trim_start(&text[from..]).len();
        let mut at = text_from(0);
        if reason == LearnedReason::StrayText {
            at = text_from(at + result_bytes(&text[at..]));
        }
        let visible = trim(&text[at..]);
        if visible.is_empty() || visible == POSITIONS {
            return;
        }
        if epd::is_epd(visible) {
            return self.reject(offset + at, (LearnedReason::Epd, None, visible));
        }
        while reason == LearnedReason::Fragment
            && let Some(length) = memchr::memchr(b'}', &text[at..])
        {
            let end = at + length + 1;
            self.reject(offset + at, (reason, None, &text[at..end]));
            at = text_from(end);
        }
        let rest = trim(&text[at..]);
        if !rest.is_empty() {
            self.reject(offset + at, (reason, None, rest));
        }
    }
}

/// The length of the game result at the beginning of the text; 0 if there is none.
fn result_bytes(text: &[u8]) -> usize {
    let word = text.split(u8::is_ascii_whitespace).next().unwrap_or_default();
    let results: [&[u8]; 4] = [b"1-0", b"0-1", b"1/2-1/2", b"*"];
    if results.contains(&word) { word.len() } else { 0 }
}
