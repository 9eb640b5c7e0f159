//! `tabia suite`.

use build::recipe::builtin;

use super::pipelines::execute;
use crate::args::SuiteArgs;

/// `tabia suite`.
pub(crate) fn suite(args: &SuiteArgs) -> anyhow::Result<()> {
    let SuiteArgs { input, suite, experience, run } = args;
    execute(&builtin::suite(input.path.clone(), experience, suite.clone(), run.limits()), run)
}
