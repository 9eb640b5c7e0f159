//! Arguments shared by several commands.

mod games;
mod named;
mod run;

use clap::Args;
use count::{KeptMoves, Side};

pub(crate) use self::{
    games::WholeGameArgs,
    named::one_of,
    run::{
        ArenaRunArgs, BookRunArgs, BookValuesRunArgs, ChangeRunArgs, CommitRunArgs, DiffRunArgs, ExpRunArgs,
        GamesRunArgs, GatherRunArgs, LinesRunArgs, MEMORY_OF_BOOK, MEMORY_OF_LINES, MEMORY_OF_RECORDS,
        MergeRunArgs, PageRunArgs, ResumeArgs, RunArgs, SearchesRunArgs, TableRunArgs, TextRunArgs,
        ValuesRunArgs, with_help,
    },
};
use crate::exit::Usage;

/// `--book-color`, the former name of `--color`, for commands that also name a player.
#[derive(Args)]
pub(crate) struct BookSideArgs {
    /// Which side's moves the book keeps
    #[arg(long, value_name = "white|black", hide = true, conflicts_with = "color")]
    book_color: Option<Side>,
}

impl BookSideArgs {
    /// Sets the side if `--book-color` is given. Refuses `--color` if a player is named, because `--color`
    /// could then also mean the player's colour.
    pub(crate) fn set_side(&self, keep: &mut KeptMoves, names_a_player: bool) -> Result<(), Usage> {
        if keep.color.is_some() && names_a_player {
            let text = "--color is the side the book plays; with --player, name the player's colour with --player-color \
                        and the book's side with --book-color";
            return Err(Usage(text.into()));
        }
        keep.color = keep.color.or(self.book_color);
        Ok(())
    }
}
