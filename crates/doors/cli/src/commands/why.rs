//! `tabia why`: where each number of a move came from.

use std::io::{self, Write};

use anyhow::bail;
use pipeline::StartPosition;
use query::{Artefact, Why};

use super::known::values;
use crate::{
    args::WhyArgs,
    exit::Usage,
    format::{counted, percent},
    terminal::{self, in_line},
};

/// `tabia why`.
pub(crate) fn why(args: &WhyArgs) -> anyhow::Result<()> {
    // Move numbers are kept, because the line is read with them.
    let mut words: Vec<&str> = args.moves.iter().flat_map(|text| text.split_whitespace()).collect();
    let Some(last) = words.pop() else {
        bail!(Usage("the last argument is the move that is explained".into()));
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
