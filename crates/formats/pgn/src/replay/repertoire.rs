//! Replays the records of a repertoire instead of games: determines which lines are counted, and the moves of
//! each line.
//!
//! A line is not a game and has no winner, so each line counts as a draw. The scores of moves mean nothing,
//! and a move's weight is the number of lines that play it.

use std::{collections::HashSet, ops::Range};

use position::{Board, IllegalMove, Outcome};

use super::{AcceptedGame, Replay, ReplayOptions, WrittenMove, lines::Lines, rejected, start};
use crate::{
    filter::{Filter, group_of},
    input::{GameBounds, Piece, PieceKind},
    texts::{Form, texts},
    verdict::{Reason, Verdict},
};

impl Replay {
    /// Replays the records in `piece` one after another. Calls `each` with every record's offset in the chunk
    /// and the verdict on the record; during the call, [`observations`](Self::observations) returns the
    /// observations of that record's lines.
    ///
    /// # Errors
    ///
    /// Returns the first error of `each`.
    pub fn records<E>(
        &mut self,
        piece: Piece<'_>,
        bounds: GameBounds,
        mut each: impl FnMut(&Self, usize, Verdict) -> Result<(), E>,
    ) -> Result<(), E> {
        texts(piece, Form::Loose, bounds, |piece| {
            let verdict = match piece.kind {
                // Lines need no tags.
                PieceKind::Game | PieceKind::Fragment => self.record(piece.text),
                PieceKind::Oversized => self.too_large(piece.text),
            };
            each(self, piece.offset, verdict)
        })
    }

    /// Replays one record.
    pub(crate) fn record(&mut self, text: &[u8]) -> Verdict {
        self.accepted = None;
        match self.judge_record(text) {
            Ok(lines) => {
                let verdict = lines.verdict();
                self.accepted = Some(lines);
                verdict
            }
            Err(verdict) => verdict,
        }
    }

    /// The moves written in the last record that belong to at least one counted line.
    pub(crate) fn written(&self) -> impl Iterator<Item = &WrittenMove> {
        let counted: HashSet<_> = match &self.accepted {
            Some(_) => self.play.visits.iter().map(|visit| (visit.key, visit.mv)).collect(),
            None => HashSet::new(),
        };
        let is_counted =
            move |written: &&WrittenMove| counted.contains(&(written.visit.key, written.visit.mv));
        self.lines.written.iter().filter(is_counted)
    }

    /// The text of the last record in standard spelling, if the record was read leniently.
    pub(crate) fn respelled(&self) -> Option<&[u8]> {
        self.lines.respelled()
    }

    /// Accepts a record, or returns the verdict against it. The reasons to reject a record are checked in the
    /// order of precedence.
    fn judge_record(&mut self, text: &[u8]) -> Result<AcceptedGame, Verdict> {
        let Self { options, lines, .. } = self;
        let tags = self.tags.read(text);
        let board = start::position(&tags, true, &self.start)?;
        if let Some(filter) = options.filters.refuse(&tags) {
            return Err(Verdict::Filtered(filter));
        }
        let board = board.ok_or_else(|| start::no_position(&tags))?;
        let group = group_of(&tags, &options.counting.by, options.filters.player.as_ref());
        let movetext_at = tags.movetext_at;
        read(lines, options, &board, (text, movetext_at))?;
        let cut = lines.failure.is_some();
        let plies = self.take_lines()?;
        let (misspellings, outcome) = (self.lines.misspellings, Outcome::Draw);
        Ok(AcceptedGame {
            plies,
            cut,
            misspellings,
            from: 0,
            outcome,
            group,
            ratings: None,
            root: start::root(&board),
        })
    }

    /// Keeps the lines that no filter excludes; returns the number of plies in the longest of these lines. If
    /// no line is left, the record is filtered out.
    fn take_lines(&mut self) -> Result<u32, Verdict> {
        let Self { lines, play, root, options, .. } = self;
        let (mut longest, mut refused) = (None, Filter::MinPlies);
        play.visits.clear();
        for (line, moves) in lines.iter() {
            let from = match root {
                _ if moves < options.filters.min_plies => continue,
                None => 0,
                Some((root, filter)) => {
                    let Some(from) = line.iter().position(|visit| visit.key == *root) else {
                        refused = *filter;
                        continue;
                    };
                    from
                }
            };
            play.visits.extend_from_slice(&line[from..]);
            longest = longest.max(Some(line.len() as u32 - 1));
        }
        longest.ok_or(Verdict::Filtered(refused))
    }
}

/// Reads the lines of a record whose movetext begins at byte `at` of `text`; rejects the record if it cannot
/// be read.
fn read(
    lines: &mut Lines,
    options: &ReplayOptions,
    board: &Board,
    (text, at): (&[u8], usize),
) -> Result<(), Verdict> {
    lines.read(board, text, at, &options.counting);
    let quoted = |reason, span: &Range<usize>| Err(rejected(reason, None, &text[span.clone()]));
    match &lines.failure {
        Some(_) if options.counting.illegal_move == IllegalMove::KeepPrefix && !lines.ends.is_empty() => {}
        Some((ply, failure)) => {
            return Err(rejected(failure.reason, Some(*ply), &text[failure.span.clone()]));
        }
        None => {}
    }
    if let Some(span) = &lines.bad {
        return quoted(Reason::BadToken, span);
    }
    if let Some(at) = lines.unclosed_comment_at {
        return quoted(Reason::UnclosedComment, &(at..text.len()));
    }
    if lines.ends.is_empty() { quoted(Reason::NoMoves, &(at..text.len())) } else { Ok(()) }
}

#[cfg(test)]
mod tests;
