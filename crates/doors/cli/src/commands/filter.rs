//! `tabia filter`.

use clap::Args;
use pgn::replay::{Fen, Line};
use pipeline::{
    recipe::builtin::{self, Games},
    stages::WriteGames,
};

use crate::{
    args::{GamesRunArgs, WholeGameArgs},
    execute::execute,
    help::{Short, examples},
};

#[derive(Args)]
#[command(add = Short("output rest min-elo since player where in dedup-games limit rejects force"))]
#[command(after_help = examples("\
tabia filter a.pgn b.pgn.zst --dedup-games exact -o once.pgn.zst --rest others.pgn
tabia filter games.pgn --where 'WhiteElo >= 2400 and Event !~ \"Bullet\"' -o strong.pgn
tabia filter mine.pgn --in repertoire.tabia --in-plies 16 -o followed.pgn   games that stay in a book"))]
pub(crate) struct FilterArgs {
    #[command(flatten)]
    games: WholeGameArgs,
    /// Only games that play this line: moves in SAN or UCI, with or without move numbers
    #[arg(long, value_name = "MOVES", help_heading = "Which games count")]
    line: Option<Line>,
    /// Only games that reach this position
    #[arg(long, help_heading = "Which games count")]
    fen: Option<Fen>,
    #[command(flatten)]
    files: WriteGames,
    #[command(flatten)]
    run: GamesRunArgs,
}

impl FilterArgs {
    fn games(&self) -> Games {
        let mut games = self.games.games();
        let counting = &mut games.replay.options.counting;
        (counting.line, counting.fen) = (self.line.clone(), self.fen.clone());
        games
    }
}

/// `tabia filter`.
pub(crate) fn filter(args: &FilterArgs) -> anyhow::Result<()> {
    let (games, files) = (args.games(), args.files.clone());
    execute(&builtin::filter(games, files, args.run.limits()), &args.run)
}
