//! The moves of one game, for readers that need more than counts.

use position::{Outcome, UnknownResult};

use super::{
    CountingOptions, Replay, ReplayOptions, check_moves, check_text, filter_line, outcome,
    play::{Play, Visit},
    rejected, start,
};
use crate::{
    texts::Form,
    verdict::{Reason, Verdict},
};

/// The moves of an accepted game.
pub(crate) struct GameMoves<'r> {
    /// The counted moves, each with the position in which it was played.
    pub(crate) visits: &'r [Visit],
    /// The number of moves in the game before the first counted move.
    pub(crate) first: usize,
    /// The result; unknown only where [`Form`] allows it.
    pub(crate) outcome: Option<Outcome>,
    /// The verdict on the game.
    pub(crate) verdict: Verdict,
    /// The text in standard spelling, if the game was read leniently.
    pub(crate) respelled: Option<&'r [u8]>,
}

impl Replay {
    /// Replays a game as [`Self::game`] does; returns the game's moves, or the verdict if the game does not
    /// count.
    ///
    /// With [`Form::Loose`], the result may be missing, tags may be malformed, and only the moves before the
    /// first move that cannot be played count.
    pub(crate) fn take(&mut self, text: &[u8], form: Form) -> Result<GameMoves<'_>, Verdict> {
        let (from, outcome) = match form {
            Form::Loose => self.judge_loosely(text)?,
            Form::Finished | Form::Unfinished => match self.judge(text, |_| true) {
                Ok(game) => (game.from, Some(game.outcome)),
                Err(verdict) if form == Form::Unfinished && is_unfinished(&verdict) => {
                    (self.judge_unfinished(text)?, None)
                }
                Err(verdict) => return Err(verdict),
            },
        };
        let Play { visits, failure, bad, misspellings, .. } = &self.play;
        let (plies, cut) = (self.play.plies(), failure.is_some() || bad.is_some());
        let visits = &visits[from..plies as usize];
        let verdict = Verdict::Accepted { plies, cut, misspellings: *misspellings };
        let respelled = self.play.respelled();
        Ok(GameMoves { visits, first: from, outcome, verdict, respelled })
    }

    /// Checks whether the game would be accepted if its result were known; returns the index of the first
    /// visit that counts.
    fn judge_unfinished(&mut self, text: &[u8]) -> Result<usize, Verdict> {
        let Self { options, play, .. } = self;
        let tags = self.tags.read(text);
        let from = filter_line(&options.filters, self.root, play)?;
        check_moves(options, play, text)?;
        check_text(options, play, &tags, text)?;
        let board = start::position(&tags, options.counting.from_position, &self.start)?;
        board.map(|_| from).ok_or_else(|| start::no_position(&tags))
    }

    /// Replays a game by the rules of [`Form::Loose`]. Returns the index of the first visit that counts, and
    /// the game's result if it is known.
    fn judge_loosely(&mut self, text: &[u8]) -> Result<(usize, Option<Outcome>), Verdict> {
        let Self { options, play, .. } = self;
        let ReplayOptions { counting, filters } = &*options;
        let tags = self.tags.read(text);
        let board = start::position(&tags, counting.from_position, &self.start)?;
        if let Some(filter) = filters.refuse(&tags) {
            return Err(Verdict::Filtered(filter));
        }
        if board.is_none() {
            return Err(start::no_position(&tags));
        }
        play.movetext(board.as_ref(), text, tags.movetext_at, counting.max_ply);
        let from = filter_line(filters, self.root, play)?;
        if play.plies() == 0 {
            check_moves(options, play, text)?;
            let bad = play.bad.clone().map_or(text, |span| &text[span]);
            return Err(rejected(Reason::BadToken, None, bad));
        }
        let known = CountingOptions { unknown_result: UnknownResult::Reject, ..counting.clone() };
        Ok((from, outcome::agreed(&tags, play, text, &known).ok()))
    }
}

/// Whether a game is rejected because its result is unknown.
fn is_unfinished(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Rejected(rejection) if rejection.reason == Reason::ResultUnknown)
}
