//! Runs the stages of a plan in order and passes each one the results of its inputs.
//!
//! # Flow
//!
//! 1. Every output path is checked, and whatever a killed run left there is finished or removed.
//! 2. The stages run. A stage whose outputs are complete registers them under temporary names
//!    ([`Context::prepared`]). Later stages read them under these names.
//! 3. If the user interrupts the run, it ends here without outputs. If a strict run has rejected games, it
//!    ends here with only the lists of these games.
//! 4. All outputs appear together ([`output::publish`]).

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    time::Instant,
};

use fault::FileFault;
use games::resume::folder_of_job;
use output::{Existing, OutputLock, folder_of, is_streamed};
use run::{Context, Error, Output, Outputs, Result, Run, RunError, RunOptions, StrictError, Summary};
use stage::{Flow, Port};
use teach::LearnAnnotations;

use super::{AnyStage, Plan, Step};
use crate::stages::SortMerge;

/// Runs `plan` and publishes its outputs.
///
/// # Errors
///
/// Fails before anything is read, with [`fault::Exists`] if an output exists or with [`FileFault`] if a
/// folder cannot be written to. After that, one of these errors can occur: [`StrictError`] if the run is
/// strict and games or records were rejected, [`output::PublishError`] if some outputs could not be
/// published, or the error of a stage. No output appears before all are complete.
pub fn run(plan: &Plan, options: RunOptions) -> Result<Summary> {
    prepare(plan, options)?.publish()
}

/// Like [`run`], but leaves it to the caller to publish the outputs.
pub(crate) fn prepare(plan: &Plan, options: RunOptions) -> Result<Run> {
    let (temp_dir, strict) = (temp_dir(plan), options.strict);
    check_resumable(plan, &options)?;
    check_places(plan, options.existing())?;
    let folders = plan.outputs().filter(|output| !is_streamed(output));
    for folder in folders.map(|output| folder_of(&output).to_path_buf()).chain([temp_dir.clone()]) {
        check_writable(&folder)?;
        output::sweep(&folder);
    }
    let locks = lock_outputs(plan, &options).map_err(Error::of_run)?;
    let context = Context::new(&plan.limits, temp_dir, options)?;
    warn_of_left_over(&context, plan.outputs());
    let ran = run_stages(plan, &context).and_then(|()| context.check_interrupt());
    let recorded = context.take_recorded();
    let recorded = match ran {
        Ok(()) => recorded,
        Err(error) => return Err(recorded.keep(error.of_run())),
    };
    let (summary, Outputs { lists, mut results }) = context.finish();
    let rejected = summary.rejected_games();
    if strict && rejected > 0 {
        let is_listed = !lists.is_empty();
        let summary = Box::new(Run { summary, outputs: lists, locks, recorded }.publish()?);
        return Err(StrictError { rejected, is_listed, summary }.into());
    }
    results.extend(lists);
    Ok(Run { summary, outputs: results, locks, recorded })
}

/// If the run is to be recorded, checks that it has at most one count: the record is named after the run's
/// output, so there can be only one.
fn check_resumable(plan: &Plan, options: &RunOptions) -> Result<()> {
    let counts = plan.nodes.iter().filter(|node| matches!(node.stage, AnyStage::SortMerge(_))).count();
    if options.resume.is_some() && counts > 1 {
        return Err(RunError::NotResumable("the recipe has more than one count".into()).into());
    }
    Ok(())
}

/// Checks that every output may be written to its path.
fn check_places(plan: &Plan, existing: Existing) -> Result<()> {
    for node in &plan.nodes {
        let check = match node.signature().gives {
            Port::Table => output::check_folder,
            Port::File => output::check_file_or_folder,
            _ => output::check_file,
        };
        for Output { path, .. } in node.stage().outputs() {
            let checked = output::recover(&path).and_then(|()| check(&path, existing));
            checked.map_err(fault::output(&path))?;
        }
    }
    Ok(())
}

