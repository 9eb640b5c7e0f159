//! Reads a game's movetext to its end and plays its moves.

use std::ops::Range;

use position::{Board, Key, PackedMove, Ply, Spelling, Step};
use shakmaty::san::{San, SanError};

use super::misspelt;
use crate::{
    misspelling::Misspellings,
    movetext::{Movetext, PlainMove, Respelling, Terminator, Token},
    verdict::Reason,
};

/// A position of a game, and the move played there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Visit {
    pub(crate) key: Key,
    /// The move, or 0 if play ended here because the game was over, the ply limit was reached or a move
    /// failed.
    pub(crate) mv: PackedMove,
    pub(crate) step: Step,
}

/// A move that could not be played.
#[derive(Clone, Debug)]
pub(super) struct Failure {
    /// The reason: the move is illegal or ambiguous.
    pub(super) reason: Reason,
    /// The move's range in the game's text.
    pub(super) span: Range<usize>,
}

impl Failure {
    pub(super) fn new(error: &SanError, span: Range<usize>) -> Self {
        let reason = match error {
            SanError::IllegalSan => Reason::IllegalMove,
            SanError::AmbiguousSan => Reason::AmbiguousMove,
        };
        Self { reason, span }
    }
}

/// The result of reading a game's movetext.
///
/// # Memory
///
/// Uses sixteen bytes for each ply of the longest game read so far, and keeps the text of the last game if it
/// was read leniently.
#[derive(Clone, Debug, Default)]
pub(super) struct Play {
    /// Every position within the ply limit; the last one is the terminal visit. Empty if there was no board
    /// to play on.
    pub(super) visits: Vec<Visit>,
    /// The number of moves in the main line, including those after the ply limit and those that could not be
    /// played.
    pub(super) moves: u32,
    /// The first result in the movetext, and its range.
    pub(super) terminator: Option<(Terminator, Range<usize>)>,
    /// The move that could not be played; play ended there.
    pub(super) failure: Option<Failure>,
    /// The range of the first bad token.
    pub(super) bad: Option<Range<usize>>,
    /// The offset of an unclosed comment.
    pub(super) unclosed_comment_at: Option<usize>,
    /// Where the movetext begins.
    pub(super) movetext_at: usize,
    /// The moves after the last visit, if they are collected ([`Play::with_rest`]).
    pub(super) rest: Option<Vec<u8>>,
    /// How many of the moves in `rest` could be played.
    pub(super) rest_plies: usize,
    /// The text in standard spelling, if the game was read leniently.
    pub(super) respelled: Option<Box<Respelling>>,
    /// The misspellings that were read leniently.
    pub(super) misspellings: Misspellings,
    /// How strictly games are read.
    spelling: Spelling,
}

impl Play {
    /// The number of moves played.
    pub(super) fn plies(&self) -> u32 {
        self.visits.len().saturating_sub(1) as u32
    }

    /// Creates a reader that is as strict as `spelling` says.
    pub(super) fn new(spelling: Spelling) -> Self {
        Self { spelling, ..Self::default() }
    }

    /// The text in standard spelling, if the game was read leniently.
    pub(super) fn respelled(&self) -> Option<&[u8]> {
        self.respelled.as_ref().map(|respelling| &respelling.text[..])
    }

    /// Reads `text` from byte `at` to its end and plays its moves from `start`: at most `max_ply` of them, or
    /// all of them if `max_ply` is 0. Nothing is played after a failed move or a bad token.
    ///
    /// If a game cannot be read as it stands and lenient reading is allowed, the game is rewritten in
    /// standard spelling and read again.
    pub(super) fn movetext(&mut self, start: Option<&Board>, text: &[u8], at: usize, max_ply: u32) {
        self.reset(at);
        self.read(start, text, at, max_ply);
        if self.spelling == Spelling::Lenient && (self.failure.is_some() || self.bad.is_some()) {
            self.read_leniently(start, text, at, max_ply);
        }
    }

    #[cold]
    fn read_leniently(&mut self, start: Option<&Board>, text: &[u8], at: usize, max_ply: u32) {
        let respelling = Respelling::of(text, at, false);
        self.reset(at);
        self.misspellings = respelling.misspellings;
        self.respelled = Some(Box::default());
        self.read(start, &respelling.text, at, max_ply);
        let spans = [
            self.terminator.as_mut().map(|(_, span)| span),
            self.failure.as_mut().map(|failure| &mut failure.span),
            self.bad.as_mut(),
        ];
        for span in spans.into_iter().flatten() {
            *span = respelling.place(span.start)..respelling.place(span.end);
        }
        self.unclosed_comment_at = self.unclosed_comment_at.map(|at| respelling.place(at));
        self.respelled = Some(respelling.into());
    }

    fn read(&mut self, start: Option<&Board>, text: &[u8], at: usize, max_ply: u32) {
        let plies_max = if max_ply == 0 { usize::MAX } else { max_ply as usize };
        let mut movetext = Movetext::new(text, at);
        if let Some(board) = start {
            self.play(&mut movetext, board.clone(), plies_max);
        }
        loop {
            self.moves += movetext.skip_moves();
            let Some(token) = movetext.next() else { break };
            self.note(token, movetext.span());
        }
    }

