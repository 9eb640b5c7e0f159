//! By which rules games teach.

use std::{fmt, str::FromStr};

use learn::{crafty::Family, games, search::Trust};

use crate::{Idle, PlayedGame};

/// By which rules a game teaches. The default: results by Lokasoft's conditions, and no searches.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct GameRules {
    /// Which games teach by their results.
    pub results: GameRule,
    /// By which Crafty's rules searches teach, if they do.
    pub search: Option<Family>,
    /// Which values of searches are trusted.
    pub trust: Trust,
}

/// Which games teach by their results.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum GameRule {
    /// Those that meet Lokasoft's conditions (ChessPartner: which games count).
    #[default]
    Lokasoft,
    /// All (Terra: dynamic values).
    Terra,
}

/// A text that names no [`GameRule`].
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct UnknownRule(String);

impl GameRules {
    /// Whether a game may teach.
    ///
    /// # Errors
    ///
    /// Why not.
    pub fn admit(&self, game: &PlayedGame) -> Result<(), Idle> {
        let own_game = game.own_game().ok_or(Idle::NoResult)?;
        match self.results {
            GameRule::Lokasoft => games::applies(&own_game).map(drop).map_err(Idle::Refused),
            GameRule::Terra => Ok(()),
        }
    }
}

impl GameRule {
    /// All rules.
    pub const ALL: [GameRule; 2] = [GameRule::Lokasoft, GameRule::Terra];

    /// The name on the command line and in recipes.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Lokasoft => "lokasoft",
            Self::Terra => "terra",
        }
    }
}

impl fmt::Display for GameRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for GameRule {
    type Err = UnknownRule;

    fn from_str(text: &str) -> Result<Self, UnknownRule> {
        Self::ALL.into_iter().find(|rule| rule.name() == text).ok_or_else(|| UnknownRule(text.to_owned()))
    }
}

impl fmt::Display for UnknownRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is neither lokasoft nor terra", self.0)
    }
}

impl std::error::Error for UnknownRule {}
