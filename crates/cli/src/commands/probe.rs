//! `tabia probe`: a position's moves as a table of text or as JSON.

use std::io::{self, Write};

use pipeline::inspect::{self, Probe, ProbedMove};
use position::Tally;

use crate::{
    args::ProbeArgs,
    format::{counted, grouped, percent},
};

/// `tabia probe`.
pub(crate) fn probe(args: &ProbeArgs) -> anyhow::Result<()> {
    let position = inspect::position(args.fen.as_deref(), args.line.as_deref())?;
    let probe = inspect::probe(&args.file, &position)?;
    let mut out = io::stdout().lock();
    if args.json {
        serde_json::to_writer_pretty(&mut out, &probe).map_err(io::Error::from)?;
        writeln!(out)?;
    } else {
        write_probe(&mut out, &probe)?;
    }
    Ok(())
}

fn write_probe(out: &mut impl Write, probe: &Probe) -> io::Result<()> {
    writeln!(out, "{}   key {}", probe.fen, probe.key)?;
    if !probe.found {
        return writeln!(out, "not in {}", probe.source);
    }
    if let Some(tally) = probe.tally {
        let games = counted(tally.games(), "game", "games");
        let share = |part| percent(part, tally.games());
        let (white, draws, black) = (share(tally.white), share(tally.draws), share(tally.black));
        writeln!(out, "{games}: White {white}, drawn {draws}, Black {black}")?;
    }
    if probe.moves.is_empty() {
        return writeln!(out, "no move of it is kept: a leaf");
    }
    writeln!(out)?;
    write_moves(out, probe)
}

fn write_moves(out: &mut impl Write, probe: &Probe) -> io::Result<()> {
    let rows: Vec<Vec<String>> = match probe.tally {
        Some(position) => probe.moves.iter().map(|mv| counted_row(mv, position)).collect(),
        None => probe.moves.iter().map(|mv| weighted_row(mv, probe)).collect(),
    };
    let header: &[&str] = if probe.tally.is_some() {
        &["move", "games", "share", "White", "drawn", "Black", "score"]
    } else {
        &["move", "weight", "share"]
    };
    let width = |column: usize| {
        let cells = rows.iter().map(|row| row[column].chars().count());
        cells.chain([header[column].len()]).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..header.len()).map(width).collect();
    write_row(out, &widths, header.iter().copied())?;
    rows.iter().try_for_each(|row| write_row(out, &widths, row.iter().map(String::as_str)))
}

/// The first column to the left, numbers to the right.
fn write_row<'c>(
    out: &mut impl Write,
    widths: &[usize],
    cells: impl Iterator<Item = &'c str>,
) -> io::Result<()> {
    for (column, (cell, width)) in cells.zip(widths).enumerate() {
        if column == 0 { write!(out, "{cell:width$}")? } else { write!(out, "  {cell:>width$}")? }
    }
    writeln!(out)
}

fn counted_row(mv: &ProbedMove, position: Tally) -> Vec<String> {
    let tally = mv.tally.unwrap_or_default();
    let share = |part| percent(part, tally.games());
    vec![
        mv.name().to_owned(),
        grouped(tally.games()),
        percent(tally.games(), position.games()),
        share(tally.white),
        share(tally.draws),
        share(tally.black),
        mv.score.map_or_else(String::new, |score| format!("{:.1} %", score * 100.0)),
    ]
}

fn weighted_row(mv: &ProbedMove, probe: &Probe) -> Vec<String> {
    let total = probe.moves.iter().map(|mv| u64::from(mv.weight.unwrap_or(0))).sum();
    let weight = u64::from(mv.weight.unwrap_or(0));
    vec![mv.name().to_owned(), grouped(weight), percent(weight, total)]
}
