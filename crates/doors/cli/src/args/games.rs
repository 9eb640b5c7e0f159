//! Flags of commands that read games without counting them: the filters, but not the settings of a count.

use clap::Args;
use games::{Dedup, ReadGames, RejectList, Replay};
use pgn::{
    filter::Filters,
    replay::{CountingOptions, ReplayOptions, TextOptions},
};
use pipeline::recipe::builtin::Games;

/// Which games to learn from or to export; every move of these games is read.
#[derive(Args)]
pub(crate) struct WholeGameArgs {
    #[command(flatten)]
    read: ReadGames,
    /// Also read games that start from a FEN
    #[arg(long, help_heading = "Which games count")]
    from_position: bool,
    #[command(flatten)]
    text: TextOptions,
    #[command(flatten)]
    filters: Filters,
    #[command(flatten)]
    dedup: Dedup,
    #[command(flatten)]
    list: RejectList,
}

impl WholeGameArgs {
    pub(crate) fn games(&self) -> Games {
        let (from_position, text) = (self.from_position, self.text);
        let counting = CountingOptions { max_ply: 0, from_position, text, ..CountingOptions::default() };
        let options = ReplayOptions { counting, filters: self.filters.clone() };
        let (dedup, list) = (self.dedup.clone(), self.list.clone());
        Games { read: self.read.clone(), replay: Replay { options, dedup, list } }
    }

    /// Whether only the games of one player are read.
    pub(crate) fn names_a_player(&self) -> bool {
        self.filters.player.is_some()
    }
}
