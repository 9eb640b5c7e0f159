//! `tabia export json` and `tabia import json`.

use build::books::json::{export_json, import_json};

use super::pipelines::{finish_run, refuse_two_on_stdout, with_progress};
use crate::args::{ExportJsonArgs, Import, ImportArgs};

/// `tabia export json`.
pub(super) fn export(args: &ExportJsonArgs) -> anyhow::Result<()> {
    let ExportJsonArgs { book, output, run } = args;
    refuse_two_on_stdout([output.clone()].into_iter(), run)?;
    let write = |options| export_json(book, output, &run.limits(), options);
    finish_run(with_progress(run, write), run)
}

/// `tabia import …`.
pub(crate) fn import(args: &ImportArgs) -> anyhow::Result<()> {
    let Import::Json(args) = &args.what;
    let read = |options| import_json(&args.text, &args.output, &options);
    finish_run(with_progress(&args.run, read), &args.run)
}
