//! The lines of a repertoire: the main line of a record and each of its variations, all of which start from
//! the record's first position.
//!
//! A variation is an alternative to the move before it, so its line starts with the moves that precede that
//! move. A record may have several main lines, one after another: a new one begins after a result, or where
//! the move numbers start again from 1.

use std::ops::Range;

use position::{Board, PackedMove, Ply, Spelling, Step};
use shakmaty::san::{San, SanError};

use super::{
    CountingOptions, misspelt,
    play::{Failure, Visit},
};
use crate::{
    misspelling::Misspellings,
    movetext::{InGap, Movetext, Respelling, Token, in_gap},
};

/// How deep variations may be nested.
const DEPTH_MAX: u32 = 100;

/// A move in the text, which is stored once even if several lines play it.
#[derive(Clone, Debug)]
pub(crate) struct WrittenMove {
    /// The move and the position before it.
    pub(crate) visit: Visit,
    /// The range of the text between the move and the next one.
    pub(crate) gap: Range<usize>,
}

/// A line that is still to be read: its text, and the moves that lead to it.
#[derive(Clone, Debug)]
struct Branch {
    text: Range<usize>,
    board: Board,
    /// The moves that lead to the line, up to the ply limit.
    before: Vec<Visit>,
    /// The number of moves that lead to the line, including those after the ply limit.
    moves_before: u32,
    depth: u32,
}

/// The lines of one record.
///
/// # Memory
///
/// Uses sixteen bytes for each move of each line.
#[derive(Clone, Debug, Default)]
pub(super) struct Lines {
    /// The visits of all lines, one line after another; each line ends with its terminal visit.
    pub(super) visits: Vec<Visit>,
    /// For each line, its end in `visits` and its number of moves, including those after the ply limit.
    pub(super) ends: Vec<(usize, u32)>,
    /// The moves as written, in the order of the text.
    pub(super) written: Vec<WrittenMove>,
    /// The first move in the text that could not be played, with its ply.
    pub(super) failure: Option<(u32, Failure)>,
    /// The range of the first text that cannot be read.
    pub(super) bad: Option<Range<usize>>,
    /// The offset of a comment that is not closed.
    pub(super) unclosed_comment_at: Option<usize>,
    open: Vec<Branch>,
    /// The text in standard spelling, if the record was read leniently.
    respelled: Option<Respelling>,
    /// The misspellings that were read leniently.
    pub(super) misspellings: Misspellings,
}

impl Lines {
    /// Reads the lines of `text`, starting at byte `at`, and plays each line up to the ply limit. If that
    /// fails and lenient reading is allowed, the text is rewritten in standard spelling and read again.
    pub(super) fn read(&mut self, start: &Board, text: &[u8], at: usize, counting: &CountingOptions) {
        *self = Self::default();
        self.read_once(start, text, at, counting.max_ply);
        if counting.spelling() == Spelling::Lenient && (self.failure.is_some() || self.bad.is_some()) {
            self.read_leniently(start, text, at, counting.max_ply);
        }
    }

    fn read_leniently(&mut self, start: &Board, text: &[u8], at: usize, max_ply: u32) {
        let respelling = Respelling::of(text, at, true);
        let (respelled, misspellings) = (Some(Respelling::default()), respelling.misspellings);
        *self = Self { respelled, misspellings, ..Self::default() };
        self.read_once(start, &respelling.text, at, max_ply);
        let failure = self.failure.as_mut().map(|(_, failure)| &mut failure.span);
        for span in [failure, self.bad.as_mut()].into_iter().flatten() {
            *span = respelling.place(span.start)..respelling.place(span.end);
        }
        self.unclosed_comment_at = self.unclosed_comment_at.map(|at| respelling.place(at));
        self.respelled = Some(respelling);
    }

    /// The text in standard spelling, if the record was read leniently.
    pub(super) fn respelled(&self) -> Option<&[u8]> {
        self.respelled.as_ref().map(|respelling| &respelling.text[..])
    }

    /// Plays a move, which need not be valid SAN if reading is lenient. `word` is the move's text.
    fn play(&mut self, board: &mut Board, san: San, word: &[u8]) -> Result<Ply, SanError> {
        match board.play_san(&san) {
            Err(SanError::IllegalSan) if self.respelled.is_some() => {
                let (ply, kind) = misspelt::play(board, san, word)?;
                self.misspellings.add(kind);
                Ok(ply)
            }
            played => played,
        }
    }

    fn read_once(&mut self, start: &Board, text: &[u8], at: usize, max_ply: u32) {
        let plies_max = if max_ply == 0 { usize::MAX } else { max_ply as usize };
        let root =
            |text| Branch { text, board: start.clone(), before: Vec::new(), moves_before: 0, depth: 0 };
        self.open.push(root(at..text.len()));
        while let Some(branch) = self.open.pop() {
            let end = branch.text.end;
            let mut line = Reading::new(branch, plies_max);
            if let Some(next) = line.read(self, text) {
                self.open.push(root(next..end));
            }
            line.end(self);
        }
        self.written.sort_by_key(|written| written.gap.start);
    }

