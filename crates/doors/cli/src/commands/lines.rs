//! `tabia export pgn`, `epd` and `csv`: a book's lines as text.

use craft::LinesFormat;

use super::pipelines::{refuse_two_on_stdout, run_and_report};
use crate::args::LinesArgs;

/// Writes lines in a format.
pub(super) fn export_lines(args: &LinesArgs, format: LinesFormat) -> anyhow::Result<()> {
    let LinesArgs { file, output, run, .. } = args;
    refuse_two_on_stdout([output.clone()].into_iter(), run)?;
    let options = args.options()?;
    let write = |running| books::export_lines(file, output, &options, format, &run.limits(), &running);
    run_and_report(run, write)
}
