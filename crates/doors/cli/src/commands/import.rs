//! `tabia import …`.

use std::{ffi::OsString, path::PathBuf};

use books::{
    import::{import_abk, import_ctg},
    json::import_json,
};
use clap::{Args, Subcommand};

use crate::{
    args::{BookRunArgs, ValuesRunArgs},
    execute::{run_and_report, write_experience},
    exit::Usage,
    help::{Short, examples},
};

#[derive(Subcommand)]
pub(crate) enum Import {
    /// Import an Arena book: as a table of its games, or as a book with its moves and priorities
    #[command(add = Short("output force"))]
    #[command(after_help = examples("\
tabia import abk Perfect2021.abk -o perfect.tabia   its moves; priorities become values set by hand
tabia import abk games.abk -o games.table   a table of its games and results

An ABK without wins and losses has no results to count: make a book from it."))]
    Abk(ImportBookArgs),
    /// Import a ChessBase book: as a table of its games, or as a book with its moves, annotations and
    /// recommendations
    #[command(add = Short("output force"))]
    #[command(after_help = examples("\
tabia import ctg book.ctg -o book.tabia   its moves, with annotations and recommendations
tabia import ctg book.ctg -o book.table   a table of its games and results

Only the .ctg file is read; the .cto and .ctb files are not needed."))]
    Ctg(ImportBookArgs),
    /// Import a `.tabia` or a Polyglot book from the JSON lines that `export json` writes; the same text
    /// gives the same book
    Json(ImportJsonArgs),
    /// Import the CSV that `export csv` writes from an experience file; the same text gives the same file
    Csv(ImportCsvArgs),
    /// A format that cannot be imported, or need not be.
    #[command(external_subcommand)]
    Other(Vec<OsString>),
}

#[derive(Args)]
pub(crate) struct ImportBookArgs {
    /// The book to import
    file: PathBuf,
    /// What to write: NAME.table for a table of counts, or NAME.tabia for a book with marks
    #[arg(short, long, value_name = "TABLE|BOOK", help_heading = "Outputs")]
    output: PathBuf,
    #[command(flatten)]
    run: BookRunArgs,
}

#[derive(Args)]
#[command(add = Short("output force"))]
#[command(after_help = examples("\
tabia import json book.jsonl -o book.tabia
tabia import json - -o b.tabia < changed.jsonl   after `tabia export json a.tabia | jq -c …`
tabia import json weights.jsonl -o book.bin   from the text of a Polyglot book"))]
pub(crate) struct ImportJsonArgs {
    /// The text file to read; `-` is standard input
    #[arg(value_name = "FILE")]
    text: PathBuf,
    /// The book to write: a `.tabia` book or a Polyglot book (.bin), whichever the text describes
    #[arg(short, long, value_name = "BOOK", help_heading = "Outputs")]
    output: PathBuf,
    #[command(flatten)]
    run: BookRunArgs,
}

#[derive(Args)]
#[command(add = Short("output force"))]
#[command(after_help = examples("\
tabia export csv x.experience.parquet -o x.csv
tabia import csv x.csv -o y.experience.parquet   after an editor changed it"))]
pub(crate) struct ImportCsvArgs {
    /// The text file to read; `-` is standard input
    #[arg(value_name = "FILE")]
    text: PathBuf,
    /// The experience file to write
    #[arg(short, long, value_name = "FILE", help_heading = "Outputs")]
    output: PathBuf,
    #[command(flatten)]
    run: ValuesRunArgs,
}

/// `tabia import …`.
pub(crate) fn import(format: &Import) -> anyhow::Result<()> {
    match format {
        Import::Abk(args) => {
            run_and_report(&args.run, |options| import_abk(&args.file, &args.output, &options))
        }
        Import::Ctg(args) => {
            run_and_report(&args.run, |options| import_ctg(&args.file, &args.output, &options))
        }
        Import::Json(args) => {
            run_and_report(&args.run, |options| import_json(&args.text, &args.output, &options))
        }
        Import::Csv(args) => write_experience(&args.run, &[&args.text], &args.output, |job| {
            experience::import_csv(&args.text, &args.output, job)
        }),
        Import::Other(words) => Err(Usage(other(words)).into()),
    }
}

/// Explains why a format cannot be imported, or why it needs no import.
fn other(words: &[OsString]) -> String {
    let format = words.first().map(|word| word.to_string_lossy()).unwrap_or_default();
    let what = match format.to_lowercase().as_str() {
        "exp" => {
            "what an engine learned (EXP) is experience, not a book: read it with `tabia learn exp experience.exp -o \
             x.experience.parquet`"
        }
        "bin" | "polyglot" => {
            "a Polyglot book (BIN) needs no import: use it with any command that reads books (probe, merge, dump, export, uci, \
             serve)"
        }
        "pgn" => {
            "PGN is not a book yet: make one from games with `tabia build GAMES -o BOOK`, or from the lines of a \
             repertoire with `--repertoire` added"
        }
        _ => "is not a format that can be imported: abk, csv, ctg, json (`tabia import --help`)",
    };
    if what.starts_with("is") { format!("`{format}` {what}") } else { what.into() }
}
