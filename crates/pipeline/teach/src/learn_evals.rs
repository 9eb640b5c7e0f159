//! `learn-evals` turns lists of evaluated positions into rows of kind `evaluation`.
//!
//! # Flow
//!
//! 1. All threads read lines and push the evaluations of positions and moves into a sorter ([`sorted`]). If a
//!    position or move has several evaluations, the sorter keeps only the most reliable: the deepest or,
//!    among equally deep ones, the one with the most nodes. Among evaluations that are equally deep and have
//!    equally many nodes, the sorter keeps the one from the list whose name comes first in alphabetical order
//!    or, within one list, the one with the highest value.
//! 2. The sorted rows are written. If the stage has a table or book as input, rows for positions that are not
//!    in it are left out ([`only`]).
//!
//! # Memory
//!
//! The sorter spills when it reaches its memory limit. A table or book is read row by row, in step with the
//! sorted evaluations.

mod error;
mod only;
mod sorted;

use std::path::Path;

use clap::Args;
use experience::{Base, Change};
use games::{
    driver::{
        Reading, drive,
        source::{Order, Source, StageNames},
    },
    rejects::RejectLog,
};
use pgn::input::{ChunkOptions, GameBounds, Input, Unit};
use run::{Context, Output, Result, RunError, SettingError, base_name};
use serde::{Deserialize, Serialize};
use stage::{Flow, FlowFile, Inputs, Parallelism, Port, Signature, Stage};

use self::{error::no_list, sorted::EvalSink};
use super::LessonFiles;

/// The maximum length of a line in bytes; no list of evaluations has longer lines.
const LINE_BYTES_MAX: usize = 1 << 20;

/// Settings of `learn-evals`.
#[derive(Args, Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct LearnEvals {
    /// Lists of evaluated positions, or folders of lists; `-` is standard input. A list is a file in
    /// Lichess's format, EPD with values or CSV with named columns (compressed or not), or a Parquet file
    /// with the same columns as CSV
    #[arg(required = true, value_name = "LIST")]
    pub paths: Vec<String>,
    /// The files to write, and the experience file to continue.
    #[command(flatten)]
    #[serde(flatten)]
    pub files: LessonFiles,
    /// Decompress Zstandard and xz files that need a window of more than 128 MiB of memory
    #[arg(long, help_heading = "Input")]
    pub long_window: bool,
}

impl Stage for LearnEvals {
    fn signature(&self) -> Signature {
        Signature::new(&[], Port::Experience, Parallelism::Breaker).and_any(Port::Counts)
    }

    fn note(&self) -> String {
        self.paths.join(" ")
    }

    fn outputs(&self) -> Vec<Output> {
        self.files.outputs()
    }

    fn reads(&self) -> Vec<&Path> {
        self.files.reads(&self.paths)
    }

    fn check(&self, inputs: &Inputs<'_>) -> Result<(), SettingError> {
        self.files.check()?;
        SettingError::missing("paths", "lists of evaluated positions").unless(!self.paths.is_empty())?;
        SettingError::because("inputs", "is at most one table or book").unless(inputs.len() <= 1)
    }

    fn run(&self, context: &Context, _: &str, inputs: Vec<Flow>) -> Result<Flow> {
        self.learn(context, inputs).map_err(no_list)
    }
}

impl LearnEvals {
    fn learn(&self, context: &Context, inputs: Vec<Flow>) -> Result<Flow> {
        let only = inputs.into_iter().next().map(|given| given.counts(context)).transpose()?;
        let old = self.files.open_old()?;
        let log = self.files.rejects.as_deref().map(|path| RejectLog::create(path, false, context, None));
        let reading = Reading::new(context, log.transpose()?).of_records();
        let inputs = self.inputs(context)?;
        let names = inputs.iter().map(|input| input.name().to_owned()).collect();
        let source = Source::open(
            inputs,
            Order::Any,
            &self.chunk_options(context),
            reading.stop(),
            StageNames::default(),
        )?;
        let memory_bytes = context.memory.count_beside(source.window_bytes());
        let sink = EvalSink::new(context, names, memory_bytes, reading.stop())?;
        let mut read = drive(reading, source, &sink)?;
        read.report_learning(context)?;
        let mut rows = sink.into_rows(context)?;
        let base = Base {
            old: old.as_ref(),
            table: only.as_ref().and_then(|counts| counts.digest()).map(ToOwned::to_owned),
            sources: read.experience_sources("evals"),
            evaluations: true,
            ..Base::default()
        };
        let (mut failed, output) = (None, self.files.output.as_deref());
        let found = only::wanted(&mut rows, only.as_deref())
            .map_while(|found| found.map_err(|error| failed = Some(error)).ok());
        let flow = match &old {
            Some(_) => FlowFile::of_changes(context, output, &base, found.map(Change::from)),
            None => FlowFile::of_evaluations(context, output, &base, found),
        }?;
        // If the stage fails, the output written above is never published.
        if let Some(error) = failed {
            return Err(error);
        }
        let is_empty = context.summary().experience_rows == 0;
        if only.is_some() && is_empty && !context.options.allow_empty {
            let why = "none of the evaluated positions is in the table or the book".to_owned();
            Err(RunError::Empty(why).into())
        } else {
            Ok(flow)
        }
    }

    /// The inputs, sorted by name so that the order in which the user listed them does not matter.
    fn inputs(&self, context: &Context) -> Result<Vec<Input>> {
        let mut inputs = context.inputs(evals::expand(&self.paths)?);
        inputs.sort_by_cached_key(|input| (base_name(input.name()), input.name().to_owned()));
        Ok(inputs)
    }

    fn chunk_options(&self, context: &Context) -> ChunkOptions {
        ChunkOptions {
            threads: context.threads,
            unit: Unit::Lines,
            bounds: GameBounds { max_game_bytes: LINE_BYTES_MAX, ..GameBounds::default() },
            long_window: self.long_window,
            window_bytes_max: context.memory.window_bytes_max(),
            ..ChunkOptions::default()
        }
    }
}
