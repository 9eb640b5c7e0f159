//! `tabia review`.

use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::Args;
use pipeline::{recipe::builtin, stages::ReviewGames};
use query::Artefact;

use crate::{
    args::{GamesRunArgs, WholeGameArgs},
    execute::execute,
    exit::Usage,
    help::{Short, examples},
};

#[derive(Args)]
#[command(add = Short("book player top drill pgn parquet since json force"))]
#[command(after_help = examples("\
tabia review mine.pgn --book white.tabia --player \"Doe, Jane\" --player-color white   where I left my repertoire, and where others did
tabia review mine.pgn --book book.bin --player \"Doe, Jane\" --since 2024 --top 20
tabia review mine.pgn --book black.tabia --player \"Doe, Jane\" --player-color black --drill learn.csv --pgn commented.pgn

docs/review.md describes each way of leaving a book."))]
pub(crate) struct ReviewArgs {
    #[command(flatten)]
    games: WholeGameArgs,
    /// The book that the player follows: a `.tabia` or a Polyglot book
    #[arg(long, value_name = "FILE")]
    book: PathBuf,
    #[command(flatten)]
    review: ReviewGames,
    #[command(flatten)]
    run: GamesRunArgs,
}

/// `tabia review`.
pub(crate) fn review(args: &ReviewArgs) -> anyhow::Result<()> {
    let ReviewArgs { games, book, review, run } = args;
    let games = games.games();
    if let [input] = games.read.paths.as_slice()
        && Artefact::open(Path::new(input)).is_ok()
    {
        let why =
            format!("{input} is not a file of games; did you mean `tabia review GAMES --book {input}`?");
        bail!(Usage(why));
    }
    execute(&builtin::review(games, book.clone(), review.clone(), run.limits()), run)
}
