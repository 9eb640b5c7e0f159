//! Suites of a Polyglot book, whose weights say how often its own play meets a position.

use book::{Ratio, polyglot::Reader};
use count::{PLAYED, Play, Played, of_play};
use craft::{Suite, SuiteOptions};
use output::grouped;
use run::{Context, Result, SettingError};

use super::{super::known::Known, MakeSuite};

impl MakeSuite {
    /// Refuses settings about games, which a book without counts does not know.
    pub(super) fn check_weights(&self) -> Result<(), SettingError> {
        let asked = [
            ("min_games", self.min_games.is_some()),
            ("score", self.score.is_some()),
            ("draws", self.draws.is_some()),
        ];
        match asked.into_iter().find(|(_, is_asked)| *is_asked) {
            Some((key, _)) => Err(SettingError::because(
                key,
                "a Polyglot book holds weights, and no games or results: leave it out (--min-share leaves out rare \
                 moves), or make the suite of a table or a .tabia book",
            )),
            None => Ok(()),
        }
    }

    /// Refuses settings that only apply to a book with weights.
    pub(super) fn check_counts(&self) -> Result<(), SettingError> {
        if self.min_share == Ratio::ZERO {
            return Ok(());
        }
        let what =
            "is for Polyglot books, whose moves have weights: --min-games leaves out rare positions here";
        Err(SettingError::because("min_share", what))
    }

    /// The suite of a book's own play.
    pub(super) fn of_weights(
        &self,
        context: &Context,
        book: &Reader,
        known: &Known,
        options: SuiteOptions,
    ) -> Result<Suite> {
        let last_ply = options.plies.last;
        let play = Play { book, start: &options.start, last_ply, min_share: self.min_share };
        let Played { counts, illegal } = of_play(context, &play)?;
        if illegal > 0 {
            let moves = grouped(illegal);
            context.summary().warnings.push(format!(
                "moves that cannot be played where the book has them were not followed: {moves} (`tabia dump` lists \
                 them)"
            ));
        }
        let options = SuiteOptions { min_games: 0, ..options };
        self.make(context, (&counts, Some(PLAYED)), known, &options)
    }
}
