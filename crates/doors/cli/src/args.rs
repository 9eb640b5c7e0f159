//! The command line, as clap reads it.

mod abk;
mod check;
mod choosing;
mod cluster;
mod diff;
mod dump;
mod edit;
mod exchange;
mod experience;
mod games;
mod help;
mod import;
mod json;
mod learn;
mod lines;
mod merge;
mod named;
mod run;
mod serve;
mod suite;
mod uci;

use std::path::PathBuf;

use ::games::{ReadGames, Replay};
use clap::{Arg, Args, Parser, Subcommand, ValueEnum};
use count::{KeptMoves, Side, Sorting};
use pgn::replay::{Fen, Line};
use pipeline::{
    StartPosition,
    recipe::builtin::Games,
    stages::{Compact, ExportGames, ExportParquet, ExportPolyglot, Open, Report, Weighing, WriteGames},
};
use teach::RecordOptions;

pub(crate) use abk::ExportAbkArgs;
pub(crate) use check::CheckArgs;
pub(crate) use choosing::{PickArgs, PoliciesArgs, ProbePolicyArgs, SimulateArgs};
pub(crate) use cluster::{
    Cluster, ClusterArgs, ClusterCommitArgs, ClusterMapArgs, ClusterMergeArgs, ClusterPlanArgs,
    ClusterReduceArgs, SettingsArgs,
};
pub(crate) use diff::DiffArgs;
pub(crate) use dump::DumpArgs;
pub(crate) use edit::EditArgs;
pub(crate) use exchange::ExchangeArgs;
pub(crate) use experience::{
    ExperienceClearArgs, ExperienceCommand, ExperienceCommandArgs, ExperienceDiffArgs, ExperienceShowArgs,
};
pub(crate) use games::{AddedGameArgs, WholeGameArgs};
pub(crate) use help::{command, examples};
pub(crate) use import::{Import, ImportArgs};
pub(crate) use json::ExportJsonArgs;
pub(crate) use learn::{Learn, LearnArgs, LearnExport, LearnGamesArgs, LearnSetArgs};
pub(crate) use lines::{ExportPgnArgs, LinesArgs};
pub(crate) use merge::MergeArgs;
pub(crate) use run::{
    OfChange, OfCommit, OfDiff, OfGames, OfLines, OfPage, OfTable, OfValues, Part, ResumeArgs, RunArgs,
    SharedCountFlags,
};
pub(crate) use serve::ServeArgs;
pub(crate) use suite::SuiteArgs;
pub(crate) use uci::UciArgs;

/// Turns chess game dumps into opening books.
#[derive(Parser)]
#[command(name = "tabia", version, arg_required_else_help = true)]
pub(crate) struct Tabia {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Build a book from PGN: count, merge and compact in one go
    Build(Box<BuildArgs>),
    /// Count games into a table
    Count(Box<CountArgs>),
    /// Merge tables, books or Polyglot books into a new one
    Merge(MergeArgs),
    /// Count games and add them to a table
    Add(Box<ChangeArgs>),
    /// Take the games of PGN files out of a table again
    Subtract(Box<ChangeArgs>),
    /// Count on several machines: the steps that an engine such as Apache Spark runs
    Cluster(ClusterArgs),
    /// Learn from Crafty's learned PGN, own games, annotated lines, or by hand
    Learn(LearnArgs),
    /// Show, merge, compare, age and clear what was learned
    Experience(ExperienceCommandArgs),
    /// Compact a table into a book
    Compact(CompactArgs),
    /// Write a book, a table or games in another format
    Export(ExportArgs),
    /// Make a table or a book of a book in another format: ABK, CTG, JSON
    Import(ImportArgs),
    /// Write games as they are in their files: those that count, without copies if asked for, and the others
    Filter(Box<FilterArgs>),
    /// Draw the opening tree and results by group as one page to look at
    Report(ReportArgs),
    /// Choose openings for engine tests, as EPD, FEN or PGN
    Suite(Box<SuiteArgs>),
    /// Check a repertoire: holes, choices, repetitions, worse moves, dead ends
    Check(CheckArgs),
    /// Add, drop, weigh, mark and forbid lines of a book, prune and rename it, into a new book
    Edit(EditArgs),
    /// Compare two tables, books or Polyglot books, move by move
    Diff(DiffArgs),
    /// Show what a book, a table or a Polyglot book knows of a position
    Probe(ProbeArgs),
    /// Draw a move by a policy
    Pick(PickArgs),
    /// List the policies that choose moves, or the settings of one
    Policies(PoliciesArgs),
    /// Walk a book many times by a policy, and list the lines that come up
    Simulate(SimulateArgs),
    /// Play UCI between a GUI and an engine: book moves by a policy, the rest by the engine
    Uci(UciArgs),
    /// Share what engines learn: a server that keeps their games and makes one experience of them
    Exchange(Box<ExchangeArgs>),
    /// Serve books over HTTP: a page to explore them, and the API of Lichess's opening explorer
    Serve(ServeArgs),
    /// Show where each number of a book's move came from
    Why(WhyArgs),
    /// Print DuckDB's macros for keys and moves, and views over an export or a table
    Sql(SqlArgs),
    /// List the lines of a Polyglot book, as polyglot dump-book does
    Dump(DumpArgs),
    /// Describe a book, a table, an experience file or a Polyglot book
    Info(InfoArgs),
    /// Check a book, a table, an experience file or a Polyglot book
    Verify(VerifyArgs),
    /// Run a recipe
    Run(RecipeArgs),
    /// Draw what a recipe would do, without doing it
    Plan(PlanArgs),
    /// Print the script that completes the words of tabia in a shell
    Completions(CompletionsArgs),
    /// Write the manual: a page a command for man, or one page of Markdown
    Manual(ManualArgs),
}

