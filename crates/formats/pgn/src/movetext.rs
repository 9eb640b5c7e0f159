//! Turns movetext into tokens: the moves of the main line, the result, and text that is neither.
//!
//! Numbers, annotations, comments and variations are skipped. Text that cannot be read is also a token, so
//! nothing is dropped silently. `docs/pgn.md` lists the spellings. There is no board here, so a correctly
//! spelled move may still be illegal.

mod annotations;
mod bytes;
mod gap;
mod marks;
mod plain;
mod respelling;
mod result;
mod san;
mod skip;

use std::ops::Range;

use shakmaty::san::San;

use crate::tags::{blank_len, line_end_byte};
use bytes::{Start, ends_bad_token, start};
use plain::Window;

pub(crate) use annotations::{Annotation, annotations};
pub(crate) use gap::{InGap, in_gap};
pub(crate) use plain::PlainMove;
pub(crate) use respelling::Respelling;
pub use result::Terminator;

/// The elements of a game's main line.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Token {
    /// A move. Null moves are `San::Null` and drops are `San::Put`; neither is legal in any position of
    /// standard chess.
    Move(San),
    /// The first result. If the same result follows, it is skipped. If a different result, a move, a number
    /// or a variation follows, that text is a [`Token::Bad`].
    Result(Terminator),
    /// Text that is not allowed in movetext, or not allowed after the result.
    Bad,
    /// A comment that is not closed; it is the last token.
    UnclosedComment,
}

/// Reads the tokens of one game's movetext.
#[derive(Clone, Debug)]
pub struct Movetext<'t> {
    pub(crate) text: &'t [u8],
    /// The range of the last token.
    span: Range<usize>,
    /// The offset at which reading continues, after the window.
    at: usize,
    /// The result, once it has been read.
    ended: Option<Terminator>,
    window: Window,
}

impl<'t> Movetext<'t> {
    /// Reads the game `text`, starting at byte `at`, where its tags end. The text before `at` is only used to
    /// recognise line starts.
    #[must_use]
    pub fn new(text: &'t [u8], at: usize) -> Self {
        Self { text, span: at..at, at, ended: None, window: Window::new() }
    }

    /// The range of the last token in the text.
    #[must_use]
    pub fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// Whether the next token is a plain move, other than castling, from the current window.
    #[inline]
    pub(crate) fn has_plain_move(&self) -> bool {
        self.window.has_move()
    }

    /// Takes the next token, which must be a [plain move](Self::has_plain_move).
    #[expect(clippy::inline_always, reason = "as the move it gives")]
    #[inline(always)]
    pub(crate) fn take_plain_move(&mut self) -> PlainMove {
        let (moved, start, end) = self.window.take_move();
        self.span = start..end;
        moved
    }

    /// Skips plain moves and their numbers, up to any other text; returns the number of moves.
    pub(crate) fn skip_moves(&mut self) -> u32 {
        let mut moves = self.window.take_all();
        while self.read_window() {
            moves += self.window.take_all();
        }
        moves
    }

    /// Reads a window of plain movetext at the current offset. Returns `false` if the text there is known not
    /// to be plain, if the result has been read, or if no text is left.
    #[inline]
    fn read_window(&mut self) -> bool {
        if self.ended.is_some() || self.window.stopped || self.at == self.text.len() {
            return false;
        }
        self.at = self.window.read(self.text, self.at);
        true
    }

    /// Reads the text at the current offset byte by byte; returns `None` if the text is not a token.
    fn read_closely(&mut self, byte: u8) -> Option<Token> {
        self.window.stopped = false;
        self.span.start = self.at;
        let token = self.read(start(byte));
        self.span.end = self.at;
        token
    }

    /// Reads the text at the current offset, which begins as `start` says; returns `None` if the text is not
    /// a token.
    fn read(&mut self, start: Start) -> Option<Token> {
        match start {
            Start::Blank => self.skip_to(self.at + 1),
            Start::Digit => self.digits(),
            Start::Dot => self.before_result(self.run(b"."), None),
            Start::Move => self.san(),
            Start::Brace => self.comment(),
            Start::Paren => self.variation(),
            Start::Semicolon => self.skip_to(skip::line(self.text, self.at, self.line_end())),
            Start::Suffix => self.skip_to(self.run(b"!?")),
            Start::Dollar => self.numeric_annotation(),
            Start::Star => self.result(self.at + 1, Terminator::Star),
            Start::Other => self.other(),
        }
    }

    fn skip_to(&mut self, end: usize) -> Option<Token> {
        self.at = end;
        None
    }

    /// Continues at `end` after text that is allowed only before the result; returns `token`, or
    /// [`Token::Bad`] if the result has been read.
    fn before_result(&mut self, end: usize, token: Option<Token>) -> Option<Token> {
        self.at = end;
        if self.ended.is_some() { Some(Token::Bad) } else { token }
    }

