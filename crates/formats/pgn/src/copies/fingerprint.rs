//! The fingerprint of a game that counts.

use position::{Fingerprint, Outcome};
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use super::players::{Name, players};
use crate::{
    annotated::AnnotatedOptions,
    filter::known_date_of,
    input::{Chunk, PieceKind},
    replay::{GameMoves, Replay},
    tags::{TagBuffer, Tags, trim},
    texts::{Form, texts},
};

/// A game with fewer plies than this is a copy of another only if both players and the year are known.
pub const SHORT_PLIES: u32 = 20;

/// Facts about a game that counts.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct GameFacts {
    /// The fingerprint by which copies of the game are recognised.
    pub fingerprint: Fingerprint,
    /// The result; unknown only where [`Form`] allows it.
    pub outcome: Option<Outcome>,
    /// Whether the game cannot have copies, because it is short and a player or the year is unknown.
    pub is_alone: bool,
    /// The number of tags whose value is known.
    pub known_tags: u32,
    /// The XXH3-64 of the game's text.
    pub text: u64,
}

/// Computes the fingerprint of every game that counts.
#[derive(Clone, Debug)]
pub struct Fingerprinter {
    replay: Replay,
    tags: TagBuffer,
    form: Form,
    moves: Vec<u8>,
}

impl Fingerprinter {
    /// A fingerprinter for games that are read with these options. The options decide which games count, but
    /// do not change fingerprints.
    #[must_use]
    pub fn new(options: &AnnotatedOptions) -> Self {
        let replay = Replay::to_the_end(&options.replay);
        Self { replay, tags: TagBuffer::default(), form: options.form, moves: Vec::new() }
    }

    /// For every counted game of the chunk, calls `each` with the game's offset in the chunk, its
    /// [`GameFacts`] and its moves. The moves are encoded in three parts: the key of the game's first
    /// position (8 bytes), two bytes for each move that can be played (little-endian), and the text of the
    /// other moves.
    ///
    /// # Errors
    ///
    /// Fails with the first error that `each` returns.
    pub fn read_chunk<E>(
        &mut self,
        chunk: &Chunk,
        mut each: impl FnMut(usize, &GameFacts, &[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        for piece in chunk.games() {
            texts(piece, self.form, chunk.bounds, |piece| match piece.kind {
                PieceKind::Game => match self.game(piece.text) {
                    Some(known) => each(piece.offset, &known, &self.moves),
                    None => Ok(()),
                },
                PieceKind::Fragment | PieceKind::Oversized => Ok(()),
            })?;
        }
        Ok(())
    }

    /// Returns the facts about a game; `None` if it does not count.
    fn game(&mut self, text: &[u8]) -> Option<GameFacts> {
        let GameMoves { outcome, .. } = self.replay.take(text, self.form).ok()?;
        self.moves.clear();
        let plies = self.replay.write_moves(&mut self.moves);
        let tags = self.tags.read(text);
        let is_short = plies < SHORT_PLIES;
        let known_short = is_short.then(|| names_and_date(&tags));
        let result = outcome.map_or(3, |outcome| outcome as u64);
        let of_moves = xxh3_64_with_seed(&self.moves, result);
        let game = match &known_short {
            Some(Some(known)) => xxh3_64_with_seed(known.as_bytes(), of_moves),
            _ => of_moves,
        };
        Some(GameFacts {
            fingerprint: Fingerprint { game, players: players(&tags) },
            outcome,
            is_alone: matches!(known_short, Some(None)),
            known_tags: known_tags(&tags),
            text: xxh3_64(trim(text)),
        })
    }
}

/// The names and the date of a game; `None` unless both surnames and the year are known.
fn names_and_date(tags: &Tags<'_>) -> Option<String> {
    let [white, black] = ["White", "Black"].map(|tag| tags.get(tag).map(Name::read).unwrap_or_default());
    let (year, month, day) = known_date_of(tags);
    let known = !white.surname.is_empty() && !black.surname.is_empty() && year > 0;
    let name = |Name { surname, initial }: Name| format!("{surname},{}", char::from(initial.unwrap_or(b'?')));
    known.then(|| format!("{};{};{year}-{month}-{day}", name(white), name(black)))
}

/// The number of tags whose value has a character other than `?`, `.`, `-`, `*` and space.
fn known_tags(tags: &Tags<'_>) -> u32 {
    let is_known = |value: &[u8]| value.iter().any(|byte| !b"?.-* ".contains(byte));
    tags.iter().filter(|(_, value)| is_known(value.raw)).count() as u32
}
