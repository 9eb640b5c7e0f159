//! The options for replaying games. Each is both a command-line flag and a key in a recipe, with the same
//! name and the same default.

use std::sync::{Mutex, PoisonError};

use clap::Args;
use position::{IllegalMove, Key, Repeats, ResultFrom, Spelling, UnknownResult};
use serde::{Deserialize, Serialize};

use super::{Fen, Line, Replay};
use crate::{
    Error, Result,
    filter::{Dimension, Filter, Filters},
    input::GameTest,
    setting,
};

/// Which games are counted, and how.
#[derive(Args, Clone, Debug, Default, Deserialize, Serialize)]
pub struct ReplayOptions {
    /// How games are counted.
    #[command(flatten)]
    #[serde(flatten)]
    pub counting: CountingOptions,
    /// Which games count.
    #[command(flatten)]
    #[serde(flatten)]
    pub filters: Filters,
}

/// How games are counted. These options are the same for all games of one table.
#[derive(Args, Clone, Debug, Deserialize, Serialize)]
#[command(next_help_heading = "Counting")]
#[serde(default)]
pub struct CountingOptions {
    /// How many plies of each game count; 0 means the whole game
    #[arg(long, value_name = "N", default_value_t = CountingOptions::default().max_ply)]
    pub max_ply: u32,
    /// Whether a position that occurs several times in a game counts each time or once
    #[arg(long, value_name = "each|once", value_parser = setting::parse::<Repeats>, default_value_t)]
    #[serde(with = "setting::one")]
    pub repeats: Repeats,
    /// What to do with a game that has an illegal move
    #[arg(long, value_name = "reject|keep-prefix", value_parser = setting::parse::<IllegalMove>, default_value_t)]
    #[serde(with = "setting::one")]
    pub illegal_move: IllegalMove,
    /// What to do with a game whose result is unknown; `draw` counts it as a draw, as Polyglot does
    #[arg(long, value_name = "reject|draw", value_parser = setting::parse::<UnknownResult>, default_value_t)]
    #[serde(with = "setting::one", skip_serializing_if = "is_default")]
    pub unknown_result: UnknownResult,
    /// How the moves and the result of a game are read from its text.
    #[command(flatten)]
    #[serde(flatten)]
    pub text: TextOptions,
    /// Read lines, not games: the main line and each variation count once, as a draw, whatever the result;
    /// lines need no tags and may start from a FEN
    #[arg(long)]
    #[serde(skip_serializing_if = "is_default")]
    pub repertoire: bool,
    /// Also count games that start from a FEN, and store the positions that they start from
    #[arg(long)]
    pub from_position: bool,
    /// Count only games that reach the position after this line, and only their moves from that position on;
    /// the line consists of moves in SAN or UCI, with or without move numbers
    #[arg(long, value_name = "MOVES")]
    #[serde(with = "setting::option", skip_serializing_if = "Option::is_none")]
    pub line: Option<Line>,
    /// Count only games that reach this position, and only their moves from that position on
    #[arg(long)]
    #[serde(with = "setting::option", skip_serializing_if = "Option::is_none")]
    pub fen: Option<Fen>,
    /// Count only games that reach the position with this key (sixteen hexadecimal digits), and only their
    /// moves from that position on
    #[arg(long, value_name = "KEY", value_parser = setting::parse::<Key>, hide = true)]
    #[serde(with = "setting::option", skip_serializing_if = "Option::is_none")]
    pub root: Option<Key>,
    /// Split edges by one or more of speed, rating-band, month and (with --player) player-color, separated by
    /// commas
    #[arg(long, value_name = "DIMENSIONS", value_delimiter = ',', value_parser = setting::parse::<Dimension>)]
    #[serde(with = "setting::list")]
    pub by: Vec<Dimension>,
    /// Also sum the players' ratings over the games in which both are known
    #[arg(long)]
    pub ratings: bool,
}

/// How the moves and the result of a game are read from its text.
#[derive(Args, Clone, Copy, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(default)]
pub struct TextOptions {
    /// Which result counts if the Result tag and the movetext differ; `both` rejects the game
    #[arg(long, value_name = "both|tag|moves", value_parser = setting::parse::<ResultFrom>, default_value_t)]
    #[serde(with = "setting::one", skip_serializing_if = "is_default")]
    pub result_from: ResultFrom,
    /// Reject games with moves that are not written in correct SAN, such as `g1f3` and `ed5`; without this
    /// flag, a word that matches only one legal move is read as that move, and the summary counts such words
    #[arg(long)]
    pub strict_san: bool,
}

