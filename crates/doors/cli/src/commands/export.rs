//! `tabia export …`.

mod lines;

use std::path::PathBuf;

use books::{
    abk::{UnfoldOptions, export_abk},
    json::export_json,
};
use clap::{Args, Subcommand, value_parser};
use count::KeptMoves;
use craft::LinesFormat;
use pipeline::{
    recipe::{Recipe, builtin},
    stages::{ExportGames, ExportParquet, ExportPolyglot, Open},
};
use query::Artefact;

use self::lines::{ExportPgnArgs, LinesArgs, export_lines};
use crate::{
    args::{
        ArenaRunArgs, GamesRunArgs, MEMORY_OF_LINES, TableRunArgs, TextRunArgs, WholeGameArgs, with_help,
    },
    execute::{execute, refuse_two_on_stdout, run_and_report},
    exit::Usage,
    help::{Short, examples},
};

#[derive(Subcommand)]
#[command(after_help = examples("tabia export polyglot book.tabia -o book.bin"))]
pub(crate) enum Export {
    /// A Polyglot book, which most engines and GUIs read
    Polyglot(ExportPolyglotArgs),
    /// An Arena book (ABK) with the lines of a book or a table; `import abk` reads it back
    Abk(ExportAbkArgs),
    /// Everything in a `.tabia` or Polyglot book, as JSON lines for jq and scripts; `import json` reads them
    /// back
    Json(ExportJsonArgs),
    /// A table or book as Parquet for queries: every move with SAN and score, every position with its FEN
    Parquet(ExportParquetArgs),
    /// Games as Parquet, with one typed row per game
    Games(Box<ExportGamesArgs>),
    /// The lines of a book as PGN: a single game with variations, or one game per line
    Pgn(ExportPgnArgs),
    /// The positions of a book's lines as EPD
    #[command(add = Short("output line max-ply min-games min-share lines force"))]
    #[command(after_help = examples("tabia export epd book.tabia -o positions.epd --min-games 50"))]
    Epd(LinesArgs),
    /// The moves of a book's lines, or a whole experience file, as CSV for spreadsheets
    #[command(add = Short("output line max-ply min-games min-share lines force"))]
    #[command(after_help = examples("\
tabia export csv book.tabia -o book.csv --max-ply 20   one row per move, for spreadsheets
tabia export csv x.experience.parquet -o x.csv   all that an experience file has; `import csv` reads it"))]
    Csv(LinesArgs),
}

/// `tabia export …`.
pub(crate) fn export(what: &Export) -> anyhow::Result<()> {
    match what {
        Export::Polyglot(args) => execute(&polyglot(args)?, &args.run),
        Export::Abk(args) => abk(args),
        Export::Json(args) => json(args),
        Export::Parquet(args) => {
            let (input, parquet) = (args.input.path.clone(), args.parquet.clone());
            let recipe = builtin::export_parquet(input, &args.experience, parquet, args.run.limits());
            execute(&recipe, &args.run)
        }
        Export::Games(args) => {
            let (games, rows) = (args.games.games(), args.rows.clone());
            execute(&builtin::export_games(games, rows, args.run.limits()), &args.run)
        }
        Export::Pgn(args) => export_lines(&args.lines, LinesFormat::Pgn(args.games)),
        Export::Epd(args) => export_lines(args, LinesFormat::Epd),
        Export::Csv(args) => export_lines(args, LinesFormat::Csv),
    }
}

#[derive(Args)]
#[command(add = Short("output weight policy set counts-only drop-unscored learn-field header force"))]
#[command(after_help = examples("\
tabia export polyglot book.tabia -o book.bin
tabia export polyglot book.tabia --policy crafty -o crafty.bin   weighted by what a policy plays
tabia export polyglot book.tabia --header -o book.bin   with a header that says where the book is from"))]
pub(crate) struct ExportPolyglotArgs {
    /// A book or a table
    #[arg(value_name = "FILE")]
    input: PathBuf,
    #[command(flatten)]
    polyglot: ExportPolyglot,
    /// For a table only: which moves its book would keep.
    #[command(flatten)]
    keep: KeptMoves,
    #[command(flatten)]
    run: TableRunArgs,
}

/// Returns the recipe for `tabia export polyglot`. If the input is a table, the recipe first makes a book
/// from the table.
fn polyglot(args: &ExportPolyglotArgs) -> Result<Recipe, Usage> {
    let ExportPolyglotArgs { input, polyglot, keep, run } = args;
    let (path, keeps) = (input.clone(), keep.describe());
    if matches!(Artefact::open(input), Ok(Artefact::Table(_))) {
        return Ok(builtin::export_polyglot_of_table(path, keep.clone(), polyglot.clone(), run.limits()));
    }
    if !keeps.is_empty() {
        let path = path.display();
        let text = format!(
            "{path} is not a table, and only a table can be filtered ({keeps}): name the table instead"
        );
        return Err(Usage(text));
    }
    Ok(builtin::export_polyglot(path, polyglot.clone(), run.limits()))
}

