//! The command line, as clap reads it.

mod book;
mod choosing;
mod experience;
mod games;
mod learn;
mod report;
mod run;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

pub(crate) use book::{BookArgs, WeightArgs};
pub(crate) use choosing::{PickArgs, PoliciesArgs, PositionArgs, ProbePolicyArgs, SimulateArgs};
pub(crate) use experience::{
    ExperienceClearArgs, ExperienceCommand, ExperienceCommandArgs, ExperienceDiffArgs, ExperienceShowArgs,
};
pub(crate) use games::{FilterArgs, GameArgs};
pub(crate) use learn::{Learn, LearnArgs, LearnExport, LearnSetArgs, RecordArgs, TeachingGameArgs};
pub(crate) use report::ReportArgs;
pub(crate) use run::RunArgs;

const EXAMPLES: &str = "\
Examples:
  tabia build games.pgn.zst -o book.tabia                       the main job
  tabia build dump.pgn.zst --min-elo 2400 --min-games 5 -o book.tabia --polyglot book.bin
  tabia probe book.tabia --line \"e4 e5\"                         what the book knows
  tabia count *.pgn.zst -o games.table                          exact counts, kept
  tabia compact games.table -o white.tabia --color white --min-games 10
  tabia probe book.tabia --policy terra --explain               how a rule would choose, and why
  tabia learn crafty *.lrn --table games.table -o x.experience.parquet   what Craftys learned

Exit codes: 0 done, 1 failed, 2 wrong usage or recipe, 130 interrupted.";

/// Turns chess game dumps into opening books.
#[derive(Parser)]
#[command(name = "tabia", version, after_help = EXAMPLES, arg_required_else_help = true)]
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
    /// Add tables up into a new one
    Merge(MergeArgs),
    /// Count games and add them to a table
    Add(Box<ChangeArgs>),
    /// Take the games of PGN files out of a table again
    Subtract(Box<ChangeArgs>),
    /// Learn from Crafty's learned PGN, own games, annotated lines, or by hand
    Learn(LearnArgs),
    /// Show, merge, compare, age and clear what was learned
    Experience(ExperienceCommandArgs),
    /// Compact a table into a book
    Compact(CompactArgs),
    /// Write a book, a table or games in another format
    Export(ExportArgs),
    /// Draw the opening tree and results by group as one page to look at
    Report(ReportArgs),
    /// Show what a book, a table or a Polyglot book knows of a position
    Probe(ProbeArgs),
    /// Draw a move by a policy
    Pick(PickArgs),
    /// List the policies that choose moves, or the settings of one
    Policies(PoliciesArgs),
    /// Walk a book many times by a policy, and tell which lines come up
    Simulate(SimulateArgs),
    /// Tell where each number of a book's move came from
    Why(WhyArgs),
    /// Describe a book, a table, an experience file or a Polyglot book
    Info(InfoArgs),
    /// Check a book, a table, an experience file or a Polyglot book
    Verify(VerifyArgs),
    /// Run a recipe
    Run(RecipeArgs),
    /// Draw what a recipe would do, without doing it
    Plan(PlanArgs),
}

#[derive(Args)]
pub(crate) struct BuildArgs {
    #[command(flatten)]
    pub(crate) games: GameArgs,
    /// The book to write
    #[arg(short, long, value_name = "BOOK", help_heading = "Outputs")]
    pub(crate) output: PathBuf,
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
    pub(crate) weight: WeightArgs,
    /// Crafty's learned PGN to replay over the book: files, folders or globs
    #[arg(long, value_name = "LRN", num_args = 1.., help_heading = "How records are understood")]
    pub(crate) learn: Vec<String>,
    #[command(flatten)]
    pub(crate) records: RecordArgs,
    /// Which side's moves the book keeps
    #[arg(long, value_name = "white|black", help_heading = "What the book keeps")]
    pub(crate) book_color: Option<String>,
    #[command(flatten)]
    pub(crate) book: BookArgs,
    #[command(flatten)]
    pub(crate) run: RunArgs,
}

#[derive(Args)]
pub(crate) struct CountArgs {
    #[command(flatten)]
    pub(crate) games: GameArgs,
    /// The table to write
    #[arg(short, long, value_name = "DIR", help_heading = "Outputs")]
    pub(crate) output: PathBuf,
    #[command(flatten)]
    pub(crate) run: RunArgs,
}

#[derive(Args)]
pub(crate) struct MergeArgs {
    /// The tables to add up
    #[arg(required = true, value_name = "TABLE")]
    pub(crate) tables: Vec<PathBuf>,
    /// The table to write
    #[arg(short, long, value_name = "DIR", help_heading = "Outputs")]
    pub(crate) output: PathBuf,
    /// Sum over groups first, so that tables grouped differently agree
    #[arg(long)]
    pub(crate) drop_groups: bool,
    #[command(flatten)]
    pub(crate) run: RunArgs,
}