impl Default for CountingOptions {
    /// The default settings count every visit in the first sixty plies of games from the start position,
    /// without groups or ratings.
    fn default() -> Self {
        Self {
            max_ply: 60,
            repeats: Repeats::Each,
            illegal_move: IllegalMove::Reject,
            unknown_result: UnknownResult::Reject,
            text: TextOptions::default(),
            repertoire: false,
            from_position: false,
            line: None,
            fen: None,
            root: None,
            by: Vec::new(),
            ratings: false,
        }
    }
}

/// Whether a setting has its default value; such settings are not written.
fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

impl CountingOptions {
    /// The key of the position that games must reach to count.
    #[must_use]
    pub fn root_key(&self) -> Option<Key> {
        self.root_and_filter().map(|(key, _)| key)
    }

    /// How strictly the moves of games must be spelled.
    #[must_use]
    pub fn spelling(&self) -> Spelling {
        if self.text.strict_san { Spelling::Strict } else { Spelling::Lenient }
    }

    /// Rejects settings that make no sense for lines: those about ratings, results and repeated positions.
    fn check_repertoire(&self) -> Result<()> {
        let Self { repertoire, repeats, unknown_result, text, ratings, .. } = self;
        let given = [
            ("repeats", *repeats != Repeats::default()),
            ("unknown_result", *unknown_result != UnknownResult::default()),
            ("result_from", text.result_from != ResultFrom::default()),
            ("ratings", *ratings),
        ];
        match given.into_iter().find(|(_, given)| *repertoire && *given) {
            Some((setting, _)) => {
                let expected = "games, not the lines of a repertoire";
                let got = "`repertoire`".to_owned();
                Err(Error::Setting { setting, expected, got })
            }
            None => Ok(()),
        }
    }

    /// The position that games must reach to count, and the filter that excludes games that never reach it.
    pub(super) fn root_and_filter(&self) -> Option<(Key, Filter)> {
        let by_line = self.line.as_ref().map(|line| (line.key, Filter::Line));
        let by_fen = || self.fen.as_ref().map(|fen| fen.key).or(self.root).map(|key| (key, Filter::Fen));
        by_line.or_else(by_fen)
    }
}

impl ReplayOptions {
    /// Checks that the options can be used together.
    ///
    /// # Errors
    ///
    /// Fails with [`Error::Setting`] if more than one of `line`, `fen` and `root` is given, if `by` or
    /// `player_color` needs a `player` that is not given, if the rating limits exclude every rating, or if a
    /// repertoire has a setting that makes sense only for games.
    pub fn check(&self) -> Result<()> {
        let CountingOptions { line, fen, root, by, .. } = &self.counting;
        let given = [("line", line.is_some()), ("fen", fen.is_some()), ("root", root.is_some())];
        let given: Vec<_> = given.into_iter().filter(|(_, given)| *given).map(|(name, _)| name).collect();
        if let [setting, _, ..] = given[..] {
            let got = format!("`{}`", given.join("`, `"));
            return Err(Error::Setting { setting, expected: "only one of `line`, `fen` and `root`", got });
        }
        self.counting.check_repertoire()?;
        if by.contains(&Dimension::PlayerColor) && self.filters.player.is_none() {
            return Err(Error::Setting {
                setting: "by",
                expected: "a `player`, whose colour `player-color` is",
                got: "none".into(),
            });
        }
        self.filters.check()
    }
}

impl From<CountingOptions> for ReplayOptions {
    /// Creates options from `counting`, without filters.
    fn from(counting: CountingOptions) -> Self {
        Self { counting, filters: Filters::default() }
    }
}

impl From<Filters> for ReplayOptions {
    /// Creates options from these filters, with the default settings for counting.
    fn from(filters: Filters) -> Self {
        Self { counting: CountingOptions::default(), filters }
    }
}

impl From<&ReplayOptions> for GameTest {
    /// Creates a test that a game passes unless a filter excludes it.
    fn from(options: &ReplayOptions) -> Self {
        let replay = Mutex::new(Replay::new(options));
        Self::new(move |text| replay.lock().unwrap_or_else(PoisonError::into_inner).passes_filters(text))
    }
}

#[cfg(test)]
mod tests;
