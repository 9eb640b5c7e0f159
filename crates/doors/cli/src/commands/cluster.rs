//! `tabia cluster`: the parts of a count that machines share.

use std::{
    io::{self, BufReader, IsTerminal as _, Write as _},
    path::{self, Path},
};

use anyhow::bail;
use cluster::{Chunk, Commit, CountSettings, MergeShard, Place, Reduce};
use run::RunOptions;
use serde_json::{Value, json};

use super::pipelines::{read_recipe, run_and_report, wrong_recipe};
use crate::{
    args::{
        Cluster, ClusterCommitArgs, ClusterMapArgs, ClusterMergeArgs, ClusterPlanArgs, ClusterReduceArgs,
        RunArgs, SettingsArgs,
    },
    exit::{self, Usage},
    signal, terminal,
};

/// Bytes of a chunk unless another size is asked for.
const CHUNK_BYTES: u64 = 1 << 30;

/// `tabia cluster`.
pub(crate) fn cluster(what: &Cluster) -> anyhow::Result<()> {
    match what {
        Cluster::Plan(args) => plan(args),
        Cluster::Map(args) => map(args),
        Cluster::Reduce(args) => reduce(args),
        Cluster::Commit(args) => commit(args),
        Cluster::Merge(args) => merge(args),
    }
}

fn plan(args: &ClusterPlanArgs) -> anyhow::Result<()> {
    if args.resume {
        bail!(Usage("--resume: needs one machine: the engine starts lost tasks again".into()));
    }
    let count = SharedCount::of(args)?;
    let run = RunOptions { force: args.run.force, ..RunOptions::default() };
    cluster::check_count(&count.paths, &count.settings, count.output.as_ref(), &run)?;
    let (chunks, warnings) = cluster::plan(&count.paths, count.chunk_bytes)?;
    exit::warn(&warnings);
    let of_all = json!({
        "shards": count.settings.sorting.shards,
        "flags": flags(&count, &args.run)?,
        "master": count.master,
        "then": count.then,
    });
    let mut out = terminal::stdout();
    for chunk in chunks {
        let (Value::Object(mut line), Value::Object(of_all)) =
            (serde_json::to_value(&chunk)?, of_all.clone())
        else {
            unreachable!("both are objects")
        };
        line.extend(of_all.into_iter().filter(|(_, value)| !value.is_null()));
        out.json_line(&line)?;
    }
    Ok(())
}

/// What is counted, by flags or by a recipe.
struct SharedCount {
    paths: Vec<String>,
    settings: CountSettings,
    output: Option<Place>,
    chunk_bytes: u64,
    master: Option<String>,
    /// The arguments with which one machine continues when the table is complete.
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
            bail!(Usage("--recipe: how games are counted is the recipe's: change it there".into()));
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

/// The flags that the other commands take for this count.
fn flags(count: &SharedCount, run: &RunArgs) -> anyhow::Result<Value> {
    let absolute = |path: &Path| Ok::<_, io::Error>(path::absolute(path)?.to_string_lossy().into_owned());
    let output = count.output.as_ref().map(|output| match output {
        Place::Folder(path) => absolute(path),
        Place::Store(url) => Ok(url.to_string()),
    });
    let output = output.transpose()?;
    let output = output.map_or_else(Vec::new, |path| vec!["-o".to_owned(), path]);
    let mut tasks = vec!["--settings".to_owned(), serde_json::to_string(&count.settings)?];
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
    Ok(json!({ "map": tasks, "reduce": reduce, "commit": commit }))
}

fn map(args: &ClusterMapArgs) -> anyhow::Result<()> {
    let chunk = Chunk::parse(&args.chunk).map_err(run::Error::from)?;
    let settings = settings(&args.settings)?;
    if io::stdout().is_terminal() {
        bail!(Usage("the records are binary: send standard output to a file or a program".into()));
    }
    let out = io::BufWriter::with_capacity(1 << 20, Records(terminal::binary_stdout()?));
    Ok(cluster::map(&chunk, &settings, &args.task.limits(), task_options()?, out)?)
}

fn reduce(args: &ClusterReduceArgs) -> anyhow::Result<()> {
    let job = Reduce {
        plan: args.plan,
        settings: settings(&args.settings)?,
        output: Place::new(&args.output)?,
        attempt: args.attempt.clone(),
    };
    let input = BufReader::with_capacity(1 << 20, io::stdin().lock());
    let print = |line: &str| {
        writeln!(terminal::stdout(), "{line}").map_err(fault::output("standard output".as_ref()))
    };
    Ok(cluster::reduce(&job, &args.task.limits(), task_options()?, input, print)?)
}

fn commit(args: &ClusterCommitArgs) -> anyhow::Result<()> {
    let job = Commit { output: Place::new(&args.output)? };
    let put_together = |run| cluster::commit(&job, &run, io::stdin().lock());
    run_and_report(&args.run, put_together)
}

fn merge(args: &ClusterMergeArgs) -> anyhow::Result<()> {
    let job = MergeShard {
        tables: args.tables.clone(),
        output: Place::new(&args.output)?,
        shard: args.shard,
        attempt: args.attempt.clone(),
        drop_groups: args.drop_groups,
    };
    let run = RunOptions { force: args.force, ..task_options()? };
    Ok(writeln!(terminal::stdout(), "{}", cluster::merge_shard(&job, &run)?)?)
}

fn settings(args: &SettingsArgs) -> anyhow::Result<CountSettings> {
    args.get().map_err(|error| Usage(format!("--settings: {error}")).into())
}

/// A task shows no progress, and ends when a signal asks it to.
fn task_options() -> anyhow::Result<RunOptions> {
    Ok(RunOptions { interrupt: signal::interrupt_flag()?, ..RunOptions::default() })
}

/// Standard output that another program reads to its end: if that program goes away, records are lost, and
/// the task fails.
struct Records<W>(W);

impl<W: io::Write> io::Write for Records<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes).map_err(|error| io::Error::other(error.to_string()))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush().map_err(|error| io::Error::other(error.to_string()))
    }
}
