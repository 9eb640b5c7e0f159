//! `tabia export pgn`, `epd` and `csv`: a book's lines as text.

use craft::LinesFormat;

use super::pipelines::{finish_run, refuse_two_on_stdout, with_progress};
use crate::args::LinesArgs;

/// Writes lines in a format.
pub(super) fn export_lines(args: &LinesArgs, format: LinesFormat) -> anyhow::Result<()> {
    let LinesArgs { file, output, run, .. } = args;
    refuse_two_on_stdout([output.clone()].into_iter(), run)?;
    let options = args.options()?;
    let write = |running| build::export_lines(file, output, &options, format, &run.limits(), &running);
    finish_run(with_progress(run, write), run)
}
