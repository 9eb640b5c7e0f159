//! `tabia experience`.

use std::{
    io::Write as _,
    path::{Path, PathBuf},
};

use anyhow::bail;
use clap::{Args, Subcommand};
use experience::{Clear, Difference, KnownExperience, RowWithLine, ShowOptions};
use pipeline::recipe::builtin;
use position::{ExperienceKind, ExperienceRow, Key, Lesson, named_position};

use teach::BackUp;

use crate::{
    args::{BookValuesRunArgs, MEMORY_OF_BOOK, ValuesRunArgs, one_of, with_help},
    execute::{execute, write_experience},
    exit::Usage,
    format::{counted, grouped, known::values},
    help::{Short, examples},
    terminal::{self, in_line},
};

#[derive(Subcommand)]
#[command(after_help = examples("tabia experience show x.experience.parquet --unplayable"))]
pub(crate) enum ExperienceCommand {
    /// List what was learned, about which line, and from whom
    Show(ExperienceShowArgs),
    /// Merge files: average learned values, add up the results of the player's own games, and keep the newest
    /// of the values set by hand
    Merge(ExperienceMergeArgs),
    /// Show the differences between two files
    Diff(ExperienceDiffArgs),
    /// Shrink learned values towards zero; very bad ones (-0.80 and below) stay as they are
    Age(ExperienceAgeArgs),
    /// Remove values, chosen by kind, value, source or date
    Clear(ExperienceClearArgs),
    /// Carry evaluations back through a book: compute what each of its moves is worth if both sides play
    /// their best moves
    Minimax(Box<ExperienceMinimaxArgs>),
}

#[derive(Args)]
#[command(add = Short("line fen unplayable kind value source table limit json"))]
#[command(after_help = examples("\
tabia experience show x.experience.parquet --line \"e4 c5\"
tabia experience show x.experience.parquet --unplayable --limit 20"))]
pub(crate) struct ExperienceShowArgs {
    /// An experience file
    file: PathBuf,
    #[command(flatten)]
    select: SelectArgs,
    /// Only moves that must not be played: those learned at -0.80 or below, and those set by hand to a value
    /// of 0, a priority of 0, ? or ??
    #[arg(long)]
    unplayable: bool,
    /// Only the position after these moves, in SAN or UCI, with or without move numbers
    #[arg(long, value_name = "MOVES")]
    line: Option<String>,
    /// Only this position
    #[arg(long)]
    fen: Option<String>,
    /// Also use the moves of this table to find lines that lead to the positions shown
    #[arg(long, value_name = "DIR")]
    table: Option<PathBuf>,
    /// Show at most N rows
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// Print one JSON object per row
    #[arg(long)]
    json: bool,
}

/// Which values to show or to clear.
#[derive(Args)]
pub(crate) struct SelectArgs {
    /// Only rows of this kind
    #[arg(long, value_name = "KIND", value_parser = one_of(KINDS))]
    kind: Option<ExperienceKind>,
    /// Only values of this type
    #[arg(long, value_name = "VALUE", value_parser = one_of(Lesson::ALL))]
    value: Option<Lesson>,
    /// Only values that come from this source, named as in the output of `show`
    #[arg(long, value_name = "NAME")]
    source: Option<String>,
}

/// The kinds of experience rows that contain values for a move or a position.
const KINDS: &[ExperienceKind] = &[
    ExperienceKind::Book,
    ExperienceKind::Postbook,
    ExperienceKind::Position,
    ExperienceKind::Evaluation,
    ExperienceKind::Minimax,
];

#[derive(Args)]
#[command(add = Short("output force"))]
#[command(after_help = examples("tabia experience merge mine.experience.parquet yours.experience.parquet -o both.experience.parquet"))]
pub(crate) struct ExperienceMergeArgs {
    /// Experience files, the newest last
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The experience file to write
    #[arg(short, long, value_name = "FILE", help_heading = "Outputs")]
    output: PathBuf,
    #[command(flatten)]
    run: ValuesRunArgs,
}

