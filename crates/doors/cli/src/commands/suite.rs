//! `tabia suite`.

use pipeline::recipe::builtin;

use super::pipelines::execute;
use crate::args::SuiteArgs;

/// `tabia suite`.
pub(crate) fn suite(args: &SuiteArgs) -> anyhow::Result<()> {
    let SuiteArgs { path, suite, experience, run } = args;
    execute(&builtin::suite(path.clone(), experience, suite.clone(), run.limits()), run)
}
