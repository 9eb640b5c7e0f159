//! The counts that a suite is made from. They come from real games or from simulated play. In simulated play,
//! moves are chosen in proportion to their weights in a Polyglot book; with `every_line`, all moves are
//! equally likely.

use std::sync::Arc;

use book::Ratio;
use count::{Counts, PLAYED, Play, PlayBy, PlayCounts, of_play};
use craft::SuiteOptions;
use output::grouped;
use run::{Context, Result, SettingError, StageError};
use stage::Flow;

use super::choice::SuiteChoice;

/// The counts. If they come from simulated play, `played` is the number of simulated games and a description
/// of how moves were chosen.
pub(super) struct SuiteSource {
    pub(super) counts: Arc<Counts>,
    pub(super) played: Option<(u64, &'static str)>,
}

impl SuiteSource {
    /// Gets the counts from `input`. If `input` is a Polyglot book, the counts come from simulated play by
    /// the weights of the book. If there is no input, they come from simulated play in which every legal move
    /// is equally likely. `stage` is the name of the stage for error messages. If the counts come from
    /// simulated play, the minimum number of games in `options` is set to 0.
    pub(super) fn of(
        context: &Context,
        (stage, choice): (&str, &SuiteChoice),
        input: Option<&Flow>,
        options: &mut SuiteOptions,
    ) -> Result<Self> {
        let by = match input {
            None => {
                choice
                    .check_weights("lines of legal moves have no games or results")
                    .map_err(StageError::of(stage))?;
                PlayBy::EveryMove
            }
            Some(Flow::Polyglot(book)) => {
                let why = "a Polyglot book has weights, but no games or results";
                choice.check_weights(why).map_err(StageError::of(stage))?;
                PlayBy::Weights { book, min_share: choice.min_share }
            }
            Some(counted) => {
                choice.check_counts().map_err(StageError::of(stage))?;
                return Ok(Self { counts: counted.clone().counts(context)?, played: None });
            }
        };
        options.min_games = 0;
        Self::of_play(context, by, options)
    }

    fn of_play(context: &Context, by: PlayBy<'_>, options: &SuiteOptions) -> Result<Self> {
        let played = match by {
            PlayBy::Weights { .. } => "by the weights of the book",
            PlayBy::EveryMove => "of random moves",
        };
        let play = Play { by, start: &options.start, last_ply: options.plies.last };
        let PlayCounts { counts, illegal } = of_play(context, &play)?;
        if illegal > 0 {
            let moves = grouped(illegal);
            context.summary().warnings.push(format!(
                "illegal moves of the book that were not followed: {moves} (`tabia dump` lists them)"
            ));
        }
        Ok(Self { counts: Arc::new(counts), played: Some((PLAYED, played)) })
    }
}

impl SuiteChoice {
    /// Refuses settings that only make sense for real games; `why` explains the refusal.
    fn check_weights(&self, why: &str) -> Result<(), SettingError> {
        let asked = [
            ("min_games", self.min_games.is_some()),
            ("score", self.score.is_some()),
            ("draws", self.draws.is_some()),
            ("new_after", self.new_after.is_some()),
        ];
        let what = format!(
            "{why}: leave this setting out, or make the suite from a table or a .tabia book (for a Polyglot book, \
             --min-share leaves out rare moves)"
        );
        asked.into_iter().try_for_each(|(key, is_asked)| SettingError::because(key, &*what).unless(!is_asked))
    }

    /// Refuses settings that only apply to a book with weights.
    fn check_counts(&self) -> Result<(), SettingError> {
        let what =
            "is for Polyglot books, whose moves have weights: --min-games leaves out rare positions here";
        SettingError::because("min_share", what).unless(self.min_share == Ratio::ZERO)
    }
}
