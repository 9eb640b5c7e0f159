//! `tabia export pgn`, `epd` and `csv`: write a book's lines as text.

use std::path::PathBuf;

use clap::Args;
use craft::{GamesLayout, LinesFormat, LinesOptions};
use experience::ExperienceFile;
use position::named_line;
use run::{FileFormat, SamePath, check_paths};

use crate::{
    args::{LinesRunArgs, MEMORY_OF_LINES, with_help},
    execute::{refuse_two_on_stdout, run_and_report, write_rows},
    exit::Usage,
    help::{Short, examples},
};

/// Which lines are exported.
#[derive(Args)]
#[command(mut_args(with_help("memory", MEMORY_OF_LINES)))]
pub(crate) struct LinesArgs {
    /// A book, a table or a Polyglot book
    file: PathBuf,
    /// The file to write; `-` is standard output
    #[arg(short, long, value_name = "FILE", help_heading = "Outputs")]
    output: PathBuf,
    /// Only lines that begin with these moves, in SAN or UCI: "e4 c5" or "1. e4 c5"
    #[arg(long, value_name = "MOVES")]
    line: Option<String>,
    /// End lines after N plies from the start position
    #[arg(long, value_name = "N")]
    max_ply: Option<u32>,
    /// Only moves played in at least N games; moves of a Polyglot book have no game counts
    #[arg(long, value_name = "N", default_value_t)]
    min_games: u64,
    /// Only moves with at least this share of their position's games or weights, 0 to 1
    #[arg(long, value_name = "SHARE", default_value_t)]
    min_share: f64,
    /// The maximum number of lines; those that come up most often are kept
    #[arg(long, value_name = "N")]
    lines: Option<u64>,
    #[command(flatten)]
    run: LinesRunArgs,
}

#[derive(Args)]
#[command(add = Short("output games line max-ply min-games min-share lines force"))]
#[command(after_help = examples("\
tabia export pgn white.tabia -o white.pgn   one game with variations
tabia export pgn book.tabia -o lines.pgn --games lines --lines 500 --max-ply 24
tabia export pgn games.table -o sicilian.pgn --line \"e4 c5\" --min-games 100"))]
pub(crate) struct ExportPgnArgs {
    #[command(flatten)]
    pub(super) lines: LinesArgs,
    /// A single game with variations, or one game per line
    #[arg(long, value_name = "variations|lines", default_value_t)]
    pub(super) games: GamesLayout,
}

impl LinesArgs {
    /// Returns the name of the first flag in use that limits which lines are exported.
    fn chosen_by(&self) -> Option<&'static str> {
        let Self { line, max_ply, min_games, min_share, lines, .. } = self;
        let flags = [
            ("--line", line.is_some()),
            ("--max-ply", max_ply.is_some()),
            ("--min-games", *min_games > 0),
            ("--min-share", *min_share > 0.0),
            ("--lines", lines.is_some()),
        ];
        flags.into_iter().find_map(|(flag, is_given)| is_given.then_some(flag))
    }

    /// Which lines are exported.
    fn options(&self) -> anyhow::Result<LinesOptions> {
        let Self { max_ply, min_games, min_share, lines, .. } = *self;
        if !(0.0..=1.0).contains(&min_share) {
            return Err(Usage(format!("--min-share: must be from 0 to 1, not {min_share}")).into());
        }
        if lines == Some(0) {
            return Err(Usage("--lines: must be at least 1, not 0".into()).into());
        }
        let start = named_line(None, self.line.as_deref())?;
        Ok(LinesOptions { start, max_ply, min_games, min_share, lines })
    }
}

/// Exports lines in `format`; for CSV, the input may also be an experience file, which is exported whole.
pub(super) fn export_lines(args: &LinesArgs, format: LinesFormat) -> anyhow::Result<()> {
    let LinesArgs { file, output, run, .. } = args;
    if format == LinesFormat::Csv && file.is_file() && ExperienceFile::is_likely(file) {
        if let Some(flag) = args.chosen_by() {
            let file = file.display();
            return Err(Usage(format!(
                "{flag} chooses lines, but {file} is an experience file, which has none: leave out {flag}"
            ))
            .into());
        }
        check_paths(&[file], &[(output, FileFormat::Csv)], SamePath::Refused)?;
        return write_rows(run, output, |job| experience::export_csv(file, output, job));
    }
    refuse_two_on_stdout([output.clone()].into_iter(), run)?;
    let options = args.options()?;
    let write = |running| books::export_lines(file, output, &options, format, &run.limits(), &running);
    run_and_report(run, write)
}
