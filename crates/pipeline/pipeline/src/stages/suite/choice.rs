//! Settings that determine how the openings of a suite are chosen.

use std::{num::NonZeroU8, path::PathBuf};

use book::Ratio;
use clap::Args;
use craft::{BoardRules, Bounds, EvalView, Plies, Spread, SuiteOptions};
use position::named_line;
use run::{
    SettingError,
    values::{as_text, defaults, number_or_text, option_as_text},
};
use serde::{Deserialize, Serialize};

use super::board::SuiteBoards;

/// The maximum length of openings, in plies, for a suite of all lines of legal moves. Six plies lead to nine
/// million positions, and each further ply multiplies that number by about ten.
const EVERY_LINE_MAX: u16 = 6;

/// How the openings of a suite are chosen.
#[derive(Args, Clone, Debug, Deserialize, Serialize)]
#[serde(default)]
pub struct SuiteChoice {
    /// The length of an opening, in plies from the position where its games start: a number such as 8, or a
    /// range such as 6..16
    #[arg(long, value_name = "N|A..B", default_value_t = SuiteOptions::default().plies)]
    #[serde(with = "as_text")]
    pub plies: Plies,
    /// Only positions reached in at least N games [default: 5]
    #[arg(long, value_name = "N")]
    pub min_games: Option<u64>,
    /// In a Polyglot book, follow only moves that have at least this share of the total weight in their
    /// position, such as 0.05
    #[arg(long, value_name = "S", default_value_t = Ratio::ZERO, hide_default_value = true)]
    #[serde(with = "number_or_text")]
    pub min_share: Ratio,
    /// Only positions in which White's score is in this range, such as 0.45..0.55
    #[arg(long, value_name = "A..B")]
    #[serde(with = "option_as_text")]
    pub score: Option<Bounds>,
    /// Only positions whose share of draws is in this range, such as 0.2..0.5
    #[arg(long, value_name = "A..B")]
    #[serde(with = "option_as_text")]
    pub draws: Option<Bounds>,
    /// Only positions whose advantage (evaluated, searched or learned) is in this range, in pawns, such
    /// as 0.6..1.2
    #[arg(long, value_name = "A..B", allow_hyphen_values = true)]
    #[serde(with = "option_as_text")]
    pub eval: Option<Bounds>,
    /// The side whose advantage --eval limits: White, or the side to move
    #[arg(long, value_name = "white|mover", default_value_t)]
    #[serde(with = "as_text")]
    pub eval_view: EvalView,
    /// Only positions for which Stockfish's WDL model predicts a share of draws in this range, such
    /// as 0.3..0.6
    #[arg(long, value_name = "A..B")]
    #[serde(with = "option_as_text")]
    pub model_draws: Option<Bounds>,
    /// Only the most visited positions, enough of them to make up this share of all visits, such as 0.95
    #[arg(long, value_name = "S")]
    #[serde(with = "option_as_text")]
    pub popular: Option<Ratio>,
    /// End a line after N consecutive moves that were played in only one game
    #[arg(long, value_name = "N")]
    pub new_after: Option<NonZeroU8>,
    /// Take every line of N legal moves instead of the lines of a file
    #[arg(long, value_name = "N", conflicts_with = "plies")]
    pub every_line: Option<u16>,
    /// Conditions for the positions to which the openings lead.
    #[command(flatten)]
    #[serde(flatten)]
    pub boards: SuiteBoards,
    /// Never take two openings whose lines share a position in their last N plies; with 0, the only rule is
    /// that no position is taken twice
    #[arg(long, value_name = "N", default_value_t = SuiteOptions::default().apart)]
    pub apart: u16,
    /// How openings are distributed over ECO codes: in proportion to games, evenly, or without regard to them
    #[arg(long, value_name = "games|even|any", default_value_t)]
    #[serde(with = "as_text")]
    pub spread: Spread,
    /// The maximum number of openings
    #[arg(long, value_name = "N", default_value_t = SuiteOptions::default().lines)]
    pub lines: usize,
    /// Seed of the random choices: the same seed gives the same suite
    #[arg(long, value_name = "N", default_value_t = SuiteOptions::default().seed)]
    pub seed: u64,
    /// Only openings that begin with these moves, in SAN or UCI: "e4 c5" or "1. e4 c5"
    #[arg(long, value_name = "MOVES")]
    pub line: Option<String>,
    /// A TSV file of openings with the columns eco, name and pgn [default: the bundled catalogue]
    #[arg(long, value_name = "TSV")]
    pub openings: Option<PathBuf>,
    /// Also count how many positions the suite has in common with these suites (EPD or FEN files)
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub compare: Vec<PathBuf>,
}

impl Default for SuiteChoice {
    fn default() -> Self {
        defaults(&[])
    }
}

impl SuiteChoice {
    /// Whether positions are chosen according to their evaluations.
    pub(super) fn is_by_evaluation(&self) -> bool {
        self.eval.is_some() || self.model_draws.is_some()
    }

    /// The options of the suite, except the conditions in [`SuiteBoards`]. Those conditions need files, which
    /// are read later.
    pub(super) fn options(&self) -> Result<SuiteOptions, SettingError> {
        let Self { score, draws, model_draws, lines, .. } = *self;
        let plies = self.every_line.map_or(self.plies, |plies| Plies { first: plies, last: plies });
        let min_games = self.min_games.unwrap_or(SuiteOptions::default().min_games);
        let start = named_line(None, self.line.as_deref())?;
        let given = start.moves.len();
        let flag = if self.every_line.is_some() { "--every-line" } else { "--plies" };
        let what = format!("has {given} plies, but {flag} asks for openings of {plies} plies");
        SettingError::because("line", what).unless(given <= usize::from(plies.first))?;
        SettingError::new("plies", "at least 1", self.plies).unless(self.plies.first > 0)?;
        SettingError::new("lines", "at least 1", lines).unless(lines > 0)?;
        let is_short = (1..=EVERY_LINE_MAX).contains(&self.every_line.unwrap_or(1));
        SettingError::new("every_line", "1 to 6", plies).unless(is_short)?;
        for (key, bounds) in [("score", score), ("draws", draws), ("model_draws", model_draws)] {
            if let Some(bounds) = bounds.filter(|bounds| bounds.low < 0.0 || bounds.high > 1.0) {
                return Err(SettingError::new(key, "within 0..1", bounds));
            }
        }
        let board = BoardRules::default();
        Ok(SuiteOptions {
            plies,
            min_games,
            score,
            draws,
            eval: self.eval,
            eval_view: self.eval_view,
            model_draws,
            popular: self.popular,
            new_after: self.new_after,
            board,
            apart: self.apart,
            spread: self.spread,
            lines,
            seed: self.seed,
            start,
        })
    }
}
