//! `tabia info` describes files, and `tabia verify` checks them.

use std::{
    io::Write,
    path::{Path, PathBuf},
};

use anyhow::bail;
use clap::Args;
use indicatif::HumanBytes;
use query::{Artefact, Fact, Verification};
use run::Limits;
use serde_json::json;

use crate::{
    exit,
    format::{counted, grouped},
    help::{Short, examples},
    signal,
    terminal::{self, in_line},
};

#[derive(Args)]
#[command(add = Short("json"))]
#[command(after_help = examples("tabia info book.tabia games.table book.bin"))]
pub(crate) struct InfoArgs {
    /// Books, tables, experience files or Polyglot books
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Print one JSON object per file
    #[arg(long)]
    json: bool,
}

#[derive(Args)]
#[command(add = Short("json threads"))]
#[command(after_help = examples("\
tabia verify book.tabia games.table
tabia verify --json *.table   one JSON object per table"))]
pub(crate) struct VerifyArgs {
    /// Books, tables, experience files or Polyglot books
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Worker threads [default: one per core]
    #[arg(short = 'j', long, value_name = "N")]
    threads: Option<usize>,
    /// Print one JSON object per file, even for a file that is not sound
    #[arg(long)]
    json: bool,
}

/// `tabia info`.
pub(crate) fn info(args: &InfoArgs) -> anyhow::Result<()> {
    each_file(&args.files, |file| {
        let info = Artefact::ask(file, query::info)?;
        let mut out = terminal::stdout();
        if args.json {
            return Ok(out.json_line(&info)?);
        }
        writeln!(out, "{}", in_line(&file.display().to_string()))?;
        for fact in &info.facts {
            writeln!(out, "  {:18} {}", fact.name, in_line(&readable(fact)))?;
        }
        Ok(())
    })
}

/// `tabia verify`.
pub(crate) fn verify(args: &VerifyArgs) -> anyhow::Result<()> {
    let interrupt = signal::interrupt_flag()?;
    let threads = Limits { threads: args.threads, ..Limits::default() }.threads();
    each_file(&args.files, |file| {
        let verified = Artefact::ask(file, |artefact| query::verify(artefact, threads, &interrupt));
        if args.json {
            return print_verdict(file, verified.map_err(Into::into));
        }
        let sound = checked(verified?);
        Ok(writeln!(terminal::stdout(), "{}: sound ({sound})", in_line(&file.display().to_string()))?)
    })
}

/// Prints as JSON whether a file is sound, and returns an error if it is not.
fn print_verdict(file: &Path, verified: anyhow::Result<Verification>) -> anyhow::Result<()> {
    let file = file.display().to_string();
    match verified {
        Ok(verified) => {
            let checked = serde_json::to_value(verified)?;
            Ok(terminal::stdout().json_line(&json!({ "file": file, "sound": true, "checked": checked }))?)
        }
        Err(error) if exit::concerns_all(&error) => Err(error),
        Err(error) => {
            let why = error.to_string();
            terminal::stdout().json_line(&json!({ "file": file, "sound": false, "error": why }))?;
            Err(error)
        }
    }
}

/// Describes what was checked.
fn checked(verified: Verification) -> String {
    match verified {
        Verification::Book { positions, moves } => {
            [counted(positions, "position", "positions"), counted(moves, "move", "moves")].join(", ")
        }
        Verification::Polyglot { positions, moves, checksum } => {
            let what = if checksum {
                "order, count and checksum checked"
            } else {
                "order checked, it has no checksum"
            };
            let positions = counted(positions, "position", "positions");
            let moves = counted(moves, "move", "moves");
            format!("{positions}, {moves}; {what}")
        }
        Verification::Table { edges, shards } => {
            [counted(edges, "edge", "edges"), counted(shards, "shard", "shards")].join(" in ")
        }
        Verification::Experience { rows } => counted(rows, "row", "rows"),
    }
}

/// Formats a fact for people, with digits in groups of three. A size in bytes is also shown in a unit such as
/// MiB.
fn readable(fact: &Fact) -> String {
    match fact.value.parse() {
        Ok(bytes) if fact.name == "bytes" => format!("{} ({})", grouped(bytes), HumanBytes(bytes)),
        Ok(number) => grouped(number),
        // These facts consist of a number and words chosen by this program. Other facts may quote names from
        // files, and the digits in a name must not be changed.
        Err(_) if ["experience", "copies left out"].contains(&fact.name) => {
            let digits = fact.value.find(|c: char| !c.is_ascii_digit()).unwrap_or(fact.value.len());
            let (number, words) = fact.value.split_at(digits);
            number.parse().map_or_else(|_| fact.value.clone(), |number| grouped(number) + words)
        }
        Err(_) => fact.value.clone(),
    }
}

/// Calls `work` for every file. After an error that concerns only one file, the remaining files are still
/// read.
fn each_file(files: &[PathBuf], work: impl Fn(&Path) -> anyhow::Result<()>) -> anyhow::Result<()> {
    if let [file] = files {
        return work(file);
    }
    let mut failed = 0;
    for file in files {
        match work(file) {
            Err(error) if exit::concerns_all(&error) => return Err(error),
            Err(error) => {
                exit::print(error);
                failed += 1;
            }
            Ok(()) => {}
        }
    }
    if failed == 0 { Ok(()) } else { bail!("{failed} of {} files failed", files.len()) }
}
