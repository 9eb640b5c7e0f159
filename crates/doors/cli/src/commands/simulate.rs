//! `tabia simulate`: walks through a book many times, and shows the walks as tables and as a picture.

use std::{
    io::{self, Write},
    path::PathBuf,
};

use anyhow::bail;
use clap::Args;
use count::WeighGames;
use output::{Existing, is_stdout, write_text};
use pipeline::stages::Walks;
use query::Simulation;
use report::picture;
use run::{FileFormat, Limits, RunOptions, SamePath, check_paths};

use crate::{
    execute::with_progress_unless,
    exit::{self, Usage},
    format::{counted, grouped, percent},
    help::{Short, examples},
    terminal,
};

#[derive(Args)]
#[command(add = Short("policy set against games seed max-ply lines line svg json"))]
#[command(after_help = examples("\
tabia simulate book.tabia --policy lokasoft --games 10000 --svg tree.svg
tabia simulate book.tabia --policy crafty --against terra --line \"e4\""))]
pub(crate) struct SimulateArgs {
    /// A book, a table or a Polyglot book
    file: PathBuf,
    #[command(flatten)]
    walks: Walks,
    #[command(flatten)]
    weigh: WeighGames,
    /// Draw the opening tree as an SVG picture
    #[arg(long, value_name = "FILE", help_heading = "Outputs")]
    svg: Option<PathBuf>,
    /// Replace an existing picture
    #[arg(short, long, help_heading = "Outputs")]
    force: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// Worker threads [default: one per core]
    #[arg(short = 'j', long, value_name = "N")]
    threads: Option<usize>,
    /// No progress bar on stderr
    #[arg(short, long)]
    quiet: bool,
}

/// `tabia simulate`.
pub(crate) fn simulate(args: &SimulateArgs) -> anyhow::Result<()> {
    if let Some(path) = args.svg.as_deref() {
        if is_stdout(path) {
            bail!(Usage("the numbers are printed to standard output: name a file for the picture".into()));
        }
        check_paths(&[&args.file], &[(path, FileFormat::Svg)], SamePath::Refused)?;
        output::check_file(path, Existing::replaced_if(args.force)).map_err(fault::output(path))?;
    }
    let threads = Limits { threads: args.threads, ..Limits::default() }.threads();
    let simulation = with_progress_unless(args.quiet, RunOptions::default(), |run| {
        args.walks.simulate("walks", (&args.file, args.weigh.weights()), threads, &run)
    })?;
    if let Some(path) = &args.svg {
        let existing = Existing::replaced_if(args.force);
        write_text(path, &picture(&simulation), existing).map_err(fault::output(path))?;
    }
    exit::warn(&simulation.warnings);
    let mut out = terminal::stdout();
    if args.json {
        return Ok(out.json(&simulation)?);
    }
    write_simulation(&mut out, &simulation)?;
    Ok(())
}

fn write_simulation(out: &mut impl Write, simulation: &Simulation) -> io::Result<()> {
    let walks = counted(simulation.games, "walk", "walks");
    let against = simulation.against.as_ref().map_or_else(String::new, |it| format!(" against {it}"));
    writeln!(out, "{walks} by {}{against}, seed {}", simulation.policy, simulation.seed)?;
    for note in &simulation.notes {
        writeln!(out, "note: {note}")?;
    }
    write_depth(out, simulation)?;
    let score = match simulation.score {
        Some(score) => {
            let percent = 100.0 * score;
            format!("by the book's counts, White scores {percent:.1} % on average at the ends of the walks")
        }
        None => "no counts show how White scores where the walks end".into(),
    };
    writeln!(out, "{score}")?;
    writeln!(out, "\nthey end at")?;
    for end in simulation.ends.iter().filter(|end| end.walks > 0) {
        let share = percent(end.walks, simulation.games);
        writeln!(out, "  {:>8}  {:>7}  {}", grouped(end.walks), share, end.end.name())?;
    }
    write_lines(out, simulation)
}

/// Writes how deep the walks went, in plies: the mean, the median, the 10th and 90th percentiles, and the
/// range.
fn write_depth(out: &mut impl Write, simulation: &Simulation) -> io::Result<()> {
    let within = |tenths: u64| {
        let mut walks = 0;
        let reached = simulation.plies.iter().find(|of| {
            walks += of.walks;
            u128::from(walks) * 10 >= u128::from(simulation.games) * u128::from(tenths)
        });
        reached.map_or(0, |of| of.plies)
    };
    let (first, last) = (simulation.plies.first(), simulation.plies.last());
    let [first, last] = [first, last].map(|of| of.map_or(0, |of| of.plies));
    writeln!(
        out,
        "{:.1} plies on average; a tenth of them up to {}, half up to {}, nine tenths up to {}; {first} to {last} in all",
        simulation.mean_plies,
        within(1),
        within(5),
        within(9)
    )
}

fn write_lines(out: &mut impl Write, simulation: &Simulation) -> io::Result<()> {
    let different = counted(simulation.different, "different line", "different lines");
    writeln!(out, "\n{different}; the commonest, `…` where walks go on in different ways:")?;
    writeln!(out, "     walks    share    White")?;
    for line in &simulation.lines {
        let share = percent(line.walks, simulation.games);
        let score = line.score.map_or_else(|| "–".into(), |score| format!("{:.1} %", 100.0 * score));
        let text = match (line.text.as_str(), line.whole) {
            ("", true) => "(no move)".into(),
            (text, true) => text.to_owned(),
            (text, false) => format!("{text} …"),
        };
        writeln!(out, "  {:>8}  {share:>7}  {score:>7}  {}", grouped(line.walks), text.trim_start())?;
    }
    let others = simulation.others;
    if others.lines > 0 {
        let share = percent(others.walks, simulation.games);
        let lines = counted(others.lines, "other line", "other lines");
        writeln!(out, "  {:>8}  {share:>7}  {:>7}  {lines}", grouped(others.walks), "")?;
    }
    if simulation.cut > 0 {
        let walks = counted(simulation.cut, "walk was", "walks were");
        writeln!(out, "{walks} cut in these lines: there are too many different ones to keep")?;
    }
    Ok(())
}
