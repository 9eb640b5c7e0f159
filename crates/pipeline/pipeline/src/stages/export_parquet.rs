//! `export-parquet`: writes counts, experience and the names of openings as readable Parquet.

mod wanted;

use std::path::{Path, PathBuf};

use analysis::{Cut, ExportOptions, Extras, Folder, KeyType, OneShard};
use clap::Args;
use count::Counts;
use openings::Openings;
use position::{Key, PackedMove};
use run::{Context, FileFormat, Output, Result, SettingError, StageError, WITHOUT_FEN, values::as_text};
use serde::{Deserialize, Serialize};
use stage::{Flow, Inputs, Parallelism, Port, Signature, Stage, StageInputs};
use table::SortedRows as _;

use self::wanted::Selection;
use super::known::{KnownExperience, openings_of};

/// Settings of `export-parquet`.
#[derive(Args, Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct ExportParquet {
    /// The folder to write
    #[arg(short, long, value_name = "DIR", help_heading = "Outputs")]
    pub output: PathBuf,
    /// How keys are written: u64, or i64 for Spark and Iceberg
    #[arg(long, value_name = "u64|i64", default_value_t)]
    #[serde(with = "as_text")]
    pub key_type: KeyType,
    /// Write a folder of moves for each month (Hive partitioning); for tables counted with --by month
    #[arg(long)]
    pub month_folders: bool,
    /// Export only this shard of a table (the first is 0), so that several tasks can share an export; needs
    /// --only moves --without san
    #[arg(long, value_name = "N")]
    pub shard: Option<u32>,
    /// A TSV file of openings with the columns eco, name and pgn [default: the bundled catalogue]
    #[arg(long, value_name = "TSV")]
    pub openings: Option<PathBuf>,
    /// What is exported.
    #[command(flatten)]
    #[serde(flatten)]
    pub wanted: Selection,
}

impl Stage for ExportParquet {
    fn signature(&self) -> Signature {
        Signature::new(&[Port::Counts], Port::File, Parallelism::PerShard).and_any(Port::Experience)
    }

    fn note(&self) -> String {
        let folders = if self.month_folders { ", a folder a month" } else { "" };
        format!("{}, keys {}{folders}", self.output.display(), self.key_type)
    }

    fn outputs(&self) -> Vec<Output> {
        FileFormat::Parquet.at([&self.output])
    }

    fn reads(&self) -> Vec<&Path> {
        self.openings.iter().map(PathBuf::as_path).collect()
    }

    fn check(&self, _: &Inputs<'_>) -> Result<(), SettingError> {
        SettingError::check_not_stdout("output", &self.output)?;
        self.wanted.cut()?;
        Ok(())
    }

    fn run(&self, context: &Context, name: &str, inputs: Vec<Flow>) -> Result<Flow> {
        let mut inputs = StageInputs::new(inputs);
        let input = inputs.take();
        let known = KnownExperience::of(context, Some(&input), inputs.experience()?, true)?;
        let counts = input.counts(context)?;
        let cut = self.wanted.cut().map_err(StageError::of(name))?;
        let options = self.options(context, &counts, cut);
        self.check_shard(&counts, &options).map_err(StageError::of(name))?;
        let openings = openings_of(self.openings.as_deref())?;
        let written = export_rows(context, &counts, &known, &openings, &options, &self.output)?;
        let rows = |folder| match folder {
            Folder::Moves => written.moves,
            Folder::Positions => written.positions,
            Folder::Openings => written.openings,
            Folder::Lines => written.lines,
            Folder::Examples => written.examples,
        };
        let mut folders = self.wanted.folders();
        folders.retain(|folder| *folder != Folder::Examples || written.examples > 0);
        let exported = folders.iter().map(|folder| (folder.to_string(), rows(*folder)));
        context
            .summary()
            .exported
            .extend(exported.chain([(WITHOUT_FEN.into(), written.unreached_positions)]));
        Ok(Flow::File)
    }
}

impl ExportParquet {
    fn options(&self, context: &Context, counts: &Counts, cut: Cut) -> ExportOptions {
        let options = ExportOptions {
            key_type: self.key_type,
            month_folders: self.month_folders,
            folders: self.wanted.folders(),
            cut,
            shard: self
                .shard
                .zip(counts.digest())
                .map(|(number, table)| OneShard { number, table: table.into() }),
            with: self.wanted.with.clone(),
            without: self.wanted.without.clone(),
            threads: context.threads,
            memory_bytes: counts.memory_beside(context),
            temp_dir: context.temp_dir.clone(),
            force: context.options.force,
            metadata: vec![("tabia.counting".into(), counts.provenance()["counting"].to_string())],
            ..ExportOptions::default()
        };
        let has_steps = matches!(counts, Counts::Table(_));
        ExportOptions { walks: !has_steps || options.needs_boards(), ..options }
    }

    /// If only one shard is exported, refuses a shard that does not exist and options that need a walk
    /// through the whole table.
    fn check_shard(&self, counts: &Counts, options: &ExportOptions) -> Result<(), SettingError> {
        let Some(shard) = self.shard else { return Ok(()) };
        let why = "needs a table, --only moves and --without san: everything else needs a walk through the whole table";
        SettingError::because("shard", why).unless(!options.walks)?;
        let shards = counts.shards();
        let expected = format!("below {shards} (the table has {shards} shards)");
        SettingError::new("shard", &expected, shard).unless(shard < shards)
    }
}

/// Writes the chosen folders of an export of `counts`.
fn export_rows(
    context: &Context,
    counts: &Counts,
    known: &KnownExperience,
    openings: &Openings,
    options: &ExportOptions,
    output: &Path,
) -> Result<analysis::ExportReport> {
    let look_up = |key: Key, mv: PackedMove| known.look_up(key, mv);
    let evaluations = |key: Key, mv: PackedMove| known.evaluations(key, mv);
    let examples = match counts {
        Counts::Table(table) => table.examples()?,
        Counts::Sorted(_) => None,
    };
    let kept = SettingError::because("only examples", "are kept by tables of `tabia count --examples` alone");
    kept.unless(examples.is_some() || options.folders != [Folder::Examples])?;
    let extras = Extras {
        openings,
        experience: (!known.is_empty()).then_some(&look_up),
        evaluations: known.is_evaluated().then_some(&evaluations),
        examples,
    };
    let progress = |done| context.options.walked(done);
    let (report, prepared) = analysis::prepare_export(counts, extras, options, output, &progress)?;
    context.prepared(prepared);
    Ok(report)
}
