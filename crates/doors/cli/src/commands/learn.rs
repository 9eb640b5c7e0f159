//! `tabia learn`.

use std::path::{Path, PathBuf};

use clap::{Arg, Args, Subcommand};
use count::{KeptMoves, kept_moves_of};
use experience::{CraftyExport, KeptMovesOf, SetOptions, Setting, SettingsSource, SourceBook};
use pipeline::recipe::{Plan, builtin};
use run::{FileFormat, SamePath, check_paths};
use strum::VariantArray as _;
use teach::{ExpFiles, ExpLayout, LearnAnnotations, LearnCrafty, LearnEngine, LearnEvals, LearnGames};

use crate::{
    args::{
        BookSideArgs, ExpRunArgs, MEMORY_OF_RECORDS, RunArgs, SearchesRunArgs, ValuesRunArgs, WholeGameArgs,
        one_of, with_help,
    },
    execute::{execute, execute_plan, write_experience, write_rows},
    help::{Short, examples},
};

#[derive(Subcommand)]
#[command(after_help = examples("tabia learn set --line \"e4 c5\" --value 75 -o x.experience.parquet"))]
pub(crate) enum Learn {
    /// Replay Crafty's records (book.lrn, position.lrn) over the book made from a table
    Crafty(Box<LearnCraftyArgs>),
    /// Learn from an engine's own games
    Games(Box<LearnGamesArgs>),
    /// Read the marks in annotated lines (! ? !! ?? !? ?!) as values set by hand
    Annotations(Box<LearnAnnotationsArgs>),
    /// Take values from lists of evaluated positions and moves: Lichess's list, EPD, CSV or Parquet
    Evals(Box<LearnEvalsArgs>),
    /// Have a UCI engine search the positions of a book
    Engine(Box<LearnEngineArgs>),
    /// Import an engine's experience file (experience.exp of BrainLearn, ShashChess, SugaR or HypnoS)
    Exp(LearnExpArgs),
    /// Set values for moves by hand
    Set(LearnSetArgs),
    /// Write learned values in the formats of other programs
    #[command(subcommand)]
    Export(LearnExport),
}

/// The experience file to write, and the one to continue from.
#[derive(Args)]
#[command(next_help_heading = "Outputs")]
pub(crate) struct ExperienceArgs {
    /// The experience file to write
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Continue from this experience file
    #[arg(long = "continue", value_name = "FILE")]
    old: Option<PathBuf>,
}

#[derive(Args)]
#[command(add = Short("output table continue min-games own-player family dedup rejects force"))]
#[command(after_help = examples("\
tabia learn crafty *.lrn --table games.table -o x.experience.parquet
tabia learn crafty new.lrn --table games.table --continue x.experience.parquet -o y.experience.parquet"))]
#[command(mut_arg("output", |output| output.required(true)))]
pub(crate) struct LearnCraftyArgs {
    #[command(flatten)]
    learn: LearnCrafty,
    /// The table; the records are replayed over the book that is made from this table
    #[arg(long, value_name = "DIR")]
    table: PathBuf,
    #[command(flatten)]
    run: RunArgs,
}

#[derive(Args)]
#[command(add = Short("output table player continue rule search family min-games rejects force"))]
#[command(after_help = examples("\
tabia learn games own.pgn --player MyEngine --table games.table -o x.experience.parquet
tabia learn games own.pgn --player MyEngine --table games.table --rule terra -o x.experience.parquet"))]
#[command(mut_arg("output", |output| output.required(true)))]
pub(crate) struct LearnGamesArgs {
    #[command(flatten)]
    games: WholeGameArgs,
    /// The table; the book used in the games was made from this table
    #[arg(long, value_name = "DIR")]
    table: PathBuf,
    #[command(flatten)]
    learn: LearnGames,
    #[command(flatten)]
    book_side: BookSideArgs,
    #[command(flatten)]
    run: RunArgs,
}

