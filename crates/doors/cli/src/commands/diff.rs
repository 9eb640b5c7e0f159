//! `tabia diff`: shows how two books or tables differ.

use std::{
    io::{self, Write},
    path::PathBuf,
};

use clap::Args;
use craft::{Change, Diff, DiffOptions, Found, MoveDifference, Ranking, SetByHand};
use experience::mark_of;
use query::ComparedMove;

use crate::{
    args::DiffRunArgs,
    execute::with_progress,
    format::{counted, grouped},
    help::{Short, examples},
    terminal::{self, in_line},
};

#[derive(Args)]
#[command(add = Short("output top min-games memory threads force json"))]
#[command(after_help = examples("\
tabia diff 2022.table 2023.table   what a year changed
tabia diff old.bin new.bin --top 30
tabia diff mine.tabia games.table -o changes.parquet   every move that differs"))]
pub(crate) struct DiffArgs {
    /// A table, a book or a Polyglot book
    first: PathBuf,
    /// The artefact to compare with the first
    second: PathBuf,
    /// Compare scores only for moves with at least N games in both artefacts, and shares only in positions
    /// with at least N games in both
    #[arg(long, value_name = "N", default_value_t = 10)]
    min_games: u64,
    /// How many of the largest changes of each kind to list
    #[arg(long, value_name = "N", default_value_t = 10)]
    top: usize,
    /// Also write every move that differs to this Parquet file
    #[arg(short, long, value_name = "FILE", help_heading = "Outputs")]
    output: Option<PathBuf>,
    #[command(flatten)]
    run: DiffRunArgs,
}

/// `tabia diff`.
pub(crate) fn diff(args: &DiffArgs) -> anyhow::Result<()> {
    let DiffArgs { first, second, min_games, top, output, run } = args;
    let options = DiffOptions { min_games: *min_games, limit: *top };
    let found = with_progress(run, |running| {
        books::diff((first, second), options, output.as_deref(), &run.limits(), &running)
    })?;
    let mut out = terminal::stdout();
    if run.json {
        return Ok(out.json(&found)?);
    }
    let names = [first, second].map(|path| in_line(&path.display().to_string()).into_owned());
    write_diff(&mut out, &names, &found)?;
    if let Some(output) = output {
        writeln!(out, "\nevery move that differs is in {}", in_line(&output.display().to_string()))?;
    }
    Ok(())
}

fn write_diff(out: &mut impl Write, names: &[String; 2], diff: &Diff) -> io::Result<()> {
    let [first, second] = names;
    for (what, found) in [("positions", diff.positions), ("moves", diff.moves)] {
        let Found { both, only_first, only_second, .. } = found;
        let [both, only_first, only_second] = [both, only_first, only_second].map(grouped);
        writeln!(
            out,
            "{what}: {both} in both, {only_first} only in {first}, {only_second} only in {second}"
        )?;
    }
    writeln!(out, "{} of the moves in both differ", grouped(diff.changed))?;
    diff.rankings.iter().try_for_each(|ranking| write_ranking(out, names, ranking))
}

fn write_ranking(out: &mut impl Write, [first, second]: &[String; 2], ranking: &Ranking) -> io::Result<()> {
    let title = match ranking.by {
        Change::OnlyFirst => format!("only in {first}"),
        Change::OnlySecond => format!("only in {second}"),
        Change::Games => "largest changes of games".into(),
        Change::Share => "largest changes of share".into(),
        Change::Score => "largest changes of the mover's score".into(),
        Change::Weight => "largest changes of weight".into(),
        Change::Set => "set by hand, or never played".into(),
    };
    writeln!(out, "\n{title}")?;
    ranking.moves.iter().try_for_each(|changed| {
        let (line, values) = (place(changed), values(ranking.by, changed));
        writeln!(out, "  {values:>26}  {line}")
    })
}

/// Returns the line that ends with the move, or the move and its position's key if no line leads there.
fn place(changed: &MoveDifference) -> String {
    changed.line.clone().unwrap_or_else(|| format!("{} in {}", changed.uci, changed.key))
}

/// Returns the move's values in the two artefacts; only one value if one of the artefacts lacks the move.
fn values(by: Change, changed: &MoveDifference) -> String {
    if by == Change::Set {
        return [changed.first_set, changed.second_set].map(set).join(" → ");
    }
    let value = |found: &ComparedMove| match by {
        Change::Share => format!("{:.1} %", 100.0 * found.share),
        Change::Score => found.score.map_or_else(String::new, |score| format!("{:.1} %", 100.0 * score)),
        Change::Weight => found.weight.map_or_else(String::new, |weight| grouped(weight.into())),
        _ => played(found),
    };
    let both = [&changed.first, &changed.second].map(|found| found.as_ref().map(value));
    both.into_iter().flatten().collect::<Vec<_>>().join(" → ")
}

/// The values that were set by hand for a move.
fn set(set: SetByHand) -> String {
    let value = set.value.map(|value| format!("value {value}"));
    let priority = set.priority.map(|priority| format!("priority {priority}"));
    let mark = set.nag.and_then(mark_of).map(str::to_owned);
    let never = (!set.playable).then(|| "never".to_owned());
    let all: Vec<_> = [value, priority, mark, never].into_iter().flatten().collect();
    if all.is_empty() { "–".into() } else { all.join(" ") }
}

/// Returns how many games a move was played in, or its weight if it comes from a Polyglot book, which does
/// not count games.
fn played(found: &ComparedMove) -> String {
    let weight =
        || found.weight.map_or_else(String::new, |weight| format!("weight {}", grouped(weight.into())));
    found.games.map_or_else(weight, |games| counted(games, "game", "games"))
}
