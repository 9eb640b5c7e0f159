//! Runs a plan: each stage in order, on what its inputs gave.

use std::{
    path::{Path, PathBuf},
    time::Instant,
};

use output::folder_of;

use super::Plan;
use crate::{
    Context, Error, Result, RunOptions, Summary,
    stage::{Flow, Port},
};

/// Runs `plan` to its end.
///
/// # Errors
///
/// [`Error::OutputExists`], or [`Error::File`] where a folder takes no files, before anything is read;
/// otherwise whatever stops a stage. Outputs of earlier stages that are finished stay,
/// nothing half-written does.
pub fn run(plan: &Plan, options: RunOptions) -> Result<Summary> {
    if !options.force
        && let Some(path) = plan.outputs().find(|path| path.symlink_metadata().is_ok())
    {
        return Err(Error::OutputExists { path });
    }
    let temp_dir = temp_dir(plan);
    for folder in plan.outputs().map(|output| folder_of(&output).to_path_buf()).chain([temp_dir.clone()]) {
        check_writable(&folder)?;
    }
    let context = Context::new(&plan.limits, temp_dir, options)?;
    context.warn_of_left_over(plan.outputs());
    run_stages(plan, &context).map_err(|error| context.keep_recorded(error.of_run()))?;
    context.forget_recorded()?;
    Ok(context.into_summary())
}

/// Each value is dropped as soon as its last taker has run, so sorted runs do not outlive their use.
fn run_stages(plan: &Plan, context: &Context) -> Result<()> {
    let mut flows: Vec<Option<Flow>> = Vec::new();
    for (at, node) in plan.nodes.iter().enumerate() {
        let inputs = node.inputs.iter().filter_map(|&input| flows[input].clone()).collect();
        for &input in &node.inputs {
            if !plan.nodes[at + 1..].iter().any(|later| later.inputs.contains(&input)) {
                flows[input] = None;
            }
        }
        let (start, driven) = (Instant::now(), context.seconds());
        let flow = node.stage().run(context, &node.name, inputs)?;
        let gives = node.signature().gives;
        assert!(gives == Port::Artefact || flow.port() == gives, "`{}` gives {gives}", node.stage.kind());
        // The source and the operator that a sink drives have recorded their part already.
        let seconds = start.elapsed().as_secs_f64() - (context.seconds() - driven);
        context.add_seconds(Some(&node.name), seconds.max(0.0));
        flows.push(Some(flow));
    }
    Ok(())
}

/// The folder for spilled runs: as asked, else beside the first output, where there is room for it.
fn temp_dir(plan: &Plan) -> PathBuf {
    let beside_first =
        || plan.outputs().next().map_or_else(|| PathBuf::from("."), |path| folder_of(&path).to_path_buf());
    plan.limits.temp_dir.clone().unwrap_or_else(beside_first)
}

/// Finds out before hours of work whether a folder takes files.
fn check_writable(folder: &Path) -> Result<()> {
    tempfile::tempfile_in(folder).map(drop).map_err(|source| Error::File {
        action: "write in",
        path: folder.into(),
        source,
    })
}
