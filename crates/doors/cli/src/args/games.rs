//! Flags of commands that read games but count nothing anew: filters without the settings of a count.

use clap::Args;
use games::{Dedup, DedupGames, ReadGames, ReadOptions, RejectList, Replay};
use pgn::{
    filter::Filters,
    replay::{CountingOptions, ReplayOptions, TextOptions},
};
use pipeline::recipe::builtin::Games;

/// Games of which every move is read, to be learned from or exported.
#[derive(Args)]
pub(crate) struct WholeGameArgs {
    #[command(flatten)]
    read: ReadGames,
    /// Games that start from a FEN too
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

    /// Whether the games of one player are read.
    pub(crate) fn names_a_player(&self) -> bool {
        self.filters.player.is_some()
    }
}

/// Games for a table that exists: how they are counted is the table's.
#[derive(Args)]
pub(crate) struct AddedGameArgs {
    /// PGN files, folders or globs, or one table; `-` is standard input
    #[arg(required = true, value_name = "PGN")]
    paths: Vec<String>,
    #[command(flatten)]
    options: ReadOptions,
    #[command(flatten)]
    filters: Filters,
    /// Copies of games are left out as when the table was counted; refuse a table that was counted otherwise
    #[arg(long, value_name = "off|exact|truncated", help_heading = "Which games count")]
    pub(crate) dedup_games: Option<DedupGames>,
    #[command(flatten)]
    list: RejectList,
}

impl AddedGameArgs {
    pub(crate) fn games(&self) -> Games {
        let read = ReadGames { paths: self.paths.clone(), options: self.options.clone() };
        let (options, list) = (self.filters.clone().into(), self.list.clone());
        Games { read, replay: Replay { options, dedup: Dedup::default(), list } }
    }
}
