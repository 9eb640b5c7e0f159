//! `tabia edit`.

use super::pipelines::run_and_report;
use crate::args::EditArgs;

/// `tabia edit`.
pub(crate) fn edit(args: &EditArgs) -> anyhow::Result<()> {
    let options = args.options();
    let edit = |run| books::edit(&args.book, &options, &run);
    run_and_report(&args.run, edit)
}
