//! Conditions for the positions to which openings lead.

use std::path::PathBuf;

use clap::Args;
use craft::{BoardRules, OtherSuite, Pieces};
use run::values::option_as_text;
use serde::{Deserialize, Serialize};
use shakmaty::Color;

/// Conditions for the positions to which openings lead.
#[derive(Args, Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct SuiteBoards {
    /// Only positions where this side is to move
    #[arg(long, value_name = "white|black", value_parser = side)]
    #[serde(with = "option_as_text")]
    pub turn: Option<Color>,
    /// Only positions in which neither side is in check
    #[arg(long)]
    pub no_check: bool,
    /// Only positions where no capture or promotion wins material immediately, according to static exchange
    /// evaluation
    #[arg(long)]
    pub no_tactics: bool,
    /// Only positions whose number of pieces, kings and pawns included, is in this range, such as 8..32
    #[arg(long, value_name = "A..B")]
    #[serde(with = "option_as_text")]
    pub pieces: Option<Pieces>,
    /// Leave out the positions in these EPD or FEN files
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub exclude: Vec<PathBuf>,
}

fn side(text: &str) -> Result<Color, String> {
    text.parse().map_err(|_| "white or black is needed".to_owned())
}

impl SuiteBoards {
    /// Returns the conditions as rules. Reads the files of excluded positions.
    pub(super) fn rules(&self) -> craft::Result<BoardRules> {
        let &Self { turn, no_check, no_tactics, pieces, .. } = self;
        let exclude = self.exclude.iter().map(|path| OtherSuite::read(path)).collect::<craft::Result<_>>()?;
        Ok(BoardRules { turn, no_check, no_tactics, pieces, exclude })
    }
}
