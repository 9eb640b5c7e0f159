//! `tabia report`.

use pipeline::builtin;

use super::pipelines::execute;
use crate::args::ReportArgs;

/// `tabia report`: a table or a book as a page to look at.
pub(crate) fn report(args: &ReportArgs) -> anyhow::Result<()> {
    let (input, settings, limits) = (args.input.clone(), args.settings(), args.run.limits());
    let recipe = if input.is_dir() {
        builtin::report_table(input, &settings, limits)?
    } else {
        builtin::report_book(input, &settings, limits)?
    };
    execute(&recipe, &args.run)
}