    /// Iterates over the lines; returns each line's visits, including the terminal visit, and its number of
    /// moves.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&[Visit], u32)> {
        let starts = [0].into_iter().chain(self.ends.iter().map(|(end, _)| *end));
        starts.zip(&self.ends).map(|(start, &(end, moves))| (&self.visits[start..end], moves))
    }

    fn fail(&mut self, ply: u32, failure: Failure) {
        if self.failure.as_ref().is_none_or(|(_, first)| failure.span.start < first.span.start) {
            self.failure = Some((ply, failure));
        }
    }

    fn bad(&mut self, span: Range<usize>) {
        if self.bad.as_ref().is_none_or(|first| span.start < first.start) {
            self.bad = Some(span);
        }
    }
}

/// A line that is being read.
struct Reading {
    text: Range<usize>,
    line: Vec<Visit>,
    board: Board,
    /// The board before the last move; `None` unless that move is in this line's own text and could be
    /// played.
    back: Option<Board>,
    depth: u32,
    plies_max: usize,
    moves_before: u32,
    /// The number of moves in the line's own text, including those after the ply limit.
    moves: u32,
    failed: bool,
}

impl Reading {
    fn new(branch: Branch, plies_max: usize) -> Self {
        let Branch { text, board, before: line, moves_before, depth } = branch;
        Self { text, line, board, back: None, depth, plies_max, moves_before, moves: 0, failed: false }
    }

    /// Reads to the end of the line; returns the offset of the next main line, if one follows.
    fn read(&mut self, lines: &mut Lines, text: &[u8]) -> Option<usize> {
        let mut movetext = Movetext::new(&text[..self.text.end], self.text.start);
        let mut gap = self.text.start;
        loop {
            let token = movetext.next();
            let span = if token.is_some() { movetext.span() } else { self.text.end..self.text.end };
            let next = self.gap(lines, text, gap..span.start);
            if next.is_some() {
                return next;
            }
            match token? {
                Token::Move(named) => self.play(lines, named, text, span.clone()),
                Token::Result(_) if self.depth == 0 => return Some(span.end),
                Token::Result(_) => {}
                Token::Bad => lines.bad(span.clone()),
                Token::UnclosedComment => lines.unclosed_comment_at = Some(span.start),
            }
            gap = span.end;
        }
    }

    /// Plays a move within the ply limit, unless an earlier move failed.
    fn play(&mut self, lines: &mut Lines, named: San, text: &[u8], span: Range<usize>) {
        self.moves += 1;
        self.back = None;
        if self.failed || self.line.len() >= self.plies_max {
            return;
        }
        let (key, before) = (self.board.key(), self.board.clone());
        match lines.play(&mut self.board, named, &text[span.clone()]) {
            Ok(ply) => {
                let visit = Visit { key, mv: ply.mv, step: ply.step };
                self.line.push(visit);
                self.back = Some(before);
                lines.written.push(WrittenMove { visit, gap: span.end..span.end });
            }
            Err(error) => {
                self.failed = true;
                lines.fail(self.line.len() as u32 + 1, Failure::new(&error, span));
            }
        }
    }

    /// Reads the text between two tokens; returns the offset of another main line, if one begins in that
    /// text.
    fn gap(&mut self, lines: &mut Lines, text: &[u8], gap: Range<usize>) -> Option<usize> {
        if let (Some(written), Some(_)) = (lines.written.last_mut(), &self.back) {
            written.gap.end = written.gap.end.max(gap.end);
        }
        for found in in_gap(text, gap) {
            match found {
                InGap::Variation(_) if self.failed => {}
                InGap::Variation(inside) if self.depth == DEPTH_MAX => lines.bad(inside),
                InGap::Variation(inside) => lines.open.push(self.variation(inside)),
                InGap::FirstNumber(at) if self.depth == 0 && self.moves > 0 => return Some(at),
                InGap::FirstNumber(_) => {}
            }
        }
        None
    }

    /// The variation that replaces the last move of this line.
    fn variation(&self, text: Range<usize>) -> Branch {
        let (board, before) = match &self.back {
            Some(board) => (board, &self.line[..self.line.len() - 1]),
            None => (&self.board, &self.line[..]),
        };
        let moves_before = self.moves_before + self.moves.saturating_sub(1);
        Branch { text, board: board.clone(), before: before.to_vec(), moves_before, depth: self.depth + 1 }
    }

    /// Adds the line to `lines`. A line whose own text contains no moves is left out, and so is a line of
    /// which no move could be played.
    fn end(self, lines: &mut Lines) {
        if self.moves == 0 || self.failed && self.line.is_empty() {
            return;
        }
        let step = Step::terminal(self.board.turn());
        lines.visits.extend(self.line);
        lines.visits.push(Visit { key: self.board.key(), mv: PackedMove::TERMINAL, step });
        lines.ends.push((lines.visits.len(), self.moves_before + self.moves));
    }
}