    fn result(&mut self, end: usize, terminator: Terminator) -> Option<Token> {
        if self.ended == Some(terminator) {
            return self.skip_to(end);
        }
        let token = self.before_result(end, Some(Token::Result(terminator)));
        self.ended.get_or_insert(terminator);
        token
    }

    /// The byte that marks the end of a line. It is computed afresh on every call, because it is seldom
    /// needed.
    fn line_end(&self) -> u8 {
        line_end_byte(self.text)
    }

    /// The end of the run of bytes that starts at the current offset and contains only bytes in `members`.
    fn run(&self, members: &[u8]) -> usize {
        self.at + self.text[self.at..].iter().take_while(|b| members.contains(b)).count()
    }

    /// Reads a result, castling with zeros, a null move `0000`, or a move number.
    fn digits(&mut self) -> Option<Token> {
        let (text, at) = (self.text, self.at);
        // Text that begins in any other way can only be a number.
        if text[at] == b'0' || text[at] == b'1' && matches!(text.get(at + 1), Some(b'-' | b'/')) {
            if let Some((terminator, end)) = result::parse(text, at) {
                return self.result(end, terminator);
            }
            if let Some((san, end)) = san::castling(text, at).or_else(|| san::null(text, at)) {
                return self.before_result(end, Some(Token::Move(san)));
            }
        }
        let digits = text[at..].iter().take_while(|b| b.is_ascii_digit()).count();
        self.before_result(at + digits, None)
    }

    fn san(&mut self) -> Option<Token> {
        match san::parse(self.text, self.at) {
            Some((san, end)) => self.before_result(end, Some(Token::Move(san))),
            None => Some(self.bad()),
        }
    }

    fn comment(&mut self) -> Option<Token> {
        match skip::comment(self.text, self.at) {
            Some(end) => self.skip_to(end),
            None => Some(self.unclosed_comment(self.at)),
        }
    }

    fn variation(&mut self) -> Option<Token> {
        match skip::variation(self.text, self.at, self.line_end()) {
            Ok(end) => self.before_result(end, None),
            Err(skip::OpenVariation::Variation) => {
                self.at = self.text.len();
                Some(Token::Bad)
            }
            Err(skip::OpenVariation::Comment { at }) => Some(self.unclosed_comment(at)),
        }
    }

    fn unclosed_comment(&mut self, at: usize) -> Token {
        self.span.start = at;
        self.at = self.text.len();
        Token::UnclosedComment
    }

    fn numeric_annotation(&mut self) -> Option<Token> {
        let digits = self.text[self.at + 1..].iter().take_while(|b| b.is_ascii_digit()).count();
        if digits == 0 { Some(self.bad()) } else { self.skip_to(self.at + 1 + digits) }
    }

    /// Reads the rarer kinds of text, in the order of `docs/pgn.md`.
    fn other(&mut self) -> Option<Token> {
        let (text, at) = (self.text, self.at);
        if let len @ 1.. = blank_len(text, at) {
            return self.skip_to(at + len);
        }
        if text[at] == b'%' && (at == 0 || text[at - 1] == self.line_end()) {
            return self.skip_to(skip::line(text, at, self.line_end()));
        }
        if let Some((terminator, end)) = result::parse(text, at) {
            return self.result(end, terminator);
        }
        if let Some((san, end)) = san::castling(text, at).or_else(|| san::null(text, at)) {
            return self.before_result(end, Some(Token::Move(san)));
        }
        match (marks::glyph(text, at), marks::word(text, at)) {
            (0, 0) => {}
            (0, word) => return self.before_result(at + word, None),
            (glyph, _) => return self.skip_to(at + glyph),
        }
        self.san()
    }

    /// Skips text that cannot be read, up to a blank or a byte that begins another kind of text. A stray `}`,
    /// `)` or `$` is a token by itself, so that a result directly after it is recognised (PGN standard,
    /// section 7).
    fn bad(&mut self) -> Token {
        if ends_bad_token(self.text[self.at]) {
            self.at += 1;
            return Token::Bad;
        }
        let end = |&at: &usize| ends_bad_token(self.text[at]) || blank_len(self.text, at) > 0;
        self.at = (self.at + 1..self.text.len()).find(end).unwrap_or(self.text.len());
        Token::Bad
    }
}

impl Iterator for Movetext<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        loop {
            if self.has_plain_move() {
                return Some(Token::Move(self.take_plain_move().into()));
            }
            if let Some((san, start, end)) = self.window.next_castling() {
                self.span = start..end;
                return Some(Token::Move(san));
            }
            if self.read_window() {
                continue;
            }
            let byte = *self.text.get(self.at)?;
            let token = self.read_closely(byte);
            if token.is_some() {
                return token;
            }
        }
    }
}

#[cfg(test)]
mod tests;