#[derive(Args)]
#[command(add = Short("output continue where since from-position rejects force"))]
#[command(after_help = examples("tabia learn annotations lines.pgn -o x.experience.parquet   the marks ! and ? as values"))]
#[command(mut_arg("output", |output| output.required(true)))]
pub(crate) struct LearnAnnotationsArgs {
    #[command(flatten)]
    games: WholeGameArgs,
    /// Read the lines of a repertoire: marks in variations count too, and lines need no tags
    #[arg(long, help_heading = "Which games count")]
    repertoire: bool,
    #[command(flatten)]
    learn: LearnAnnotations,
    #[command(flatten)]
    run: RunArgs,
}

#[derive(Args)]
#[command(add = Short("output table book continue rejects memory force"))]
#[command(after_help = examples("\
tabia learn evals lichess_db_eval.jsonl.zst -o evals.experience.parquet
tabia learn evals lichess_db_eval.jsonl.zst --book book.tabia -o evals.experience.parquet
tabia learn evals analysed.epd values.csv -o evals.experience.parquet"))]
#[command(mut_arg("output", |output| output.required(true)))]
pub(crate) struct LearnEvalsArgs {
    #[command(flatten)]
    learn: LearnEvals,
    /// Only positions in this table
    #[arg(long, value_name = "DIR", help_heading = "Which positions")]
    table: Option<PathBuf>,
    /// Only positions in this book
    #[arg(long, value_name = "FILE", help_heading = "Which positions", conflicts_with = "table")]
    book: Option<PathBuf>,
    #[command(flatten)]
    run: RunArgs,
}

#[derive(Args)]
#[command(add = Short("engine nodes depth moves jobs output resume min-games plies unknown-only experience force"))]
#[command(after_help = examples("\
tabia learn engine book.tabia --engine stockfish --nodes 1M -o x.experience.parquet
tabia learn engine book.tabia --engine stockfish --nodes 1M -o x.experience.parquet --resume
tabia learn engine book.tabia --engine stockfish --depth 20 --moves -o x.experience.parquet"))]
#[command(mut_arg("output", |output| output.required(true)))]
#[command(mut_arg("unknown_only", |flag| flag.requires("known")))]
#[command(group = clap::ArgGroup::new("known").args(["experience", "continue"]).multiple(true))]
pub(crate) struct LearnEngineArgs {
    /// The book whose positions are searched
    book: PathBuf,
    #[command(flatten)]
    learn: LearnEngine,
    /// Experience files in which --unknown-only looks for evaluations
    #[arg(long, value_name = "FILE", num_args = 1.., help_heading = "Which positions", requires = "unknown_only")]
    experience: Vec<PathBuf>,
    /// Continue the searches of an interrupted run of the same command
    #[arg(long, help_heading = "Running")]
    resume: bool,
    #[command(flatten)]
    run: SearchesRunArgs,
}

#[derive(Args)]
#[command(add = Short("line fen value priority from continue output force"))]
#[command(after_help = examples("\
tabia learn set --line \"1. e4 c5\" --value 75 -o x.experience.parquet
tabia learn set --line \"e4 f6\" --value ? --continue x.experience.parquet -o y.experience.parquet
tabia learn set --from values.txt -o x.experience.parquet   one line per move: `e4 c5: 75, priority 4`"))]
pub(crate) struct LearnSetArgs {
    /// The moves of the line, in SAN or UCI, with or without move numbers; the value is set for the last one
    #[arg(long, value_name = "MOVES", required_unless_present = "from")]
    line: Option<String>,
    /// The position where lines begin [default: the start position]
    #[arg(long)]
    fen: Option<String>,
    /// The value: 0 to 100, a mark (! ? !! ?? !? ?!), or `clear`
    #[arg(long, value_name = "VALUE", allow_hyphen_values = true)]
    #[arg(required_unless_present_any = ["priority", "from"])]
    value: Option<String>,
    /// Lokasoft's priority, 0 (never) to 5 (best)
    #[arg(long, value_name = "0-5")]
    priority: Option<u8>,
    /// Set the values in this file instead, one move per line: `e4 c5: 75, priority 4`
    #[arg(long, value_name = "FILE", conflicts_with_all = ["line", "value", "priority"])]
    from: Option<PathBuf>,
    #[command(flatten)]
    experience: ExperienceArgs,
    #[command(flatten)]
    run: ValuesRunArgs,
}

