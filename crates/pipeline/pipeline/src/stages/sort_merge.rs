//! `sort-merge` sorts observations, adds up equal observations, and keeps the sums as a table or as sorted
//! runs. This stage is the pipeline breaker: it takes all its input before it returns anything.

use std::path::PathBuf;

use clap::Args;
use count::{
    Counts, ExampleSettings, GameSpools, SortedCounts, Sorting, give_back_during,
    sort::{Part, count, table_counting},
    write_examples,
};
use games::driver::tee::Second;
use games::{Copies, GameStream};
use pgn::filter::Where;
use run::{Context, FileFormat, Output, PartReport, Result, RunError, SettingError, StageError};
use serde::{Deserialize, Serialize};
use stage::{Flow, Inputs, Parallelism, Port, Signature, Stage, StageInputs};
use table::{ShardInfo, Table, TableWriter};

/// The maximum number of part files in a table.
const SHARDS_MAX: u32 = 65_536;

/// Settings of `sort-merge`.
#[derive(Args, Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct SortMerge {
    /// The table to write
    #[arg(short, long, value_name = "DIR", help_heading = "Outputs")]
    pub output: Option<PathBuf>,
    /// Of the games that the replay accepts, count only those whose tags match this expression. All counts
    /// with the same replay are made in one pass over the games
    #[arg(id = "where", long = "where", value_name = "EXPR")]
    #[serde(rename = "where")]
    pub expression: Option<Where>,
    /// How rows are sorted.
    #[command(flatten)]
    #[serde(flatten)]
    pub sorting: Sorting,
    /// Which rows of the table get games as examples.
    #[command(flatten)]
    #[serde(flatten)]
    pub examples: ExampleSettings,
}

impl Stage for SortMerge {
    fn signature(&self) -> Signature {
        Signature::new(&[Port::Observations], Port::Table, Parallelism::Breaker)
    }

    fn note(&self) -> String {
        let only = self.expression.as_ref().map(|only| format!("where {only}"));
        let output = self.output.as_ref().map(|path| path.display().to_string());
        let parts = only.into_iter().chain([format!("{} shards", self.sorting.shards)]).chain(output);
        parts.collect::<Vec<_>>().join(", ")
    }

    fn outputs(&self) -> Vec<Output> {
        FileFormat::Table.at(&self.output)
    }

    fn check(&self, inputs: &Inputs<'_>) -> Result<(), SettingError> {
        let replayed = inputs.first().and_then(|input| input.replays());
        let (examples, has_examples) = (&self.examples, self.examples.examples.is_some());
        let of_lines = SettingError::because("examples", "are games, and the lines of a repertoire are none");
        of_lines.unless(!has_examples || replayed.is_none_or(|options| !options.counting.repertoire))?;
        self.output.as_deref().map_or(Ok(()), |output| SettingError::check_not_stdout("output", output))?;
        let Sorting { shards, fan_in, .. } = self.sorting;
        let is_possible = shards.is_power_of_two() && shards <= SHARDS_MAX;
        SettingError::new("shards", "a power of two from 1 to 65536", shards).unless(is_possible)?;
        let fan_in = fan_in.unwrap_or(2);
        SettingError::new("fan_in", "at least 2", fan_in).unless(fan_in >= 2)?;
        let no_table = SettingError::because("examples", "needs a table to keep them in");
        no_table.unless(!has_examples || self.output.is_some())?;
        examples.check()
    }

    fn run(&self, context: &Context, _: &str, inputs: Vec<Flow>) -> Result<Flow> {
        self.counted(context, &*StageInputs::new(inputs).take().observations()?, None)
    }
}

impl SortMerge {
    /// Counts the games of `stream`. If there is a sink for marks, the marks are read at the same time.
    pub(crate) fn counted(
        &self,
        context: &Context,
        stream: &GameStream,
        marks: Option<&dyn Second>,
    ) -> Result<Flow> {
        let stream = stream.only(self.expression.as_ref());
        // The writer is made before anything is counted, so that the run fails at once if the table cannot
        // be written.
        let writer = self.writer(context, &stream)?;
        let spools = self.spools(context, &stream)?;
        let part = Part { expression: None, ..self.part("", spools.as_ref()) };
        let (mut counts, copies) = count(context, &stream, &[part], writer.is_some(), marks)?;
        self.written(context, counts.remove(0), writer, (copies.as_deref(), spools))
    }

