//! `tabia export json`.

use build::books::json::export_json;

use super::pipelines::{finish_run, refuse_two_on_stdout, with_progress};
use crate::args::ExportJsonArgs;

/// `tabia export json`.
pub(super) fn export(args: &ExportJsonArgs) -> anyhow::Result<()> {
    let ExportJsonArgs { book, output, run } = args;
    refuse_two_on_stdout([output.clone()].into_iter(), run)?;
    let write = |options| export_json(book, output, &run.limits(), options);
    finish_run(with_progress(run, write), run)
}
