//! `tabia cluster plan`: prints the chunks of a count, and the flags that the other commands need for this
//! count.

use std::{
    io::{self, Write as _},
    path::{self, Path, PathBuf},
};

use anyhow::bail;
use clap::Args;
use cluster::{CheckInputs, CountSettings, Place, PlanId};
use output::is_streamed;
use run::ByteSize;
use serde_json::{Value, json};

use super::hide_what_needs_one_machine;
use crate::{
    args::{ChangeRunArgs, RunArgs},
    commands::recipes::{read_recipe, wrong_recipe},
    execute::with_progress,
    exit::{self, Usage},
    help::{Short, examples},
    terminal,
};

#[derive(Args)]
#[command(add = Short("output chunk resume recipe max-ply by min-elo shards memory threads force"))]
#[command(after_help = examples("\
tabia cluster plan lichess/*.pgn.zst -o games.table --max-ply 40 --shards 1024
tabia cluster plan --recipe masters.toml --chunk 256MiB"))]
#[command(mut_args(hide_what_needs_one_machine))]
pub(crate) struct ClusterPlanArgs {
    /// PGN files, folders or globs, compressed or not; or URLs of objects (s3://, gs://, az://), where a URL
    /// that ends in `/` stands for every PGN object below it
    #[arg(value_name = "PGN", required_unless_present = "recipe", conflicts_with = "recipe")]
    paths: Vec<String>,
    /// The size of a chunk, measured in compressed bytes if the file is compressed; a file that can only be
    /// read from its start is one chunk [default: 1GiB]
    #[arg(long, value_name = "SIZE")]
    chunk: Option<ByteSize>,
    /// How `map` checks that an input has not changed: `ends` compares the ends of a chunk if the file's
    /// modification time differs, `full` compares every byte
    #[arg(long, value_enum, default_value_t, value_name = "ends|full")]
    check_inputs: CheckInputs,
    /// Take the inputs and the settings from the count in this recipe, and --chunk and --shards from its
    /// `cluster` section
    #[arg(long, value_name = "TOML")]
    recipe: Option<PathBuf>,
    /// The final table
    #[arg(short, long, value_name = "DIR|URL", conflicts_with = "recipe", help_heading = "Outputs")]
    output: Option<String>,
    #[command(flatten)]
    settings: CountSettings,
    /// Continue an earlier run of the same count, keeping the shards that are done
    #[arg(long, help_heading = "Outputs")]
    resume: bool,
    #[command(flatten)]
    run: ChangeRunArgs,
}

/// The default size of a chunk, in bytes.
const CHUNK_BYTES: u64 = 1 << 30;

pub(super) fn plan(args: &ClusterPlanArgs) -> anyhow::Result<()> {
    let mut count = SharedCount::of(args)?;
    if let Some(list) = count.settings.replay.list.rejects.as_mut().filter(|list| !is_streamed(list)) {
        *list = path::absolute(&list)?;
    }
    let run: &RunArgs = &args.run;
    let planned = with_progress(run, |run| {
        cluster::check_count(&count.paths, &count.settings, count.output.as_ref(), &run)?;
        let planned = cluster::plan(&count.paths, count.chunk_bytes, args.check_inputs, &run)?;
        count.settings.check_plan(planned.name)?;
        Ok(planned)
    })?;
    exit::warn(&planned.warnings);
    exit::warn(&count.output.as_ref().map_or_else(Vec::new, cluster::list_leftovers));
    let mut head = json!({
        "format": cluster::PLAN_FORMAT,
        "plan": planned.name.to_string(),
        "shards": count.settings.sorting.shards,
        "copies": count.settings.copy_buckets(),
        "flags": flags(&count, args, planned.name)?,
    });
    for (key, value) in [("master", json!(count.master)), ("then", json!(count.then))] {
        if !value.is_null() {
            head[key] = value;
        }
    }
    let mut out = terminal::stdout();
    out.json_line(&head)?;
    planned.chunks.iter().try_for_each(|chunk| writeln!(out, "{}", chunk.text()))?;
    Ok(())
}

/// What to count and how, as described by flags or by a recipe.
struct SharedCount {
    paths: Vec<String>,
    settings: CountSettings,
    output: Option<Place>,
    chunk_bytes: u64,
    master: Option<String>,
    /// The arguments of the `tabia` call that runs the rest of the recipe. The call runs on one machine,
    /// after the table is complete.
    then: Option<Vec<String>>,
}

impl SharedCount {
    fn of(args: &ClusterPlanArgs) -> anyhow::Result<Self> {
        match &args.recipe {
            Some(recipe) => Self::of_recipe(recipe, args),
            None => Ok(Self {
                paths: args.paths.clone(),
                settings: args.settings.clone(),
                output: args.output.as_deref().map(Place::new).transpose()?,
                chunk_bytes: args.chunk.map_or(CHUNK_BYTES, |size| size.0),
                master: None,
                then: None,
            }),
        }
    }

    fn of_recipe(path: &Path, args: &ClusterPlanArgs) -> anyhow::Result<Self> {
        if json!(args.settings) != json!(CountSettings::default()) {
            bail!(Usage(
                "--recipe: the recipe already says how games are counted; change the settings there".into()
            ));
        }
        let recipe = read_recipe(path)?;
        let wrong = |error| wrong_recipe(path, &error);
        let count = recipe.shared_count().map_err(wrong)?;
        let of_recipe = recipe.cluster.chunk_bytes().map_err(wrong)?;
        let text = |path: &Path| path.to_string_lossy().into_owned();
        let then = ["run".into(), text(path), "--counted".into(), text(&count.output)];
        let games = count.games;
        Ok(Self {
            paths: games.read.paths,
            settings: CountSettings {
                read: games.read.options,
                replay: games.replay,
                sorting: count.tally.sorting,
            },
            output: Some(Place::new(&text(&count.output))?),
            chunk_bytes: args.chunk.map(|size| size.0).or(of_recipe).unwrap_or(CHUNK_BYTES),
            master: recipe.cluster.master,
            then: count.goes_on.then(|| then.into()),
        })
    }
}

/// Returns the flags that each of the other `cluster` commands needs for this count.
fn flags(count: &SharedCount, args: &ClusterPlanArgs, plan: PlanId) -> anyhow::Result<Value> {
    let absolute = |path: &Path| Ok::<_, io::Error>(path::absolute(path)?.to_string_lossy().into_owned());
    let output = count.output.as_ref().map(|output| match output {
        Place::Folder(path) => absolute(path),
        Place::Store(url) => Ok(url.to_string()),
    });
    let output = output.transpose()?;
    let output = output.map_or_else(Vec::new, |path| vec!["-o".to_owned(), path]);
    let run: &RunArgs = &args.run;
    let mut tasks = vec!["--settings".to_owned(), serde_json::to_string(&count.settings)?];
    let resume = args.resume.then(|| "--resume".to_owned());
    let hold: Vec<String> = tasks.iter().chain(&output).cloned().chain(resume).collect();
    if let Some(memory) = run.memory {
        tasks.extend(["--memory".into(), format!("{}MiB", memory.0)]);
    }
    if let Some(threads) = run.threads {
        tasks.extend(["--threads".into(), threads.to_string()]);
    }
    if let Some(folder) = &run.temp_dir {
        tasks.extend(["--temp-dir".into(), absolute(folder)?]);
    }
    let reduce: Vec<&String> = tasks.iter().chain(&output).collect();
    let of_plan = ["--plan".to_owned(), plan.to_string()];
    let map: Vec<&String> = of_plan.iter().chain(&tasks).collect();
    let asked = [
        (run.force, "--force"),
        (run.no_wait, "--no-wait"),
        (run.allow_empty, "--allow-empty"),
        (run.strict, "--strict"),
        (run.json, "--json"),
        (run.quiet, "--quiet"),
    ];
    let asked = asked.into_iter().filter(|(is_asked, _)| *is_asked).map(|(_, flag)| flag.to_owned());
    let commit: Vec<String> = output.iter().cloned().chain(asked).collect();
    Ok(json!({ "hold": hold, "map": map, "reduce": reduce, "commit": commit }))
}
