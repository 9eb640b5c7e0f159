//! `tabia edit`.

use build::books;

use super::pipelines::{finish_run, with_progress};
use crate::args::EditArgs;

/// `tabia edit`.
pub(crate) fn edit(args: &EditArgs) -> anyhow::Result<()> {
    let options = args.options();
    let edit = |run| books::edit(&args.book, &options, &run);
    finish_run(with_progress(&args.run, edit), &args.run)
}
