//! `tabia dump`: prints a Polyglot book as lines.

use std::{
    io::{self, Write},
    path::PathBuf,
};

use clap::Args;
use count::Side;
use query::{Artefact, Dump, DumpedLine, RawEntry};
use shakmaty::Color;

use crate::{
    format::counted,
    help::{Short, examples},
    terminal::{self, EscapingWriter, Stdout, in_line},
};

#[derive(Args)]
#[command(add = Short("color json"))]
#[command(after_help = examples("\
tabia dump book.bin   lines for White, lines for Black, and entries on no line
tabia dump book.bin --color black --json > lines.jsonl"))]
pub(crate) struct DumpArgs {
    /// The Polyglot book
    book: PathBuf,
    /// List only this side's lines; without this flag, list the lines of both sides, then the entries that no
    /// line contains
    #[arg(long, value_name = "white|black")]
    color: Option<Side>,
    /// Print one JSON object per line or entry
    #[arg(long)]
    json: bool,
}

/// Prints lines and entries to standard output, as text or as JSON.
struct Printer {
    out: EscapingWriter<Stdout>,
    is_json: bool,
}

/// `tabia dump`.
pub(crate) fn dump(args: &DumpArgs) -> anyhow::Result<()> {
    let artefact = Artefact::open(&args.book)?;
    let mut dump = Dump::of(artefact.polyglot()?)?;
    let mut printer = Printer { out: terminal::stdout(), is_json: args.json };
    let book = args.book.display().to_string();
    let asked = args.color.map(|side| Color::from_white(side == Side::White));
    for side in Color::ALL.into_iter().filter(|side| asked.is_none_or(|asked| asked == *side)) {
        printer.title(&book, side)?;
        dump.lines(side, |line| Ok::<_, anyhow::Error>(printer.line(line)?))?;
    }
    if asked.is_none() {
        printer.others(&dump)?;
    }
    Ok(())
}

impl Printer {
    fn title(&mut self, book: &str, side: Color) -> io::Result<()> {
        if self.is_json {
            return Ok(());
        }
        writeln!(self.out, "Dump of \"{}\" for {}.", in_line(book), side.fold_wb("white", "black"))
    }

    fn line(&mut self, line: &DumpedLine) -> io::Result<()> {
        if self.is_json { self.out.json_line(line) } else { writeln!(self.out, "{line}") }
    }

    /// Prints the entries that are on no line and, in text form, a count of them.
    fn others(&mut self, dump: &Dump<'_>) -> anyhow::Result<()> {
        let (mut positions, mut entries, mut last) = (0, 0, String::new());
        dump.others(|entry| {
            positions += u64::from(last != entry.key);
            last.clone_from(&entry.key);
            entries += 1;
            Ok::<_, anyhow::Error>(self.entry(entry, entries)?)
        })?;
        if !self.is_json {
            let positions = counted(positions, "position", "positions");
            let entries = counted(entries, "entry", "entries");
            writeln!(self.out, "In no line: {entries} of {positions}.")?;
        }
        Ok(())
    }

    fn entry(&mut self, entry: &RawEntry, number: u64) -> io::Result<()> {
        if self.is_json {
            return self.out.json_line(entry);
        }
        if number == 1 {
            writeln!(self.out, "Entries in no line: key, move, weight, learn.")?;
        }
        writeln!(self.out, "{entry}")
    }
}