#[derive(Args)]
#[command(after_help = examples("tabia experience diff before.experience.parquet after.experience.parquet"))]
pub(crate) struct ExperienceDiffArgs {
    /// An experience file
    first: PathBuf,
    /// The experience file to compare with the first
    second: PathBuf,
}

#[derive(Args)]
#[command(add = Short("factor output force"))]
#[command(after_help = examples("tabia experience age x.experience.parquet --factor 0.75 -o y.experience.parquet   a year older"))]
pub(crate) struct ExperienceAgeArgs {
    /// The experience file
    file: PathBuf,
    /// The factor by which learned values are multiplied, 0 to 1
    #[arg(long, value_name = "FACTOR")]
    factor: f32,
    /// The experience file to write
    #[arg(short, long, value_name = "FILE", help_heading = "Outputs")]
    output: PathBuf,
    #[command(flatten)]
    run: ValuesRunArgs,
}

#[derive(Args)]
#[command(add = Short("kind value source before all output force"))]
#[command(after_help = examples("tabia experience clear x.experience.parquet --source old.lrn -o y.experience.parquet"))]
pub(crate) struct ExperienceClearArgs {
    /// The experience file
    file: PathBuf,
    #[command(flatten)]
    select: SelectArgs,
    /// Only values that were last learned before this day, such as 1998-03-01
    #[arg(long, value_name = "DATE")]
    before: Option<String>,
    /// Clear everything
    #[arg(long, conflicts_with_all = ["kind", "value", "source", "before"])]
    all: bool,
    /// The experience file to write
    #[arg(short, long, value_name = "FILE", help_heading = "Outputs")]
    output: PathBuf,
    #[command(flatten)]
    run: ValuesRunArgs,
}

#[derive(Args)]
#[command(add = Short("output book plies out-of-book force"))]
#[command(after_help = examples("\
tabia experience minimax --book book.tabia evals.experience.parquet -o values.experience.parquet
tabia experience minimax --book book.bin evals.experience.parquet --plies 20 --out-of-book evaluation -o values.experience.parquet"))]
#[command(mut_arg("output", |output| output.required(true)))]
#[command(mut_args(with_help("memory", MEMORY_OF_BOOK)))]
pub(crate) struct ExperienceMinimaxArgs {
    /// Experience files with evaluations
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The book, a `.tabia` or a Polyglot book
    #[arg(long, value_name = "BOOK")]
    book: PathBuf,
    #[command(flatten)]
    values: BackUp,
    #[command(flatten)]
    run: BookValuesRunArgs,
}

/// `tabia experience …`.
pub(crate) fn experience(what: &ExperienceCommand) -> anyhow::Result<()> {
    match what {
        ExperienceCommand::Show(args) => show(args),
        ExperienceCommand::Diff(args) => diff(args),
        ExperienceCommand::Merge(args) => {
            let files: Vec<&Path> = args.files.iter().map(PathBuf::as_path).collect();
            write_experience(&args.run, &files, &args.output, |job| {
                experience::merge(&args.files, &args.output, job)
            })
        }
        ExperienceCommand::Age(args) => {
            let (file, output) = (&args.file, &args.output);
            write_experience(&args.run, &[file], output, |job| {
                experience::age(file, args.factor, output, job)
            })
        }
        ExperienceCommand::Clear(args) => clear(args),
        ExperienceCommand::Minimax(args) => {
            let (book, values) = (args.book.clone(), args.values.clone());
            execute(&builtin::minimax(book, &args.files, values, args.run.limits()), &args.run)
        }
    }
}

fn clear(args: &ExperienceClearArgs) -> anyhow::Result<()> {
    let select = &args.select;
    let what = Clear {
        kind: select.kind,
        lesson: select.value,
        source: select.source.clone(),
        before: args.before.as_deref().map(Clear::day).transpose()?,
    };
    let nothing =
        what.kind.is_none() && what.lesson.is_none() && what.source.is_none() && what.before.is_none();
    if nothing && !args.all {
        bail!(Usage("name what to clear: --kind, --value, --source, --before, or --all".into()));
    }
    write_experience(&args.run, &[&args.file], &args.output, |job| {
        experience::clear(&args.file, &what, &args.output, job)
    })
}