    /// Creates a reader that also collects the moves after the last visit. The moves that can be played come
    /// first, as two little-endian bytes each. The other moves follow as text, with a space after each.
    pub(super) fn with_rest(spelling: Spelling) -> Self {
        Self { rest: Some(Vec::new()), ..Self::new(spelling) }
    }

    fn reset(&mut self, movetext_at: usize) {
        let Self { mut visits, mut rest, spelling, .. } = std::mem::take(self);
        visits.clear();
        rest.iter_mut().for_each(Vec::clear);
        *self = Self { visits, movetext_at, rest, spelling, ..Self::default() };
    }

    /// Plays moves until the game ends, `plies_max` moves have been played, a move fails or a token is bad.
    /// Then adds the terminal visit.
    fn play(&mut self, movetext: &mut Movetext<'_>, mut board: Board, plies_max: usize) {
        while self.visits.len() < plies_max && self.bad.is_none() {
            let key = board.key();
            let played = if movetext.has_plain_move() {
                let PlainMove { role, file, rank, capture, to } = movetext.take_plain_move();
                board.play_move(role, file, rank, capture, to)
            } else {
                match movetext.next() {
                    Some(Token::Move(san)) => board.play_san(&san),
                    Some(token) => {
                        self.note(token, movetext.span());
                        continue;
                    }
                    None => break,
                }
            };
            self.moves += 1;
            match played.or_else(|error| self.play_misspelt(&mut board, error, movetext)) {
                Ok(ply) => self.visits.push(Visit { key, mv: ply.mv, step: ply.step }),
                Err(error) => {
                    self.failure = Some(Failure::new(&error, movetext.span()));
                    break;
                }
            }
        }
        let step = Step::terminal(board.turn());
        self.visits.push(Visit { key: board.key(), mv: PackedMove::TERMINAL, step });
        if let Some(rest) = self.rest.take() {
            self.rest = Some(self.play_rest(movetext, board, rest));
        }
    }

    /// If the game is being read leniently, and the last move could not be played as written, tries to play
    /// it as a misspelled move ([`misspelt`]).
    #[cold]
    fn play_misspelt(
        &mut self,
        board: &mut Board,
        error: SanError,
        movetext: &Movetext<'_>,
    ) -> Result<Ply, SanError> {
        if self.respelled.is_none() || error == SanError::AmbiguousSan {
            return Err(error);
        }
        let word = &movetext.text[movetext.span()];
        let Some(Token::Move(san)) = Movetext::new(word, 0).next() else { return Err(error) };
        let (ply, kind) = misspelt::play(board, san, word)?;
        self.misspellings.add(kind);
        Ok(ply)
    }

    /// Reads to the end of the game, collecting its moves in `rest`.
    #[cold]
    fn play_rest(&mut self, movetext: &mut Movetext<'_>, mut board: Board, mut rest: Vec<u8>) -> Vec<u8> {
        let text = movetext.text;
        let failed = self.failure.as_ref().map(|failure| failure.span.clone());
        let mut is_legal = failed.is_none() && self.bad.is_none();
        if let Some(span) = failed {
            push_word(&text[span], &mut rest);
        }
        while let Some(token) = movetext.next() {
            if let Token::Move(san) = token {
                let word = &text[movetext.span()];
                let played = if is_legal { self.play_rest_move(&mut board, san, word) } else { None };
                is_legal = played.is_some();
                match played {
                    Some(ply) => {
                        rest.extend(ply.mv.0.to_le_bytes());
                        self.rest_plies += 1;
                    }
                    None => push_word(word, &mut rest),
                }
            }
            self.note(token, movetext.span());
        }
        rest
    }

    /// Plays a move after the last visit, if it can be played. With [`Spelling::Lenient`], the move may be
    /// misspelled: copies of a game are recognised by the moves themselves, not by their spelling.
    fn play_rest_move(&self, board: &mut Board, san: San, word: &[u8]) -> Option<Ply> {
        match board.play_san(&san) {
            Err(SanError::IllegalSan) if self.spelling == Spelling::Lenient => {
                Some(misspelt::play(board, san, word).ok()?.0)
            }
            played => played.ok(),
        }
    }

    fn note(&mut self, token: Token, span: Range<usize>) {
        match token {
            Token::Move(_) => self.moves += 1,
            Token::Result(terminator) => self.terminator = Some((terminator, span)),
            Token::Bad => {
                self.bad.get_or_insert(span);
            }
            Token::UnclosedComment => self.unclosed_comment_at = Some(span.start),
        }
    }
}

/// Appends a move as written, but without the signs for check, mate and annotations, and then a space.
fn push_word(word: &[u8], rest: &mut Vec<u8>) {
    let end = word.iter().rposition(|byte| !b"+#!?".contains(byte));
    rest.extend_from_slice(&word[..end.map_or(0, |end| end + 1)]);
    rest.push(b' ');
}