#[derive(Args)]
#[command(add = Short("output continue force"))]
#[command(after_help = examples("\
tabia learn exp experience.exp experience0.exp -o x.experience.parquet
tabia learn exp experience.exp --continue x.experience.parquet -o y.experience.parquet"))]
#[command(mut_args(with_help("memory", MEMORY_OF_RECORDS)))]
pub(crate) struct LearnExpArgs {
    /// Experience files of engines, in any known layout
    #[arg(required = true, value_name = "EXP")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    experience: ExperienceArgs,
    #[command(flatten)]
    run: ExpRunArgs,
}

#[derive(Args)]
#[command(add = Short("output layout force"))]
#[command(after_help = examples("\
tabia learn export exp x.experience.parquet -o experience.exp
tabia learn export exp x.experience.parquet --layout sugar-v2 -o HypnoS.exp"))]
pub(crate) struct LearnExportExpArgs {
    /// The experience file
    file: PathBuf,
    /// The file to write; `-` is standard output
    #[arg(short, long, value_name = "FILE", help_heading = "Outputs")]
    output: PathBuf,
    /// The layout of the file: that of BrainLearn, ShashChess and Alexander, or that of SugaR and HypnoS
    #[arg(long, default_value = "brainlearn", value_parser = one_of(ExpLayout::VARIANTS))]
    layout: ExpLayout,
    #[command(flatten)]
    run: ValuesRunArgs,
}

#[derive(Subcommand)]
#[command(after_help = examples("tabia learn export crafty x.experience.parquet -o book.lrn"))]
pub(crate) enum LearnExport {
    /// Learned lines in the layout of Crafty's book.lrn, or learned positions in the layout of its
    /// position.lrn
    Crafty(Box<LearnExportCraftyArgs>),
    /// Evaluations in the layout of experience.exp, a file that engines such as BrainLearn and SugaR read
    Exp(LearnExportExpArgs),
}

/// The settings that choose a book's moves are made to require `--table`, because they choose from the moves
/// of that table.
fn of_table(arg: Arg) -> Arg {
    let keeps = ["min_games", "min_score", "min_share", "color", "top"].contains(&arg.get_id().as_str());
    if keeps { arg.requires("table") } else { arg }
}

#[derive(Args)]
#[command(add = Short("output as positions table min-games force"))]
#[command(after_help = examples("\
tabia learn export crafty x.experience.parquet -o book.lrn
tabia learn export crafty x.experience.parquet --table games.table --as 15.17 -o book.lrn"))]
#[command(mut_args(of_table))]
pub(crate) struct LearnExportCraftyArgs {
    /// The experience file
    file: PathBuf,
    /// The file to write; `-` is standard output
    #[arg(short, long, value_name = "FILE", help_heading = "Outputs")]
    output: PathBuf,
    /// The version of Crafty to name in the records, from 14.4 to 20.16; programs that read the records learn
    /// by the rules of that version
    #[arg(long = "as", value_name = "VERSION", default_value = "15.17")]
    version: String,
    /// Write what was learned about positions, in the layout of position.lrn; this is always done if the file
    /// has no learned moves
    #[arg(long, conflicts_with = "table")]
    positions: bool,
    /// The table that was used when the values were learned; with this table and the same book filters,
    /// learning from the written records gives the same values again
    #[arg(long, value_name = "DIR")]
    table: Option<PathBuf>,
    #[command(flatten)]
    book: KeptMoves,
    #[command(flatten)]
    run: ValuesRunArgs,
}

