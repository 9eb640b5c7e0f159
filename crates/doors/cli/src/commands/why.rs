//! `tabia why`: shows where each number for a move came from.

use std::{
    io::{self, Write},
    path::PathBuf,
};

use anyhow::bail;
use clap::Args;
use pipeline::StartPosition;
use query::{Artefact, Why};

use crate::{
    exit::Usage,
    format::{counted, known::values, percent},
    help::{Short, examples},
    terminal::{self, in_line},
};

#[derive(Args)]
#[command(add = Short("line fen json"))]
#[command(after_help = examples("\
tabia why book.tabia e4 c5   where the numbers of 1.e4 c5 came from
tabia why book.tabia 1. e4 c5 2. Nf3 --json"))]
pub(crate) struct WhyArgs {
    /// A book
    book: PathBuf,
    /// The moves from the position, in SAN or UCI, with or without move numbers; the command explains the
    /// last of these moves
    #[arg(value_name = "MOVE", required = true)]
    moves: Vec<String>,
    #[command(flatten)]
    position: StartPosition,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// `tabia why`.
pub(crate) fn why(args: &WhyArgs) -> anyhow::Result<()> {
    // Move numbers may stay in the line, because the parser of lines accepts them.
    let mut words: Vec<&str> = args.moves.iter().flat_map(|text| text.split_whitespace()).collect();
    let Some(last) = words.pop() else {
        bail!(Usage("the last argument must be the move to explain".into()));
    };
    let line = args.position.line.iter().map(String::as_str).chain(words).collect::<Vec<_>>().join(" ");
    let position = StartPosition { fen: args.position.fen.clone(), line: Some(line) }.position()?;
    let mv = last.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    let why = query::why(&Artefact::open(&args.book)?, &position, mv)?;
    let mut out = terminal::stdout();
    Ok(if args.json { out.json(&why) } else { write_why(&mut out, &why) }?)
}

fn write_why(out: &mut impl Write, why: &Why) -> io::Result<()> {
    writeln!(out, "{} ({})", why.san, why.uci)?;
    let keeps = if why.counted.keeps.is_empty() { "every move".into() } else { in_line(&why.counted.keeps) };
    match why.tally {
        None => writeln!(out, "  not a move of the book, which keeps {keeps}")?,
        Some(tally) => {
            let share = |part| percent(part, tally.games());
            let (white, draws, black) = (share(tally.white), share(tally.draws), share(tally.black));
            let games = counted(tally.games(), "game", "games");
            let sources = why.counted.sources.join(", ");
            let sources = in_line(&sources);
            writeln!(out, "  {games}: White {white}, drawn {draws}, Black {black}; counted from {sources}")?;
        }
    }
    for known in &why.known {
        let about = if known.kind == "book" { String::new() } else { format!("{}: ", known.kind) };
        for value in values(known) {
            writeln!(out, "  {about}{value}")?;
        }
    }
    if why.known.is_empty() {
        writeln!(out, "  nothing was learned about it or set for it")?;
    }
    Ok(())
}