/// Runs the stages. Each value is dropped after the last stage that takes it, so sorted runs are not kept on
/// disk longer than needed.
fn run_stages(plan: &Plan, context: &Context) -> Result<()> {
    let mut flows: Vec<Option<Flow>> = Vec::new();
    // The results of stages that were run together with an earlier stage, before it was their turn.
    let mut done: BTreeMap<usize, Flow> = BTreeMap::new();
    for (at, node) in plan.nodes.iter().enumerate() {
        let inputs: Vec<Flow> = node.inputs.iter().filter_map(|&input| flows[input].clone()).collect();
        for &input in &node.inputs {
            if !plan.nodes[at + 1..].iter().any(|later| later.inputs.contains(&input)) {
                flows[input] = None;
            }
        }
        let (start, driven) = (Instant::now(), context.seconds());
        if !done.contains_key(&at) {
            done.extend(run_together(plan, at, context, &inputs)?);
        }
        let flow = match done.remove(&at) {
            Some(flow) => flow,
            None => node.stage().run(context, &node.name, inputs)?,
        };
        let gives = node.signature().gives;
        assert!(gives == Port::Artefact || flow.port() == gives, "`{}` gives {gives}", node.stage.kind());
        // A sink also drives the source and the operator that feed it. Their time is recorded separately, so
        // it is excluded here.
        let seconds = start.elapsed().as_secs_f64() - (context.seconds() - driven);
        context.add_seconds(Some(&node.name), seconds.max(0.0));
        flows.push(Some(flow));
    }
    Ok(())
}

/// Runs the stage at index `at` together with other stages that the same replay feeds, in one pass over the
/// games. Several counts can share a pass. The stage that learns marks can share a pass with a single count.
/// Returns each stage's index in the plan with its result, or an empty list if the stage must run alone.
fn run_together(plan: &Plan, at: usize, context: &Context, inputs: &[Flow]) -> Result<Vec<(usize, Flow)>> {
    let [Flow::Observations(stream)] = inputs else { return Ok(Vec::new()) };
    let (mut counts, mut marks) = (Vec::new(), None);
    for (place, node) in
        plan.nodes.iter().enumerate().filter(|(_, node)| node.inputs == plan.nodes[at].inputs)
    {
        match &node.stage {
            AnyStage::SortMerge(count) => counts.push((place, node.name.as_str(), count)),
            AnyStage::LearnAnnotations(stage) => marks = Some((place, stage)),
            _ => {}
        }
    }
    let is_count = counts.iter().any(|(place, ..)| *place == at);
    match (&*counts, marks) {
        (&[(place, _, count)], Some((marked, stage)))
            if (is_count || marked == at) && LearnAnnotations::reads_with_count(context, stream) =>
        {
            let marks = stage.beside_count(context, stream);
            let counted = count.counted(context, stream, Some(&marks))?;
            Ok(vec![(place, counted), (marked, stage.learned_beside(context, marks)?)])
        }
        ([_, _, ..], _) if is_count => {
            let named: Vec<_> = counts.iter().map(|&(_, name, count)| (name, count)).collect();
            let flows = SortMerge::run_together(context, &named, stream)?;
            Ok(counts.into_iter().map(|(place, ..)| place).zip(flows).collect())
        }
        _ => Ok(Vec::new()),
    }
}

/// Locks those outputs that are tables or experience files, because other commands change these in place.
fn lock_outputs(plan: &Plan, options: &RunOptions) -> Result<Vec<OutputLock>> {
    let changed = |node: &&Step| matches!(node.signature().gives, Port::Table | Port::Experience);
    let outputs = plan.nodes.iter().filter(changed).flat_map(|node| node.stage().outputs());
    let outputs: Vec<_> = outputs.map(|output| output.path).filter(|path| !is_streamed(path)).collect();
    Ok(OutputLock::take_all(&outputs, options.waiting, &options.interrupt)?)
}

/// Warns about records that interrupted runs with the same outputs left behind, unless this run resumes such
/// a run.
fn warn_of_left_over(context: &Context, outputs: impl Iterator<Item = PathBuf>) {
    if context.options.resume.is_some() {
        return;
    }
    let folders =
        outputs.map(|output| folder_of_job(&context.temp_dir, &output)).filter(|folder| folder.exists());
    context.summary().warnings.extend(folders.map(|folder| {
        format!(
            "{} holds what an interrupted run counted, but this run does not continue it: \
             remove it if you do not need it",
            folder.display()
        )
    }));
}

/// The folder for spilled runs: the one set in the limits, or else the first output's folder.
fn temp_dir(plan: &Plan) -> PathBuf {
    let beside_first = || match plan.outputs().next() {
        Some(path) if is_streamed(&path) => std::env::temp_dir(),
        Some(path) => folder_of(&path).to_path_buf(),
        None => PathBuf::from("."),
    };
    plan.limits.temp_dir.clone().unwrap_or_else(beside_first)
}

/// Checks up front, rather than after hours of work, that a folder can be written to.
fn check_writable(folder: &Path) -> Result<()> {
    tempfile::tempfile_in(folder).map(drop).map_err(FileFault::of("write in", folder))
}
