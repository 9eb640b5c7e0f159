//! The commands. Each file defines one command, or several of one kind: the arguments, the examples and the
//! functions that run the commands. These functions turn the arguments into recipes or calls, and print the
//! results.

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

pub(crate) use self::completions::ASKED;
use crate::help::{LazyArgs, Short, examples};

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

/// The definition of the command line. Calling `build` on it also defines the arguments of all commands.
pub(crate) fn command() -> clap::Command {
    Tabia::command()
}

/// Declares the commands: the help of each command, its arguments, and the function that runs it.
macro_rules! commands {
    ($($(#[$help:meta])* $name:ident($arguments:ty): $run:path,)*) => {
        #[derive(Subcommand)]
        pub(crate) enum Command {
            $($(#[$help])* $name(LazyArgs<$arguments>),)*
        }

        impl Command {
            /// Runs the command.
            pub(crate) fn run(&self) -> anyhow::Result<()> {
                match self {
                    $(Self::$name(LazyArgs(arguments)) => $run(arguments),)*
                }
            }
        }
    };
}

commands! {
    /// Build a book from PGN: count, merge and compact in one go
    Build(Box<build::BuildArgs>): build::build,
    /// Count games into a table
    Count(Box<count::CountArgs>): count::count,
    /// Merge tables, books or Polyglot books into a new one
    Merge(merge::MergeArgs): merge::merge,
    /// Count games and add them to a table
    #[command(add = Short("min-elo speed dedup-games rejects memory force"))]
    #[command(after_help = examples("\
tabia add games.table 2024-01.pgn.zst   counted as the table was
tabia add games.table other.table   all of another table"))]
    Add(Box<count::ChangeArgs>): count::add,
    /// Subtract the games of PGN files from a table
    #[command(add = Short("min-elo speed where rejects memory"))]
    #[command(after_help = examples("\
tabia subtract games.table cheaters.pgn
tabia subtract games.table games.pgn --where 'Event =~ \"Casual\"'   take some games out again"))]
    Subtract(Box<count::ChangeArgs>): count::subtract,
    /// Count on several machines, in steps that an engine such as Apache Spark runs
    #[command(subcommand)]
    Cluster(cluster::Cluster): cluster::cluster,
    /// Learn from Crafty's records, an engine's own games or annotated lines, or set values by hand
    #[command(subcommand)]
    Learn(learn::Learn): learn::learn,
    /// Show, merge, compare, age and clear what was learned
    #[command(subcommand)]
    Experience(experience::ExperienceCommand): experience::experience,
    /// Compact a table into a book
    Compact(compact::CompactArgs): compact::compact,
    /// Write a book, a table or games in another format
    #[command(subcommand)]
    Export(export::Export): export::export,
    /// Make a table or a book from a book in another format: ABK, CTG, JSON
    #[command(subcommand)]
    Import(import::Import): import::import,
    /// Copy games that match the filters to a file, unchanged, and optionally all other games to a second
    /// file
    Filter(Box<filter::FilterArgs>): filter::filter,
    /// Draw the opening tree and the results of each group on one HTML page
    Report(report::ReportArgs): report::report,
    /// Choose openings for engine tests, as EPD, FEN or PGN
    Suite(Box<suite::SuiteArgs>): suite::suite,
    /// Check a repertoire for holes, choices, repetitions, worse moves and dead ends
    Check(check::CheckArgs): check::check,
    /// Find where a player's games left a book: who left it, and what the book plays there
    Review(Box<review::ReviewArgs>): review::review,
    /// Make an edited copy of a book: add, drop, weight, mark or forbid lines; prune or rename the book
    Edit(edit::EditArgs): edit::edit,
    /// Compare two tables, books or Polyglot books, move by move
    Diff(diff::DiffArgs): diff::diff,
    /// Look up a position in a book, a table, an experience file or a Polyglot book
    Probe(probe::ProbeArgs): probe::probe,
    /// Draw a move at random according to a policy
    Pick(pick::PickArgs): pick::pick,
    /// List the policies that choose moves, or the settings of one
    Policies(policies::PoliciesArgs): policies::policies,
    /// Walk through a book many times according to a policy, and list the lines that come up
    Simulate(simulate::SimulateArgs): simulate::simulate,
    /// Play as a UCI engine: a policy chooses moves from the book, and another engine plays the rest
    Uci(uci::UciArgs): uci::uci,
    /// Run a server through which engines share what they learn: it keeps their games and makes one
    /// experience file from them
    Exchange(Box<exchange::ExchangeArgs>): exchange::exchange,
    /// Serve books over HTTP: a page to explore them, and the API of Lichess's opening explorer
    Serve(serve::ServeArgs): serve::serve,
    /// Show where the numbers for a move in a book came from
    Why(why::WhyArgs): why::why,
    /// Print SQL for DuckDB or Spark: macros for keys and moves, and views over an export or a table
    Sql(sql::SqlArgs): sql::sql,
    /// List the lines of a Polyglot book, as polyglot dump-book does
    Dump(dump::DumpArgs): dump::dump,
    /// Describe a book, a table, an experience file or a Polyglot book
    Info(describe::InfoArgs): describe::info,
    /// Check that a book, a table, an experience file or a Polyglot book is sound
    Verify(describe::VerifyArgs): describe::verify,
    /// Run a recipe
    Run(recipes::RecipeArgs): recipes::run,
    /// Print a diagram of what a recipe would do, without doing it
    Plan(recipes::PlanArgs): recipes::plan,
    /// Print a shell script that completes tabia's commands, flags and values
    Completions(completions::CompletionsArgs): completions::completions,
    /// Write the manual: a man page for each command, or a single page of Markdown
    Manual(manual::ManualArgs): manual::manual,
}