#[derive(Args)]
#[command(add = Short("output max-ply min-games max-records author force"))]
#[command(after_help = examples("\
tabia export abk book.tabia -o book.abk
tabia export abk games.table -o games.abk --min-games 10 --max-ply 24
tabia export abk book.tabia -o small.abk --max-records 20000 --author \"Ada\""))]
#[command(mut_args(with_help("memory", MEMORY_OF_LINES)), mut_args(with_help("strict", STRICT)))]
pub(crate) struct ExportAbkArgs {
    /// A book or a table
    file: PathBuf,
    /// The Arena book to write
    #[arg(short, long, value_name = "FILE", help_heading = "Outputs")]
    output: PathBuf,
    /// End lines after N plies
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = value_parser!(u32).range(1..=999))]
    max_ply: u32,
    /// Only moves played in at least N games
    #[arg(long, value_name = "N", default_value_t = 1)]
    min_games: u64,
    /// The maximum number of records, 28 bytes each; the lines that come up most often are kept
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = value_parser!(u64).range(1..=RECORDS_MAX))]
    max_records: u64,
    /// Where a line transposes into a more frequent line, also write the moves that follow there, up to N
    /// plies deep, because Arena looks up moves by the line played
    #[arg(long, value_name = "N", default_value_t = 0)]
    repeat_plies: u32,
    /// The author of the book, shown by Arena
    #[arg(long, value_name = "NAME", default_value = "", hide_default_value = true)]
    author: String,
    #[command(flatten)]
    run: ArenaRunArgs,
}

/// What `--strict` does.
const STRICT: &str = "Write nothing and fail (exit 1) if a move has to be left out for lack of room";

/// The maximum value of `--max-records`. No GUI opens a file of more than 50 million records.
const RECORDS_MAX: u64 = 50_000_000;

impl ExportAbkArgs {
    /// Collects the options for the export.
    fn options(&self) -> UnfoldOptions {
        let Self { max_ply, min_games, max_records, repeat_plies, ref author, .. } = *self;
        UnfoldOptions { max_ply, min_games, max_records, repeat_plies, author: author.clone() }
    }
}

/// `tabia export abk`.
fn abk(args: &ExportAbkArgs) -> anyhow::Result<()> {
    let write = |options| export_abk(&args.file, &args.output, &args.options(), &args.run.limits(), &options);
    run_and_report(&args.run, write)
}

#[derive(Args)]
#[command(add = Short("output memory force"))]
#[command(after_help = examples("\
tabia export json book.tabia > book.jsonl
tabia export json book.tabia -o book.jsonl --memory 4GiB
tabia export json book.bin | grep 463b96181691fc9c   the first moves of a Polyglot book"))]
pub(crate) struct ExportJsonArgs {
    /// The book, a `.tabia` or a Polyglot book
    book: PathBuf,
    /// The text file to write; `-` is standard output
    #[arg(short, long, value_name = "FILE", default_value = "-", help_heading = "Outputs")]
    output: PathBuf,
    #[command(flatten)]
    run: TextRunArgs,
}

/// `tabia export json`.
fn json(args: &ExportJsonArgs) -> anyhow::Result<()> {
    let ExportJsonArgs { book, output, run } = args;
    refuse_two_on_stdout([output.clone()].into_iter(), run)?;
    let write = |options| export_json(book, output, &run.limits(), options);
    run_and_report(run, write)
}

#[derive(Args)]
#[command(add = Short("output key-type without month-folders experience memory threads force"))]
#[command(after_help = examples("\
tabia export parquet games.table -o games   folders moves, positions and openings
tabia export parquet book.tabia -o book --key-type i64   for Spark"))]
pub(crate) struct ExportParquetArgs {
    #[command(flatten)]
    input: Open,
    #[command(flatten)]
    parquet: ExportParquet,
    /// For a table only: experience files whose values are exported with the table's moves; a book is
    /// exported with its own experience
    #[arg(long, value_name = "FILE", num_args = 1..)]
    experience: Vec<PathBuf>,
    #[command(flatten)]
    run: TableRunArgs,
}

#[derive(Args)]
#[command(add = Short("output moves observations without min-elo since player dedup-games limit rejects force"))]
#[command(after_help = examples("\
tabia export games games.pgn.zst -o games   one typed row per game
tabia export games games.pgn --observations -o games   one row per move too
tabia export games games.pgn --without moves,clocks -o games"))]
pub(crate) struct ExportGamesArgs {
    #[command(flatten)]
    games: WholeGameArgs,
    #[command(flatten)]
    rows: ExportGames,
    #[command(flatten)]
    run: GamesRunArgs,
}
