//! `tabia merge`.

use books::{MergeAny, Merging};
use count::MergeOptions;

use super::pipelines::run_and_report;
use crate::args::MergeArgs;

/// `tabia merge`.
pub(crate) fn merge(args: &MergeArgs) -> anyhow::Result<()> {
    let MergeArgs { inputs, output, drop_groups, shared, polyglot, run } = args;
    let options = MergeAny {
        tables: MergeOptions {
            shared: shared.unwrap_or_default(),
            drop_groups: *drop_groups,
            limits: run.limits(),
        },
        polyglot: Merging {
            strategy: polyglot.strategy.unwrap_or_default(),
            no_scale: polyglot.no_scale,
            factors: polyglot.weights.clone(),
            cut_off: polyglot.cut_off.unwrap_or_default(),
        },
        repair: polyglot.repair,
        for_tables: given(&[("drop-groups", *drop_groups), ("shared", shared.is_some())]),
        for_polyglot: given(&[
            ("repair", polyglot.repair),
            ("strategy", polyglot.strategy.is_some()),
            ("no-scale", polyglot.no_scale),
            ("weights", !polyglot.weights.is_empty()),
            ("cut-off", polyglot.cut_off.is_some()),
        ]),
    };
    let merge_all = |run| books::merge(inputs, output, &options, &run);
    run_and_report(run, merge_all)
}

/// The flags that were given.
fn given(flags: &[(&'static str, bool)]) -> Vec<&'static str> {
    flags.iter().filter(|(_, is_given)| *is_given).map(|(flag, _)| *flag).collect()
}
