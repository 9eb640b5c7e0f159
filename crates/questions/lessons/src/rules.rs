//! The rules for learning from games.

use learn::{
    crafty::{Family, LessonLimits},
    games::{self, Refusal},
    search::Trust,
};
use position::{Experience, OwnResults};
use strum::{Display, EnumString, IntoStaticStr};

use crate::{NoLesson, OpponentWeight, PlayedGame};

/// The rules that decide what is learned from a game. By default, results are learned under Lokasoft's
/// conditions, and nothing is learned from searches.
#[derive(Clone, Debug, Default)]
pub struct GameRules {
    /// Which games' results are learned, and how.
    pub results: GameRule,
    /// The family of Crafty versions whose rules apply to searches; `None` if nothing is learned from
    /// searches.
    pub search: Option<Family>,
    /// The family of Crafty versions whose rules decide how results change learned values; `None` if results
    /// do not change them. Most families punish the last choice of a lost game ([`Family::result_value`]).
    pub learned_results: Option<Family>,
    /// Which search values are trusted.
    pub trust: Trust,
    /// How much a single game or record may change learned values.
    pub limits: LessonLimits,
    /// How many times to learn from a game, depending on the opponent.
    pub opponents: Vec<OpponentWeight>,
}

/// A rule that decides which games' results are learned, and how.
#[derive(Clone, Copy, Debug, Default, Display, EnumString, Eq, IntoStaticStr, PartialEq)]
#[strum(parse_err_fn = no_rule, parse_err_ty = String, serialize_all = "lowercase")]
pub enum GameRule {
    /// Games that fulfil Lokasoft's conditions are added to the player's own results (ChessPartner: which
    /// games count).
    #[default]
    Lokasoft,
    /// All games are added to the player's own results (Terra: dynamic values).
    Terra,
    /// No games are added to the player's own results. Instead, results change learned values, as in Crafty
    /// (Crafty: result learning).
    Crafty,
}

fn no_rule(text: &str) -> String {
    format!("expected lokasoft, terra or crafty, not `{text}`")
}

impl GameRules {
    /// Creates rules that learn from results according to `results`, and also from searches if `search` is
    /// set. `family` is the family of Crafty versions whose rules apply. As in Crafty, learning from searches
    /// implies that results change learned values too.
    #[must_use]
    pub fn new(results: GameRule, family: Family, search: bool, trust: Trust) -> Self {
        Self {
            results,
            search: search.then_some(family),
            learned_results: (search || results == GameRule::Crafty).then_some(family),
            trust,
            limits: LessonLimits::default(),
            opponents: Vec::new(),
        }
    }

    /// Checks whether anything can be learned from a game.
    ///
    /// # Errors
    ///
    /// Fails with the reason why nothing is learned from the game.
    pub fn admit(&self, game: &PlayedGame) -> Result<(), NoLesson> {
        if self.weight(game) == 0 {
            return Err(NoLesson::Opponent);
        }
        let results = match self.results {
            GameRule::Lokasoft | GameRule::Terra => self.own_results(game).map(drop),
            GameRule::Crafty => self.learned_result(game).map(drop),
        };
        if self.search.is_some() { Ok(()) } else { results }
    }

    /// How many times to learn from a game.
    pub(crate) fn weight(&self, game: &PlayedGame) -> u8 {
        OpponentWeight::of(&self.opponents, &game.opponent)
    }

    /// Returns what a game adds to the player's own results for the game's moves.
    pub(crate) fn own_results(&self, game: &PlayedGame) -> Result<OwnResults, NoLesson> {
        let own_game = game.own_game().ok_or(NoLesson::NoResult)?;
        match self.results {
            GameRule::Lokasoft => games::applies(&own_game).map(drop).map_err(NoLesson::Refused)?,
            GameRule::Terra => {}
            GameRule::Crafty => return Err(NoLesson::NotLost),
        }
        let mut experience = Experience::default();
        games::add_result(&mut experience, game.own, own_game.outcome);
        Ok(experience.own)
    }

    /// The value, from White's point of view, that is learned from a game's result, and the family whose
    /// rules define this value. Nothing is learned from the result of an aborted game, and a result that is
    /// only the player's own judgement never bans a move.
    pub(crate) fn learned_result(&self, game: &PlayedGame) -> Result<(Family, i64), NoLesson> {
        let outcome = game.outcome.ok_or(NoLesson::NoResult)?;
        if !game.serious {
            return Err(NoLesson::Refused(Refusal::NotSerious));
        }
        let family = self.learned_results.ok_or(NoLesson::NotLost)?;
        if game.adjudicated && family.has_result_records() {
            return Err(NoLesson::NotLost);
        }
        family.result_value(game.own, outcome).map(|value| (family, value)).ok_or(NoLesson::NotLost)
    }
}
