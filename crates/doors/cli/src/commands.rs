//! The commands. Each file has the arguments of one command, its examples, and the function that turns them
//! into a recipe or a call and prints the result; commands of one kind share a file.

mod build;
mod check;
mod cluster;
mod compact;
mod completions;
mod count;
mod describe;
mod diff;
mod dump;
mod edit;
mod exchange;
mod experience;
mod export;
mod filter;
mod import;
mod learn;
mod listening;
mod manual;
mod merge;
mod pick;
mod policies;
mod probe;
mod recipes;
mod report;
mod review;
mod serve;
mod simulate;
mod sql;
mod suite;
mod uci;
mod why;

use clap::{CommandFactory as _, Parser, Subcommand};
use pipeline::tables::TableChange;

pub(crate) use self::completions::ASKED;
use crate::help::{self, Short, examples};

/// Turns chess game dumps into opening books.
#[derive(Parser)]
#[command(name = "tabia", version, arg_required_else_help = true)]
#[command(after_help = examples("\
tabia build games.pgn.zst -o book.tabia   the main job
tabia build dump.pgn.zst --min-elo 2400 --min-games 5 -o book.tabia --polyglot book.bin
tabia probe book.tabia --line \"e4 e5\"   what the book knows
tabia count *.pgn.zst -o games.table   exact counts, kept
tabia filter *.pgn --dedup-games exact -o kept.pgn   each game once, as it is written
tabia compact games.table -o white.tabia --color white --min-games 10
tabia probe book.tabia --policy terra --explain   how a rule would choose, and why
tabia learn crafty *.lrn --table games.table -o x.experience.parquet   what Craftys learned

