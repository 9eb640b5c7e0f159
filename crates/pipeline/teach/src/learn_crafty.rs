//! `learn-crafty` learns values from Crafty's learned PGN for the moves that a book will contain.
//!
//! # Flow
//!
//! 1. Records are read once and stored in a [`Spool`](games::spool::Spool), in input order ([`waiting`]).
//! 2. One pass over the shards finds the book moves of the positions in the records ([`book_moves`]).
//! 3. Values are learned from the stored records, one after another ([`lessons`]), because averaging depends
//!    on the order.
//! 4. The lessons are added to the older experience.
//!
//! # Memory
//!
//! Uses as much memory as `learn-games`, plus a little for the lessons of position learning.

mod lessons;
mod waiting;

use std::path::Path;

use clap::{ArgAction, Args};
use count::{KeptMoves, WeightedCounts, book_moves};
use experience::{Base, Change, merged};
use games::driver::{
    Read, Reading, drive,
    in_order::InOrder,
    source::{Order, Source, StageNames},
};
use learn::crafty::{Family, LearnedEdge, Options, ResultRecords};
use learned::Parser;
use pgn::input::ChunkOptions;
use run::{
    Context, Output, Result, SettingError,
    values::{as_text, option_as_text},
};
use serde::{Deserialize, Serialize};
use stage::{Flow, FlowFile, Inputs, Parallelism, Port, Signature, Stage, StageInputs};

pub(super) use self::lessons::Teaching;
use self::waiting::CollectedRecords;
use super::{LessonFiles, banned};

/// Settings of `learn-crafty`.
#[derive(Args, Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct LearnCrafty {
    /// Crafty's records: files, folders or globs, compressed or not; `-` is standard input
    #[arg(required = true, value_name = "LRN")]
    pub paths: Vec<String>,
    /// The files to write, and the experience file to continue.
    #[command(flatten)]
    #[serde(flatten)]
    pub files: LessonFiles,
    /// How records are interpreted.
    #[command(flatten)]
    #[serde(flatten)]
    pub records: RecordOptions,
    /// Decompress Zstandard and xz files that need a window of more than 128 MiB of memory
    #[arg(long, help_heading = "Input")]
    pub long_window: bool,
    /// Which moves the book keeps. Values are learned for these moves.
    #[command(flatten)]
    #[serde(flatten)]
    pub book: KeptMoves,
}

/// How Crafty's records are interpreted.
#[derive(Args, Clone, Debug, Deserialize, Serialize)]
#[command(next_help_heading = "How records are interpreted")]
#[serde(default)]
pub struct RecordOptions {
    /// The family to use for records whose player tags name no version: m, m2, m3, a, b, b1, c0, c1, c, c2
    #[arg(long, value_name = "FAMILY")]
    #[serde(with = "option_as_text")]
    pub family: Option<Family>,
    /// The name of the player that wrote the records [default: the only player whose name is a version of
    /// Crafty]
    #[arg(long, value_name = "NAME")]
    pub own_player: Option<String>,
    /// Whether to skip duplicate records; Crafty makes a duplicate when it imports a record into its own file
    #[arg(long, value_name = "on|off", default_value = "on", action = ArgAction::Set, value_parser = switch)]
    pub dedup: bool,
    /// The value to give the last choice in a lost game (a record with ±99900): learn (-999, so it is never
    /// played again), soften (-3.00) or skip (no value)
    #[arg(long, value_name = "learn|soften|skip", default_value_t)]
    #[serde(with = "as_text")]
    pub result_records: ResultRecords,
}

impl Default for RecordOptions {
    fn default() -> Self {
        Self { family: None, own_player: None, dedup: true, result_records: ResultRecords::default() }
    }
}

/// Reads `on` or `off`.
fn switch(text: &str) -> Result<bool, &'static str> {
    match text {
        "on" => Ok(true),
        "off" => Ok(false),
        _ => Err("write on or off"),
    }
}

impl Stage for LearnCrafty {
    fn signature(&self) -> Signature {
        Signature::new(&[Port::Table], Port::Experience, Parallelism::Sequential)
    }

    fn note(&self) -> String {
        format!("{}{}", self.paths.join(" "), self.book.note())
    }

    fn outputs(&self) -> Vec<Output> {
        self.files.outputs()
    }

    fn reads(&self) -> Vec<&Path> {
        self.files.reads(&self.paths)
    }

    fn check(&self, _: &Inputs<'_>) -> Result<(), SettingError> {
        self.files.check()?;
        SettingError::missing("paths", "files of learned PGN").unless(!self.paths.is_empty())?;
        self.book.check()
    }

    fn run(&self, context: &Context, _: &str, inputs: Vec<Flow>) -> Result<Flow> {
        let counts = StageInputs::new(inputs).take().table()?;
        let counts = WeightedCounts::new(context, counts, self.book.weigh.weights())?;
        let old = self.files.open_old()?;
        let (mut waiting, mut read) = self.read(context)?;
        let positions = waiting.take_fens();
        let filter = self.book.filter();
        let (book, games) = book_moves(context, &counts, &filter, &waiting.take_keys(), old.as_ref())?;
        let rejects = self.files.rejects.as_deref();
        let lessons =
            lessons::teach(context, (waiting, &mut read), book, self.options(), old.as_ref(), rejects)?;
        read.report_learning(context)?;
        banned::report(context, lessons.learner.book(), &games);
        let base = Base {
            old: old.as_ref(),
            table: counts.counts().digest().map(ToOwned::to_owned),
            book: Some(counts.keeps(&filter)),
            sources: read.experience_sources("crafty"),
            positions,
            ..Base::default()
        };
        let edges =
            lessons.learner.book().edges().filter(LearnedEdge::is_taught).map(|edge| Change::learned(&edge));
        let rest = merged(lessons.positions.into_iter(), lessons.seen.into_iter());
        FlowFile::of_changes(context, self.files.output.as_deref(), &base, merged(edges, rest))
    }
}

impl LearnCrafty {
    fn options(&self) -> Options {
        let RecordOptions { family, own_player, dedup, result_records } = self.records.clone();
        Options { family, own_player, dedup, result_records }
    }

    /// Reads all records, in the order of the input.
    fn read(&self, context: &Context) -> Result<(CollectedRecords, Read)> {
        let reading = Reading::new(context, None).of_records();
        let inputs = context.inputs(learned::expand(&self.paths)?);
        let options = learned::chunk_options(ChunkOptions {
            threads: context.threads,
            long_window: self.long_window,
            window_bytes_max: context.memory.window_bytes_max(),
            ..ChunkOptions::default()
        });
        let source = Source::open(inputs, Order::Input, &options, reading.stop(), StageNames::default())?;
        let sink = InOrder::new(Parser::default(), CollectedRecords::new(context), context.threads);
        let read = drive(reading, source, &sink)?;
        Ok((sink.into_sink(), read))
    }
}