/// Flags of the Polyglot book, and of records, do something only where that book or records are asked for.
fn of_other_outputs(arg: Arg) -> Arg {
    match arg.get_id().as_str() {
        "weight" | "counts_only" | "drop_unscored" | "policy" | "settings" | "learn_field" | "header" => {
            arg.requires("polyglot")
        }
        "family" | "own_player" | "dedup" | "result_records" => arg.requires("learn"),
        "from_start" => arg.requires("line"),
        _ => arg,
    }
}

#[derive(Args)]
#[command(mut_args(of_other_outputs))]
pub(crate) struct BuildArgs {
    #[command(flatten)]
    pub(crate) read: ReadGames,
    #[command(flatten)]
    pub(crate) replay: Replay,
    #[command(flatten)]
    pub(crate) sorting: Sorting,
    #[command(flatten)]
    pub(crate) book: Compact,
    #[command(flatten)]
    pub(crate) book_side: BookSideArgs,
    /// Keep the table too
    #[arg(long, value_name = "DIR", help_heading = "Outputs")]
    pub(crate) table: Option<PathBuf>,
    /// Write a Polyglot book too
    #[arg(long, value_name = "FILE", help_heading = "Outputs")]
    pub(crate) polyglot: Option<PathBuf>,
    /// Write readable Parquet of all counts too
    #[arg(long, value_name = "DIR", help_heading = "Outputs")]
    pub(crate) parquet: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) weighing: Weighing,
    /// Crafty's learned PGN to replay over the book: files, folders or globs
    #[arg(long, value_name = "LRN", num_args = 1.., help_heading = "How records are understood")]
    pub(crate) learn: Vec<String>,
    #[command(flatten)]
    pub(crate) records: RecordOptions,
    #[command(flatten)]
    pub(crate) resume: ResumeArgs,
    #[command(flatten)]
    pub(crate) run: RunArgs,
}

/// The side the book plays, by its former name, for commands that also name a player.
#[derive(Args)]
pub(crate) struct BookSideArgs {
    /// Which side's moves the book keeps
    #[arg(long, value_name = "white|black", hide = true, conflicts_with = "color")]
    pub(crate) book_color: Option<Side>,
}

#[derive(Args)]
pub(crate) struct CountArgs {
    #[command(flatten)]
    pub(crate) read: ReadGames,
    #[command(flatten)]
    pub(crate) replay: Replay,
    /// The table to write
    #[arg(short, long, value_name = "DIR", help_heading = "Outputs")]
    pub(crate) output: PathBuf,
    #[command(flatten)]
    pub(crate) sorting: Sorting,
    #[command(flatten)]
    pub(crate) resume: ResumeArgs,
    #[command(flatten)]
    pub(crate) run: RunArgs,
}

impl CountArgs {
    pub(crate) fn games(&self) -> Games {
        Games { read: self.read.clone(), replay: self.replay.clone() }
    }
}

#[derive(Args)]
pub(crate) struct ChangeArgs {
    /// The table to change
    pub(crate) table: PathBuf,
    #[command(flatten)]
    pub(crate) games: AddedGameArgs,
    #[command(flatten)]
    pub(crate) run: Part<OfChange>,
}

#[derive(Args)]
pub(crate) struct CompactArgs {
    /// The table
    pub(crate) table: PathBuf,
    /// Experience files to add to it, the newest last
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub(crate) experience: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) book: Compact,
    #[command(flatten)]
    pub(crate) run: Part<OfTable>,
}

#[derive(Args)]
pub(crate) struct ExportArgs {
    #[command(subcommand)]
    pub(crate) what: Export,
}

#[derive(Subcommand)]
pub(crate) enum Export {
    /// A Polyglot book, which most engines and GUIs read
    Polyglot(ExportPolyglotArgs),
    /// An Arena book (ABK) of the lines of a book or a table; `import abk` reads it back
    Abk(ExportAbkArgs),
    /// A `.tabia` or Polyglot book as JSON lines, all it holds: for jq and scripts; `import json` reads them
    Json(ExportJsonArgs),
    /// Readable Parquet of a table or book: every move with SAN and score, every position with its FEN
    Parquet(ExportParquetArgs),
    /// Readable Parquet of games: one typed row a game
    Games(Box<ExportGamesArgs>),
    /// The lines of a book as games of PGN: one with variations, or one a line
    Pgn(ExportPgnArgs),
    /// The positions of a book's lines as EPD
    Epd(LinesArgs),
    /// The moves of a book's lines as rows of a spreadsheet
    Csv(LinesArgs),
}

