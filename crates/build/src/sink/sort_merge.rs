//! `sort-merge`: the pipeline breaker. Observations are sorted, equal ones summed; kept as a
//! table or as sorted runs.

mod count;

use std::path::PathBuf;

use clap::Args;
use serde::{Deserialize, Serialize};
use table::{RowBatches as _, ShardInfo, SortedRows as _, Table, TableWriter};

pub(crate) use self::count::{count_inputs, table_counting};
use crate::{
    Context, Result,
    copies::Copies,
    counts::{Counts, give_back_during},
    error::SettingError,
    shard::for_each_shard,
    stage::{Flow, Inputs, Port, Signature, Spread, Stage, Taken},
};

/// Part files that a table can have at most.
const SHARDS_MAX: u32 = 4096;

/// Settings of `sort-merge`.
#[derive(Args, Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct SortMerge {
    /// The table to write
    #[arg(short, long, value_name = "DIR", help_heading = "Outputs")]
    pub output: Option<PathBuf>,
    /// How rows are sorted.
    #[command(flatten)]
    #[serde(flatten)]
    pub sorting: Sorting,
}

/// How rows are sorted.
#[derive(Args, Clone, Debug, Deserialize, Serialize)]
#[serde(default)]
pub struct Sorting {
    /// Number of part files of the table, a power of two
    #[arg(long, value_name = "N", default_value_t = Sorting::default().shards, help_heading = "Counting")]
    pub shards: u32,
    /// How many spilled runs are merged at once
    #[arg(long, value_name = "N", hide = true)]
    pub fan_in: Option<usize>,
    /// What runs are made of, where they are sent to other machines.
    #[arg(skip)]
    #[serde(skip)]
    pub run_source: u64,
}

impl Default for Sorting {
    fn default() -> Self {
        Self { shards: table::DEFAULT_SHARDS, fan_in: None, run_source: 0 }
    }
}

impl Stage for SortMerge {
    fn signature(&self) -> Signature {
        Signature::new(&[Port::Observations], Port::Table, Spread::Breaker)
    }

    fn note(&self) -> String {
        let shards = format!("{} shards", self.sorting.shards);
        self.output.as_ref().map_or_else(|| shards.clone(), |path| format!("{shards}, {}", path.display()))
    }

    fn outputs(&self) -> Vec<PathBuf> {
        self.output.iter().cloned().collect()
    }

    fn check(&self, _: &Inputs<'_>) -> Result<(), SettingError> {
        self.output.as_deref().map_or(Ok(()), |output| SettingError::check_not_stdout("output", output))?;
        let Sorting { shards, fan_in, .. } = self.sorting;
        if !shards.is_power_of_two() || shards > SHARDS_MAX {
            return Err(SettingError::new("shards", "a power of two from 1 to 4096", shards));
        }
        match fan_in {
            Some(few) if few < 2 => Err(SettingError::new("fan_in", "at least 2", few)),
            _ => Ok(()),
        }
    }

    fn run(&self, context: &Context, _: &str, inputs: Vec<Flow>) -> Result<Flow> {
        let stream = Taken::new(inputs).next().observations()?;
        // Before anything is counted, so that a table that cannot be written fails at once.
        let create = |path| {
            let counting = table_counting(stream.replay());
            TableWriter::create(path, counting, self.sorting.shards, context.options.force)
        };
        let writer = self.output.as_deref().map(create).transpose()?;
        let (counts, copies) = count::count(context, &stream, &self.sorting, writer.is_some())?;
        let counts = Counts::Sorted(counts);
        let counts = match writer {
            None => counts,
            Some(writer) => Counts::Table(write_table(context, counts, writer, copies.as_deref())?),
        };
        Ok(Flow::Table(counts.into()))
    }
}

fn write_table(
    context: &Context,
    counts: Counts,
    writer: TableWriter,
    copies: Option<&Copies>,
) -> Result<Table> {
    let fingerprints = copies.map(|copies| copies.write_fingerprints(&writer)).transpose()?.flatten();
    let writer = writer.with_fingerprints(fingerprints);
    let shards = for_each_shard(context, "writing the table", counts.shards(), |shard| {
        write_shard(context, &counts, &writer, shard)
    })?;
    let sources = counts.sources().to_vec();
    let (table, prepared) = give_back_during(counts, || writer.prepare(shards, sources))?;
    context.prepared(prepared);
    context.summary().edges = table.manifest().rows;
    Ok(table)
}

fn write_shard(context: &Context, counts: &Counts, writer: &TableWriter, shard: u32) -> Result<ShardInfo> {
    let (mut out, mut rows, mut batch) = (writer.shard(shard)?, counts.shard(shard)?, Vec::new());
    while rows.next_batch(&mut batch)? {
        context.check_interrupt()?;
        out.push_batch(&batch)?;
    }
    Ok(out.finish()?)
}
