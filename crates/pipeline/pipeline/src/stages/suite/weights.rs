//! Suites of play without games: of a Polyglot book, whose weights say how often its own play meets a
//! position, and of every line.

use book::Ratio;
use count::{PLAYED, Play, PlayBy, Played, of_play};
use craft::{Suite, SuiteOptions};
use output::grouped;
use run::{Context, Result, SettingError};

use super::{super::known::Known, MakeSuite};

impl MakeSuite {
    /// Refuses settings about games, which play without games does not know; `why` says so.
    pub(super) fn check_weights(&self, why: &str) -> Result<(), SettingError> {
        let asked = [
            ("min_games", self.choice.min_games.is_some()),
            ("score", self.choice.score.is_some()),
            ("draws", self.choice.draws.is_some()),
        ];
        match asked.into_iter().find(|(_, is_asked)| *is_asked) {
            Some((key, _)) => {
                let what = format!(
                    "{why}: leave it out (of a Polyglot book, --min-share leaves out rare moves), or make the suite \
                     of a table or a .tabia book"
                );
                Err(SettingError::because(key, what))
            }
            None => Ok(()),
        }
    }

    /// Refuses settings that only apply to a book with weights.
    pub(super) fn check_counts(&self) -> Result<(), SettingError> {
        if self.choice.min_share == Ratio::ZERO {
            return Ok(());
        }
        let what =
            "is for Polyglot books, whose moves have weights: --min-games leaves out rare positions here";
        Err(SettingError::because("min_share", what))
    }

    /// The suite of play.
    pub(super) fn of_play(
        &self,
        context: &Context,
        by: PlayBy<'_>,
        known: &Known,
        options: SuiteOptions,
    ) -> Result<Suite> {
        let last_ply = options.plies.last;
        let played = match by {
            PlayBy::Weights { .. } => "by the weights of the book",
            PlayBy::EveryMove => "of random moves",
        };
        let play = Play { by, start: &options.start, last_ply };
        let Played { counts, illegal } = of_play(context, &play)?;
        if illegal > 0 {
            let moves = grouped(illegal);
            context.summary().warnings.push(format!(
                "moves that cannot be played where the book has them were not followed: {moves} (`tabia dump` lists \
                 them)"
            ));
        }
        let options = SuiteOptions { min_games: 0, ..options };
        self.make(context, (&counts, Some((PLAYED, played))), known, &options)
    }
}