#[derive(Args)]
pub(crate) struct ExportPolyglotArgs {
    /// A book, or a table
    #[arg(value_name = "FILE")]
    pub(crate) input: PathBuf,
    #[command(flatten)]
    pub(crate) polyglot: ExportPolyglot,
    /// Of a table only: what its book would keep.
    #[command(flatten)]
    pub(crate) keep: KeptMoves,
    #[command(flatten)]
    pub(crate) run: Part<OfTable>,
}

#[derive(Args)]
pub(crate) struct ExportParquetArgs {
    #[command(flatten)]
    pub(crate) input: Open,
    #[command(flatten)]
    pub(crate) parquet: ExportParquet,
    /// Experience files whose values go beside a table's moves; a book has its own
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub(crate) experience: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) run: Part<OfTable>,
}

#[derive(Args)]
pub(crate) struct ExportGamesArgs {
    #[command(flatten)]
    pub(crate) games: WholeGameArgs,
    #[command(flatten)]
    pub(crate) rows: ExportGames,
    #[command(flatten)]
    pub(crate) run: Part<OfGames>,
}

#[derive(Args)]
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
    pub(crate) files: WriteGames,
    #[command(flatten)]
    pub(crate) run: Part<OfGames>,
}

impl FilterArgs {
    pub(crate) fn games(&self) -> Games {
        let mut games = self.games.games();
        let counting = &mut games.replay.options.counting;
        (counting.line, counting.fen) = (self.line.clone(), self.fen.clone());
        games
    }
}

#[derive(Args)]
pub(crate) struct ReportArgs {
    #[command(flatten)]
    pub(crate) input: Open,
    #[command(flatten)]
    pub(crate) report: Report,
    /// Experience files whose values are shown beside a table's moves; a book has its own
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub(crate) experience: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) run: Part<OfPage>,
}

#[derive(Args)]
pub(crate) struct ProbeArgs {
    /// A book, a table, an experience file or a Polyglot book
    pub(crate) file: PathBuf,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) position: StartPosition,
    #[command(flatten)]
    pub(crate) choosing: ProbePolicyArgs,
}

#[derive(Args)]
pub(crate) struct WhyArgs {
    /// A book
    pub(crate) book: PathBuf,
    /// The moves from the position on, in SAN or UCI, with or without move numbers; the last one is explained
    #[arg(value_name = "MOVE", required = true)]
    pub(crate) moves: Vec<String>,
    #[command(flatten)]
    pub(crate) position: StartPosition,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args)]
pub(crate) struct SqlArgs {
    /// The folder of an export or a table; without it, the macros alone
    #[arg(value_name = "EXPORT|TABLE")]
    pub(crate) folder: Option<PathBuf>,
}

#[derive(Args)]
pub(crate) struct InfoArgs {
    /// Books, tables, experience files or Polyglot books
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Print one JSON object a file
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args)]
pub(crate) struct VerifyArgs {
    /// Books, tables, experience files or Polyglot books
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Worker threads [default: one a core]
    #[arg(short = 'j', long, value_name = "N")]
    pub(crate) threads: Option<usize>,
    /// Print one JSON object a file, also of a file that is not sound
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args)]
pub(crate) struct RecipeArgs {
    /// The recipe, a TOML file
    pub(crate) recipe: PathBuf,
    /// Take the recipe's count from this table, which machines made of the recipe (tabia cluster)
    #[arg(long, value_name = "TABLE")]
    pub(crate) counted: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) run: RunArgs,
}

#[derive(Args)]
pub(crate) struct PlanArgs {
    /// The recipe, a TOML file
    pub(crate) recipe: PathBuf,
}

#[derive(Args)]
pub(crate) struct CompletionsArgs {
    /// The shell
    pub(crate) shell: Shell,
}

/// A shell whose words can be completed.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Shell {
    Bash,
    Zsh,
    Fish,
}

#[derive(Args)]
pub(crate) struct ManualArgs {
    /// How it is written: pages for man in a folder, or one page of Markdown
    #[arg(long, value_name = "FORMAT", default_value = "man")]
    pub(crate) format: ManualFormat,
    /// The folder or the page to write
    #[arg(short, long, value_name = "PATH", help_heading = "Outputs")]
    pub(crate) output: PathBuf,
    /// Replace pages that exist
    #[arg(short, long, help_heading = "Outputs")]
    pub(crate) force: bool,
}

/// How the manual is written.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum ManualFormat {
    Man,
    Markdown,
}