    /// Makes several counts of the games of `stream` in one pass. `counts` pairs each count with the name of
    /// its stage.
    pub(crate) fn run_together(
        context: &Context,
        counts: &[(&str, &Self)],
        stream: &GameStream,
    ) -> Result<Vec<Flow>> {
        let spools =
            counts.iter().map(|(_, count)| count.spools(context, stream)).collect::<Result<Vec<_>>>()?;
        let parts =
            counts.iter().zip(&spools).map(|(&(name, count), spools)| count.part(name, spools.as_ref()));
        let parts: Vec<_> = parts.collect();
        if let Some((stage, error)) = refused(stream, &parts) {
            return Err(StageError::of(stage)(error).into());
        }
        let writer = |part: &(&str, &Self)| part.1.writer(context, &stream.only(part.1.expression.as_ref()));
        let writers = counts.iter().map(writer).collect::<Result<Vec<_>>>()?;
        let keep = writers.iter().any(Option::is_some);
        let (sorted, copies) = count(context, stream, &parts, keep, None)?;
        let flows = sorted.into_iter().zip(writers).zip(spools).zip(counts).map(
            |(((sorted, writer), spools), (name, count))| {
                let games = sorted.sources.iter().map(|source| source.accepted).sum();
                let flow = count.written(context, sorted, writer, (copies.as_deref(), spools))?;
                context.summary().parts.push(PartReport { stage: (*name).to_owned(), games });
                Ok(flow)
            },
        );
        flows.collect()
    }

    /// Writes the counts as a table if there is a writer; otherwise keeps them as sorted runs.
    fn written(
        &self,
        context: &Context,
        counts: SortedCounts,
        writer: Option<TableWriter>,
        games: (Option<&Copies>, Option<GameSpools>),
    ) -> Result<Flow> {
        let counts = match writer {
            None => Counts::Sorted(counts),
            Some(writer) => Counts::Table(self.write_table(context, counts, writer, games)?),
        };
        Ok(Flow::Table(counts.into()))
    }

    fn write_table(
        &self,
        context: &Context,
        counts: SortedCounts,
        writer: TableWriter,
        (copies, spools): (Option<&Copies>, Option<GameSpools>),
    ) -> Result<Table> {
        let fingerprints = copies.map(|copies| copies.write_fingerprints(&writer)).transpose()?.flatten();
        let writer = writer.with_fingerprints(fingerprints);
        let shards = context.for_each_shard("writing the table", counts.runs.shards(), |shard| {
            write_shard(context, &counts, &writer, shard)
        })?;
        let sources = counts.sources.clone();
        let (table, prepared) = match self.examples.rule().zip(spools) {
            None => give_back_during(counts, || writer.prepare(shards, sources))?,
            Some((rule, mut spools)) => {
                drop(counts);
                let examples = write_examples(context, &mut spools, (&writer, &shards), rule)?;
                writer.with_examples(Some(examples)).prepare(shards, sources)?
            }
        };
        context.prepared(prepared);
        context.summary().edges += table.manifest().rows;
        Ok(table)
    }

    /// Makes spools for the games if examples are chosen from them.
    fn spools(&self, context: &Context, stream: &GameStream) -> Result<Option<GameSpools>> {
        if self.examples.rule().is_some() && context.options.resume.is_some() {
            let why = "games that wait to be examples do not outlive a run";
            return Err(RunError::NotResumable(why.into()).into());
        }
        Ok(self.examples.rule().map(|_| GameSpools::new(context, &stream.replay.options)))
    }

    fn part<'p>(&'p self, name: &'p str, spools: Option<&'p GameSpools>) -> Part<'p> {
        Part { name, expression: self.expression.as_ref(), sorting: &self.sorting, spools }
    }

    /// The writer of the table; `None` if the count has no output.
    fn writer(&self, context: &Context, stream: &GameStream) -> Result<Option<TableWriter>> {
        let Some(path) = self.output.as_deref() else { return Ok(None) };
        let counting = table_counting(&stream.replay.options);
        Ok(Some(TableWriter::create(path, counting, self.sorting.shards, context.options.force)?))
    }
}

/// The name of a stage that cannot share a pass with the others, and the error that says why; `None` if all
/// stages can share a pass.
fn refused<'p>(stream: &GameStream, parts: &[Part<'p>]) -> Option<(&'p str, SettingError)> {
    let because = |part: &Part<'p>, key, why: &str| Some((part.name, SettingError::because(key, why)));
    if stream.replay.options.counting.repertoire {
        return because(
            &parts[0],
            "repertoire",
            "needs a replay for each count: several counts share games, not lines",
        );
    }
    let part = parts.iter().find(|part| part.expression.is_some() && stream.leaves_out_copies())?;
    let why =
        "cannot be beside another count and with `dedup_games`: which of two copies counts depends on it";
    because(part, "where", why)
}

fn write_shard(
    context: &Context,
    counts: &SortedCounts,
    writer: &TableWriter,
    shard: u32,
) -> Result<ShardInfo> {
    let mut out = writer.shard(shard)?;
    counts.runs.bucket(shard)?.write_to(&mut out, || context.check_interrupt())?;
    Ok(out.finish()?)
}