/// `tabia learn …`.
pub(crate) fn learn(teacher: &Learn) -> anyhow::Result<()> {
    match teacher {
        Learn::Crafty(args) => {
            let (table, learn) = (args.table.clone(), args.learn.clone());
            execute(&builtin::learn_crafty(table, learn, args.run.limits()), &args.run)
        }
        Learn::Games(args) => games(args),
        Learn::Annotations(args) => {
            let (mut games, learn) = (args.games.games(), args.learn.clone());
            games.replay.options.counting.repertoire = args.repertoire;
            execute(&builtin::learn_annotations(games, learn, args.run.limits()), &args.run)
        }
        Learn::Evals(args) => {
            let (only, learn) = (args.table.clone().or_else(|| args.book.clone()), args.learn.clone());
            execute(&builtin::learn_evals(only, learn, args.run.limits()), &args.run)
        }
        Learn::Engine(args) => {
            let LearnEngineArgs { book, learn, experience, resume, run } = &**args;
            let recipe = builtin::learn_engine(book.clone(), experience, learn.clone(), run.limits());
            execute_plan(&Plan::new(&recipe)?, run, learn.files.output.clone().filter(|_| *resume))
        }
        Learn::Exp(args) => exp(args),
        Learn::Set(args) => set(args),
        Learn::Export(LearnExport::Crafty(args)) => export(args),
        Learn::Export(LearnExport::Exp(args)) => export_exp(args),
    }
}

fn games(args: &LearnGamesArgs) -> anyhow::Result<()> {
    let (table, mut learn) = (args.table.clone(), args.learn.clone());
    args.book_side.set_side(&mut learn.book, args.games.names_a_player())?;
    execute(&builtin::learn_games(args.games.games(), table, learn, args.run.limits()), &args.run)
}

fn exp(args: &LearnExpArgs) -> anyhow::Result<()> {
    let ExperienceArgs { output, old } = &args.experience;
    let memory_bytes = args.run.limits().memory_bytes();
    let files = ExpFiles { paths: args.files.clone(), old: old.clone(), memory_bytes };
    let read: Vec<&Path> = args.files.iter().map(AsRef::as_ref).collect();
    check_paths(&read, &[(output, FileFormat::Experience)], SamePath::Refused)?;
    let old: Vec<&Path> = old.as_deref().into_iter().collect();
    write_experience(&args.run, &old, output, |job| teach::learn_exp(&files, output, job))
}

fn export_exp(args: &LearnExportExpArgs) -> anyhow::Result<()> {
    check_paths(&[&*args.file], &[(&args.output, FileFormat::Exp)], SamePath::Refused)?;
    write_rows(&args.run, &args.output, |job| teach::export_exp(&args.file, args.layout, &args.output, job))
}

fn set(args: &LearnSetArgs) -> anyhow::Result<()> {
    let one = Setting {
        line: args.line.clone().unwrap_or_default(),
        value: args.value.clone(),
        priority: args.priority,
    };
    let options = SetOptions {
        fen: args.fen.clone(),
        settings: args.from.clone().map_or(SettingsSource::One(one), SettingsSource::From),
        old: args.experience.old.clone(),
    };
    let output = &args.experience.output;
    if let Some(list) = &args.from {
        check_paths(&[list], &[(output, FileFormat::Experience)], SamePath::Refused)?;
    }
    let old: Vec<&Path> = options.old.as_deref().into_iter().collect();
    write_experience(&args.run, &old, output, |job| experience::set(&options, output, job))
}

fn export(args: &LearnExportCraftyArgs) -> anyhow::Result<()> {
    let export =
        CraftyExport { file: args.file.clone(), version: args.version.clone(), positions: args.positions };
    let read: Vec<&Path> =
        [Some(&args.file), args.table.as_ref()].into_iter().flatten().map(AsRef::as_ref).collect();
    check_paths(&read, &[(&args.output, FileFormat::Learned)], SamePath::Refused)?;
    let kept_moves: &KeptMovesOf<'_> = &|table, keys| kept_moves_of(table, &args.book, keys);
    write_rows(&args.run, &args.output, |job| {
        let book = args.table.as_deref().map(|table| SourceBook { table, kept_moves });
        experience::export_crafty(&export, book, &args.output, job)
    })
}
