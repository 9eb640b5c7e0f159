//! Flags that say what a book keeps and how an export weighs it.

use std::path::Path;

use clap::Args;
use pipeline::stages::{CompactSettings, KeepsSettings, PolyglotSettings};

#[derive(Args)]
#[command(next_help_heading = "What the book keeps")]
pub(crate) struct BookArgs {
    /// Moves played in at least N games; also white=N,black=M
    #[arg(long, value_name = "N", default_value = "1")]
    pub(crate) min_games: String,
    /// Moves that score at least S for their side, 0 to 1; also white=S,black=T
    #[arg(long, value_name = "S", default_value = "0")]
    pub(crate) min_score: String,
    /// Moves played in at least this share of the position's games, 0 to 1; also white=S,black=T
    #[arg(long, value_name = "S", default_value = "0")]
    pub(crate) min_share: String,
    /// Only the N best moves of a position: by games, then score, then move
    #[arg(long, value_name = "N")]
    pub(crate) top: Option<u32>,
}

impl BookArgs {
    pub(crate) fn settings(&self, output: &Path, color: Option<&str>) -> CompactSettings {
        CompactSettings { output: output.into(), keeps: self.keeps(color) }
    }

    pub(crate) fn keeps(&self, color: Option<&str>) -> KeepsSettings {
        KeepsSettings {
            min_games: self.min_games.clone().into(),
            min_score: self.min_score.clone().into(),
            min_share: self.min_share.clone().into(),
            color: color.map(Into::into),
            top: self.top,
        }
    }
}

#[derive(Args)]
pub(crate) struct WeightArgs {
    /// Polyglot weight: wins-draws (2 wins + draws), games, score, uniform, or win=2,draw=1,loss=0
    #[arg(long, value_name = "RULE", default_value = "wins-draws", help_heading = "Outputs")]
    pub(crate) weight: String,
}

impl WeightArgs {
    pub(crate) fn settings(&self, output: &Path) -> PolyglotSettings {
        PolyglotSettings { output: output.into(), weight: self.weight.clone() }
    }
}
