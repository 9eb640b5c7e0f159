//! The rules by which games teach.

use learn::{
    crafty::{Family, LessonLimits},
    games::{self, Refusal},
    search::Trust,
};
use position::{Experience, OwnResults};
use strum::{Display, EnumString, IntoStaticStr};

use crate::{Idle, OpponentWeight, PlayedGame};

/// The rules by which a game teaches. By default results teach by Lokasoft's conditions, and searches do not
/// teach.
#[derive(Clone, Debug, Default)]
pub struct GameRules {
    /// Which games teach by their results.
    pub results: GameRule,
    /// The family of Crafty versions that decides how searches teach; `None` if searches do not teach.
    pub search: Option<Family>,
    /// The family of Crafty versions that decides how results teach learned values; `None` if results teach
    /// no learned values. Most families punish the last choice of a lost game ([`Family::result_value`]).
    pub learned_results: Option<Family>,
    /// Which of the values found by searches are trusted.
    pub trust: Trust,
    /// How much a single game or record may change learned values.
    pub limits: LessonLimits,
    /// How many times a game teaches, depending on its opponent.
    pub opponents: Vec<OpponentWeight>,
}

/// Which games teach by their results.
#[derive(Clone, Copy, Debug, Default, Display, EnumString, Eq, IntoStaticStr, PartialEq)]
#[strum(parse_err_fn = no_rule, parse_err_ty = String, serialize_all = "lowercase")]
pub enum GameRule {
    /// Games that fulfil Lokasoft's conditions are added to the player's own results (ChessPartner: which
    /// games count).
    #[default]
    Lokasoft,
    /// All games are added to the player's own results (Terra: dynamic values).
    Terra,
    /// No games are added to the player's own results. Results teach learned values instead, as in Crafty
    /// (Crafty: result learning).
    Crafty,
}

fn no_rule(text: &str) -> String {
    format!("`{text}` is not lokasoft, terra or crafty")
}

impl GameRules {
    /// Rules by which results teach as `results` says, and searches teach if `search` is set. `family`
    /// decides which of Crafty's rules hold. As in Crafty, games that teach by searches also teach learned
    /// values by their results.
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

    /// Checks whether a game may teach anything.
    ///
    /// # Errors
    ///
    /// Fails with the reason why the game teaches nothing.
    pub fn admit(&self, game: &PlayedGame) -> Result<(), Idle> {
        if self.weight(game) == 0 {
            return Err(Idle::Opponent);
        }
        let results = match self.results {
            GameRule::Lokasoft | GameRule::Terra => self.own_results(game).map(drop),
            GameRule::Crafty => self.learned_result(game).map(drop),
        };
        if self.search.is_some() { Ok(()) } else { results }
    }

    /// How many times a game teaches.
    pub(crate) fn weight(&self, game: &PlayedGame) -> u8 {
        OpponentWeight::of(&self.opponents, &game.opponent)
    }

    /// The results that a game adds to the own results of a move.
    pub(crate) fn own_results(&self, game: &PlayedGame) -> Result<OwnResults, Idle> {
        let own_game = game.own_game().ok_or(Idle::NoResult)?;
        match self.results {
            GameRule::Lokasoft => games::applies(&own_game).map(drop).map_err(Idle::Refused)?,
            GameRule::Terra => {}
            GameRule::Crafty => return Err(Idle::NotLost),
        }
        let mut experience = Experience::default();
        games::add_result(&mut experience, game.own, own_game.outcome);
        Ok(experience.own)
    }

    /// The value that a game's result teaches, from White's view, and the family whose rules give this value.
    /// The result of a game that was broken off teaches nothing, and a result that is only a judgement never
    /// bans a move.
    pub(crate) fn learned_result(&self, game: &PlayedGame) -> Result<(Family, i64), Idle> {
        let outcome = game.outcome.ok_or(Idle::NoResult)?;
        if !game.serious {
            return Err(Idle::Refused(Refusal::NotSerious));
        }
        let family = self.learned_results.ok_or(Idle::NotLost)?;
        if game.adjudicated && family.has_result_records() {
            return Err(Idle::NotLost);
        }
        family.result_value(game.own, outcome).map(|value| (family, value)).ok_or(Idle::NotLost)
    }
}