`tabia COMMAND -h` shows the flags that people use most, `tabia COMMAND --help` all of them.
Exit codes: 0 done, 1 failed, 2 wrong usage or recipe, 130 interrupted."))]
pub(crate) struct Tabia {
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// The command line with its short helps and completed words.
pub(crate) fn command() -> clap::Command {
    help::shortened(Tabia::command())
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Build a book from PGN: count, merge and compact in one go
    Build(Box<build::BuildArgs>),
    /// Count games into a table
    Count(Box<count::CountArgs>),
    /// Merge tables, books or Polyglot books into a new one
    Merge(merge::MergeArgs),
    /// Count games and add them to a table
    #[command(add = Short("min-elo speed dedup-games rejects memory force"))]
    #[command(after_help = examples("\
tabia add games.table 2024-01.pgn.zst   counted as the table was
tabia add games.table other.table   all of another table"))]
    Add(Box<count::ChangeArgs>),
    /// Take the games of PGN files out of a table again
    #[command(add = Short("min-elo speed where rejects memory"))]
    #[command(after_help = examples("\
tabia subtract games.table cheaters.pgn
tabia subtract games.table games.pgn --where 'Event =~ \"Casual\"'   take some games out again"))]
    Subtract(Box<count::ChangeArgs>),
    /// Count on several machines: the steps that an engine such as Apache Spark runs
    #[command(subcommand)]
    Cluster(cluster::Cluster),
    /// Learn from Crafty's learned PGN, own games, annotated lines, or by hand
    #[command(subcommand)]
    Learn(learn::Learn),
    /// Show, merge, compare, age and clear what was learned
    #[command(subcommand)]
    Experience(experience::ExperienceCommand),
    /// Compact a table into a book
    Compact(compact::CompactArgs),
    /// Write a book, a table or games in another format
    #[command(subcommand)]
    Export(export::Export),
    /// Make a table or a book of a book in another format: ABK, CTG, JSON
    #[command(subcommand)]
    Import(import::Import),
    /// Write games as they are in their files: those that count, without copies if asked for, and the others
    Filter(Box<filter::FilterArgs>),
    /// Draw the opening tree and results by group as one page to look at
    Report(report::ReportArgs),
    /// Choose openings for engine tests, as EPD, FEN or PGN
    Suite(Box<suite::SuiteArgs>),
    /// Check a repertoire: holes, choices, repetitions, worse moves, dead ends
    Check(check::CheckArgs),
    /// Find where a player's games left a book: who left it, and what the book plays there
    Review(Box<review::ReviewArgs>),
    /// Add, drop, weigh, mark and forbid lines of a book, prune and rename it, into a new book
    Edit(edit::EditArgs),
    /// Compare two tables, books or Polyglot books, move by move
    Diff(diff::DiffArgs),
    /// Show what a book, a table or a Polyglot book knows of a position
    Probe(probe::ProbeArgs),
    /// Draw a move by a policy
    Pick(pick::PickArgs),
    /// List the policies that choose moves, or the settings of one
    Policies(policies::PoliciesArgs),
    /// Walk a book many times by a policy, and list the lines that come up
    Simulate(simulate::SimulateArgs),
    /// Play UCI between a GUI and an engine: book moves by a policy, the rest by the engine
    Uci(uci::UciArgs),
    /// Share what engines learn: a server that keeps their games and makes one experience of them
    Exchange(Box<exchange::ExchangeArgs>),
    /// Serve books over HTTP: a page to explore them, and the API of Lichess's opening explorer
    Serve(serve::ServeArgs),
    /// Show where each number of a book's move came from
    Why(why::WhyArgs),
    /// Print macros of SQL for keys and moves, and views over an export or a table, for DuckDB or Spark
    Sql(sql::SqlArgs),
    /// List the lines of a Polyglot book, as polyglot dump-book does
    Dump(dump::DumpArgs),
    /// Describe a book, a table, an experience file or a Polyglot book
    Info(describe::InfoArgs),
    /// Check a book, a table, an experience file or a Polyglot book
    Verify(describe::VerifyArgs),
    /// Run a recipe
    Run(recipes::RecipeArgs),
    /// Draw what a recipe would do, without doing it
    Plan(recipes::PlanArgs),
    /// Print the script that completes the words of tabia in a shell
    Completions(completions::CompletionsArgs),
    /// Write the manual: a page a command for man, or one page of Markdown
    Manual(manual::ManualArgs),
}

impl Command {
    /// Runs the command.
    pub(crate) fn run(&self) -> anyhow::Result<()> {
        match self {
            Self::Build(args) => build::build(args),
            Self::Count(args) => count::count(args),
            Self::Merge(args) => merge::merge(args),
            Self::Add(args) => count::change(args, TableChange::Add),
            Self::Subtract(args) => count::change(args, TableChange::Subtract),
            Self::Cluster(part) => cluster::cluster(part),
            Self::Learn(teacher) => learn::learn(teacher),
            Self::Experience(what) => experience::experience(what),
            Self::Compact(args) => compact::compact(args),
            Self::Export(format) => export::export(format),
            Self::Import(format) => import::import(format),
            Self::Filter(args) => filter::filter(args),
            Self::Report(args) => report::report(args),
            Self::Suite(args) => suite::suite(args),
            Self::Check(args) => check::check(args),
            Self::Review(args) => review::review(args),
            Self::Edit(args) => edit::edit(args),
            Self::Diff(args) => diff::diff(args),
            Self::Probe(args) => probe::probe(args),
            Self::Pick(args) => pick::pick(args),
            Self::Policies(args) => policies::policies(args),
            Self::Simulate(args) => simulate::simulate(args),
            Self::Uci(args) => uci::uci(args),
            Self::Exchange(args) => exchange::exchange(args),
            Self::Serve(args) => serve::serve(args),
            Self::Why(args) => why::why(args),
            Self::Sql(args) => sql::sql(args),
            Self::Dump(args) => dump::dump(args),
            Self::Info(args) => describe::info(args),
            Self::Verify(args) => describe::verify(args),
            Self::Run(args) => recipes::run(args),
            Self::Plan(args) => recipes::plan(args),
            Self::Completions(args) => completions::completions(args),
            Self::Manual(args) => manual::manual(args),
        }
    }
}
