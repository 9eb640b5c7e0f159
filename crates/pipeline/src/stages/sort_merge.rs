//! `sort-merge`: the pipeline breaker. Observations are sorted, equal ones summed; kept as a table or as sorted runs.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use table::{ShardInfo, Table, TableWriter};

use crate::{
    Context, Counts, Error, Flow, Result,
    catalogue::Stage,
    count::{count, table_counting},
    counts::give_back_during,
    flow::only_input,
    recipe::read_settings,
    shards::for_each_shard,
};

/// Settings of `sort-merge`.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct SortMergeSettings {
    /// Where the table goes; left out, none is kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<PathBuf>,
    /// Part files of the table: a power of two from 1 to 4096.
    #[serde(default = "default_shards")]
    pub shards: u32,
    /// How many spilled runs are merged at once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fan_in: Option<usize>,
}

fn default_shards() -> u32 {
    table::DEFAULT_SHARDS
}

/// Sorts and sums.
pub struct SortMerge {
    settings: SortMergeSettings,
}

impl SortMerge {
    pub(crate) fn read(section: &str, settings: toml::Table) -> Result<Self> {
        let settings: SortMergeSettings = read_settings(section, settings)?;
        if !settings.shards.is_power_of_two() || settings.shards > 4096 {
            let got = settings.shards;
            return Err(Error::Recipe(format!(
                "{section}: `shards` must be a power of two from 1 to 4096, not {got}"
            )));
        }
        if settings.fan_in.is_some_and(|fan_in| fan_in < 2) {
            return Err(Error::Recipe(format!("{section}: `fan_in` must be at least 2")));
        }
        Ok(Self { settings })
    }
}

impl Stage for SortMerge {
    fn note(&self) -> String {
        let shards = self.settings.shards;
        let output = self.settings.output.as_ref();
        output
            .map_or_else(|| format!("{shards} shards"), |path| format!("{shards} shards, {}", path.display()))
    }

    fn outputs(&self) -> Vec<PathBuf> {
        self.settings.output.iter().cloned().collect()
    }

    fn run(&self, context: &Context, inputs: Vec<Flow>) -> Result<Flow> {
        let stream = only_input!(inputs, Observations);
        // Before anything is counted, so that a table that cannot be written is told at once.
        let writer = self.settings.output.as_deref().map(|path| {
            TableWriter::create(path, table_counting(&stream.options), self.settings.shards, context.force)
        });
        let writer = writer.transpose()?;
        let counts = Counts::Sorted(count(context, &stream, &self.settings)?);
        let counts = match writer {
            None => counts,
            Some(writer) => Counts::Table(write_table(context, counts, writer)?),
        };
        Ok(Flow::Table(counts.into()))
    }
}

fn write_table(context: &Context, counts: Counts, writer: TableWriter) -> Result<Table> {
    let shards = for_each_shard(context, "writing the table", counts.shards(), |shard| {
        write_shard(context, &counts, &writer, shard)
    })?;
    let sources = counts.sources().to_vec();
    let table = give_back_during(counts, || writer.finish(shards, sources))?;
    context.wrote(table.path());
    context.report().edges = table.manifest().rows;
    Ok(table)
}

fn write_shard(context: &Context, counts: &Counts, writer: &TableWriter, shard: u32) -> Result<ShardInfo> {
    let (mut out, mut rows, mut batch) = (writer.shard(shard)?, counts.shard(shard)?, Vec::new());
    while rows.next_batch(&mut batch)? {
        context.check_cancelled()?;
        out.push_batch(&batch)?;
    }
    Ok(out.finish()?)
}
