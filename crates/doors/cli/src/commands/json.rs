//! `tabia export json`.

use books::json::export_json;

use super::pipelines::{refuse_two_on_stdout, run_and_report};
use crate::args::ExportJsonArgs;

/// `tabia export json`.
pub(super) fn export(args: &ExportJsonArgs) -> anyhow::Result<()> {
    let ExportJsonArgs { book, output, run } = args;
    refuse_two_on_stdout([output.clone()].into_iter(), run)?;
    let write = |options| export_json(book, output, &run.limits(), options);
    run_and_report(run, write)
}
