//! `tabia suite`.

use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::{Arg, Args};
use games::{ReadGames, Replay};
use pgn::{
    filter::{Filters, Where},
    replay::{CountingOptions, ReplayOptions},
};
use pipeline::{
    recipe::builtin::{self, Games},
    stages::{MakeSuite, RefineRules, RefineSuite},
};

use crate::{
    args::TableRunArgs,
    execute::execute,
    exit::Usage,
    help::{Short, examples},
};

#[derive(Args)]
#[command(add = Short("output plies min-games min-share score draws lines spread compare seed force"))]
#[command(after_help = examples("\
tabia suite games.table -o suite.epd --plies 8 --min-games 100
tabia suite games.table -o balanced.epd --plies 6..16 --score 0.45..0.55 --spread even
tabia suite games.table -o unbalanced.pgn --score 0.60..0.75 --draws 0.2..0.4 --lines 2000
tabia suite book.tabia -o suite.epd --line \"e4 c5\" --compare old.epd   how much the two suites share
tabia suite book.bin -o suite.epd --plies 8 --min-share 0.05   positions that a Polyglot book plays
tabia suite --every-line 4 -o 2moves.epd --lines 200000 --no-check --no-tactics
tabia suite games.table --experience evals.experience.parquet -o uneven.epd --eval 0.8..1.2 --turn white
tabia suite --refine old.epd --games matches/*.pgn --match-draws 0.2..0.8 --match-bias -0.2..0.2 -o new.epd

docs/suites.md describes which parts of a suite cutechess and fastchess read."))]
#[command(mut_args(refines_nothing))]
pub(crate) struct SuiteArgs {
    /// A table, a book or a Polyglot book
    #[arg(value_name = "FILE", required_unless_present_any = ["every_line", "refine"],
          conflicts_with = "every_line")]
    path: Option<PathBuf>,
    #[command(flatten)]
    suite: MakeSuite,
    /// Experience files with values of the moves and positions in a table or a Polyglot book; a .tabia book
    /// has its own experience
    #[arg(long, value_name = "FILE", num_args = 1..)]
    experience: Vec<PathBuf>,
    #[command(flatten)]
    refining: RefiningArgs,
    #[command(flatten)]
    run: TableRunArgs,
}

/// The suite that `--refine` names has its openings already. Every argument that chooses openings is
/// therefore made to conflict with `--refine`.
fn refines_nothing(arg: Arg) -> Arg {
    let refines = matches!(arg.get_help_heading(), Some("Refining" | "Running"));
    if refines || arg.get_id() == "output" { arg } else { arg.conflicts_with("refine") }
}

/// Flags for refining a suite by the results of games played from its openings.
#[derive(Args)]
#[command(next_help_heading = "Refining")]
struct RefiningArgs {
    /// Refine this suite, an EPD or FEN file: keep the openings whose match results are within the limits
    #[arg(long, value_name = "FILE", requires = "games")]
    refine: Option<PathBuf>,
    /// The games of the matches, as PGN in any form that `count` reads; two games of an opening with colours
    /// reversed are a pair
    #[arg(long, value_name = "PGN", num_args = 1..)]
    games: Vec<String>,
    /// Only games for which this is true, such as "WhiteElo > 3000 and Event = 'test'"
    #[arg(id = "where", long = "where", value_name = "EXPR")]
    only: Option<Where>,
    #[command(flatten)]
    rules: RefineRules,
}

impl RefiningArgs {
    /// Returns the games to read, and the stage that uses their results to refine `suite`.
    fn stage(&self, suite: &Path, output: &Path) -> (Games, RefineSuite) {
        let counting = CountingOptions { max_ply: 0, from_position: true, ..CountingOptions::default() };
        let filters = Filters { expression: self.only.clone(), ..Filters::default() };
        let replay = Replay { options: ReplayOptions { counting, filters }, ..Replay::default() };
        let read = ReadGames { paths: self.games.clone(), ..ReadGames::default() };
        let (refine, output, rules) = (suite.to_owned(), output.to_owned(), self.rules.clone());
        (Games { read, replay }, RefineSuite { output, refine, rules })
    }
}

/// `tabia suite`.
pub(crate) fn suite(args: &SuiteArgs) -> anyhow::Result<()> {
    let SuiteArgs { path, suite, experience, refining, run } = args;
    if let Some(old) = &refining.refine {
        let (games, refine) = refining.stage(old, &suite.output);
        return execute(&builtin::refine_suite(games, refine, run.limits()), run);
    }
    if !refining.games.is_empty() || refining.only.is_some() || refining.rules.are_given() {
        bail!(Usage("--games, --where and the settings of matches need --refine SUITE".into()));
    }
    execute(&builtin::suite(path.clone(), experience, suite.clone(), run.limits()), run)
}

#[cfg(test)]
mod tests {
    use clap::Command;

    use super::*;

    #[test]
    fn what_chooses_openings_refines_no_suite() {
        let suite = SuiteArgs::augment_args(Command::new("suite"));
        let choice = MakeSuite::augment_args(Command::new("choice"));
        let chooses = |arg: &&Arg| choice.get_arguments().any(|other| other.get_id() == arg.get_id());
        let is_refine = |other: &&Arg| other.get_id() == "refine";
        let refines = |arg: &&Arg| !suite.get_arg_conflicts_with(arg).iter().any(is_refine);
        let names: Vec<_> = suite.get_arguments().filter(chooses).filter(refines).map(Arg::get_id).collect();
        assert_eq!(names, ["output"]);
    }
}