fn show(args: &ExperienceShowArgs) -> anyhow::Result<()> {
    let named = args.line.is_some() || args.fen.is_some();
    let position = named_position(args.fen.as_deref(), args.line.as_deref())?;
    let options = ShowOptions {
        kind: args.select.kind,
        lesson: args.select.value,
        source: args.select.source.clone(),
        unplayable: args.unplayable,
        key: named.then(|| Key::of(&position)),
        over_gaps: true,
        table: args.table.clone(),
    };
    let (header, summary, rows) = experience::show(&args.file, &options)?;
    let mut out = terminal::stdout();
    let shown = rows.iter().take(args.limit.unwrap_or(usize::MAX));
    if args.json {
        for row in shown {
            out.json_line(&row.shown_row(&header.sources))?;
        }
        return Ok(());
    }
    let kinds: Vec<_> =
        summary.rows.iter().map(|(kind, rows)| format!("{} {kind}", grouped(*rows))).collect();
    let learned = summary.lessons.get("learn").copied().unwrap_or(0);
    writeln!(out, "{}", kinds.join(", "))?;
    writeln!(out, "{} learned, {} not to be played", grouped(learned), grouped(summary.unplayable))?;
    for source in &header.sources {
        let taught = grouped(source.taught);
        let records = counted(source.records, "record", "records");
        let (name, teacher) = (in_line(&source.name), in_line(&source.teacher));
        writeln!(out, "  {name}: {taught} of {records} used ({teacher})")?;
    }
    writeln!(out)?;
    for row in shown {
        writeln!(out, "{}", row_text(row))?;
        for value in values(&KnownExperience::of(&row.row, &header.sources)) {
            writeln!(out, "    {value}")?;
        }
    }
    let left = rows.len().saturating_sub(args.limit.unwrap_or(usize::MAX));
    if left > 0 {
        writeln!(out, "… and {}; --limit shows more", counted(left as u64, "row", "rows"))?;
    }
    Ok(())
}

/// Formats a row: the line to its position, then the move. If no line is known, the position's key takes the
/// place of the line.
fn row_text(shown: &RowWithLine) -> String {
    let kind = if shown.row.kind == position::ExperienceKind::Book {
        String::new()
    } else {
        format!("  [{}]", <&str>::from(shown.row.kind))
    };
    let mv = shown.san.clone().unwrap_or_else(|| shown.row.mv.to_string());
    match &shown.line {
        Some(line) if line.is_empty() => format!("{mv}{kind}"),
        Some(line) => format!("{line} {mv}{kind}"),
        None => format!("key {} {mv}{kind}", shown.row.key),
    }
}

fn diff(args: &ExperienceDiffArgs) -> anyhow::Result<()> {
    let mut out = terminal::stdout();
    let mut differences = experience::diff(&args.first, &args.second)?;
    let mut count = 0;
    for difference in &mut differences {
        let Difference { first, second } = difference?;
        let Some(row) = first.as_ref().or(second.as_ref()) else { continue };
        writeln!(out, "{} {} [{}]", row.key, row.mv, <&str>::from(row.kind))?;
        for (sign, row) in [('-', &first), ('+', &second)] {
            for value in row.iter().flat_map(bare_values) {
                writeln!(out, "  {sign} {value}")?;
            }
        }
        count += 1;
    }
    let equal = differences.equal;
    writeln!(out, "{}, {} equal", counted(count, "difference", "differences"), grouped(equal))?;
    Ok(())
}

/// Values without their sources.
fn bare_values(row: &ExperienceRow) -> Vec<String> {
    values(&KnownExperience::of(&ExperienceRow { taught: Vec::new(), ..row.clone() }, &[]))
}
