//! `tabia export abk`.

use books::abk::export_abk;

use super::pipelines::run_and_report;
use crate::args::ExportAbkArgs;

/// `tabia export abk`.
pub(super) fn export(args: &ExportAbkArgs) -> anyhow::Result<()> {
    let write = |options| export_abk(&args.file, &args.output, &args.options(), &args.run.limits(), &options);
    run_and_report(&args.run, write)
}