#[derive(Args)]
pub(crate) struct ChangeArgs {
    /// The table to change
    pub(crate) table: PathBuf,
    #[command(flatten)]
    pub(crate) games: AddedGameArgs,
    #[command(flatten)]
    pub(crate) run: RunArgs,
}

/// Games for a table that exists: how they are counted is the table's.
#[derive(Args)]
pub(crate) struct AddedGameArgs {
    /// PGN files, folders or globs, or one table; `-` is standard input
    #[arg(required = true, value_name = "PGN")]
    pub(crate) paths: Vec<String>,
    /// Stop after so many games, in input order
    #[arg(long, value_name = "N")]
    pub(crate) limit: Option<u64>,
    #[command(flatten)]
    pub(crate) filters: FilterArgs,
}

#[derive(Args)]
pub(crate) struct CompactArgs {
    /// The table
    pub(crate) table: PathBuf,
    /// Experience files to lay over it, the last one the newest
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub(crate) experience: Vec<PathBuf>,
    /// The book to write
    #[arg(short, long, value_name = "BOOK", help_heading = "Outputs")]
    pub(crate) output: PathBuf,
    /// Which side's moves the book keeps
    #[arg(long, value_name = "white|black", help_heading = "What the book keeps")]
    pub(crate) color: Option<String>,
    #[command(flatten)]
    pub(crate) book: BookArgs,
    #[command(flatten)]
    pub(crate) run: RunArgs,
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
    /// Readable Parquet of a table or book: every move with SAN and score, every position with its FEN
    Parquet(ExportParquetArgs),
    /// Readable Parquet of games: one typed row a game
    Games(Box<ExportGamesArgs>),
}

#[derive(Args)]
pub(crate) struct ExportPolyglotArgs {
    /// The book
    pub(crate) book: PathBuf,
    /// The Polyglot book to write
    #[arg(short, long, value_name = "FILE", help_heading = "Outputs")]
    pub(crate) output: PathBuf,
    #[command(flatten)]
    pub(crate) weight: WeightArgs,
    #[command(flatten)]
    pub(crate) run: RunArgs,
}

#[derive(Args)]
pub(crate) struct ExportParquetArgs {
    /// A table or a book
    pub(crate) input: PathBuf,
    /// The folder to write
    #[arg(short, long, value_name = "DIR", help_heading = "Outputs")]
    pub(crate) output: PathBuf,
    /// Experience files whose values go beside a table's moves; a book has its own
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub(crate) experience: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) columns: ColumnArgs,
    /// A folder of moves for each month, as Hive lays them out; for tables counted --by month
    #[arg(long)]
    pub(crate) month_folders: bool,
    /// Names of openings: a TSV of eco, name and pgn [default: the bundled catalogue]
    #[arg(long, value_name = "TSV")]
    pub(crate) openings: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) run: RunArgs,
}

/// How columns are written.
#[derive(Args)]
pub(crate) struct ColumnArgs {
    /// How keys are written: u64, or i64 for Spark and Iceberg
    #[arg(long, value_name = "u64|i64", default_value = "u64")]
    pub(crate) key_type: String,
    /// Columns to leave out
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    pub(crate) without: Vec<String>,
}

#[derive(Args)]
pub(crate) struct ExportGamesArgs {
    #[command(flatten)]
    pub(crate) games: TeachingGameArgs,
    /// The folder to write
    #[arg(short, long, value_name = "DIR", help_heading = "Outputs")]
    pub(crate) output: PathBuf,
    #[command(flatten)]
    pub(crate) columns: ColumnArgs,
    /// How moves are written: uci, or packed as Polyglot packs them
    #[arg(long, value_name = "uci|packed", default_value = "uci")]
    pub(crate) moves: String,
    /// Games of a part file
    #[arg(long, value_name = "N", default_value_t = 1_048_576)]
    pub(crate) games_a_part: u64,
    #[command(flatten)]
    pub(crate) run: RunArgs,
}

#[derive(Args)]
pub(crate) struct ProbeArgs {
    /// A book, a table, an experience file or a Polyglot book
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) position: PositionArgs,
    #[command(flatten)]
    pub(crate) choosing: ProbePolicyArgs,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args)]
pub(crate) struct WhyArgs {
    /// A book
    pub(crate) book: PathBuf,
    /// The move, in SAN or UCI
    #[arg(value_name = "MOVE")]
    pub(crate) mv: String,
    /// The position; the start position if not given
    #[arg(long)]
    pub(crate) fen: Option<String>,
    /// Moves from there: "e4 e5" or "1. e4 e5"
    #[arg(long)]
    pub(crate) line: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
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
}

#[derive(Args)]
pub(crate) struct RecipeArgs {
    /// The recipe, a TOML file
    pub(crate) recipe: PathBuf,
    #[command(flatten)]
    pub(crate) run: RunArgs,
}

#[derive(Args)]
pub(crate) struct PlanArgs {
    /// The recipe, a TOML file
    pub(crate) recipe: PathBuf,
}
