//! `learn-engine` has a UCI engine search positions of a book, and turns the results into rows of kind
//! `evaluation`.
//!
//! # Flow
//!
//! 1. The first engine is started, because its name is part of the record.
//! 2. A walk through the book finds the boards, and the positions to search are sorted ([`positions`]).
//! 3. Engines search the positions, each taking the next one when it is free ([`search`]). Each result is
//!    recorded immediately, beside the output ([`record`]), so that a later run can continue if this one is
//!    killed.
//! 4. The values are sorted and written.
//!
//! # Memory
//!
//! All positions to search and their values are held in memory. The engines' own memory is needed in
//! addition.

mod error;
mod nodes;
mod positions;
mod record;
mod search;
mod settings;
mod suite;

use std::{collections::BTreeMap, path::Path, sync::Arc};

use book::Book;
use clap::Args;
use craft::Plies;
use experience::{Base, Change, ExperienceSource, Union};
use position::{Key, PackedMove};
use run::{Context, LearningReport, Output, Result, SettingError, StageError, values::option_as_text};
use serde::{Deserialize, Serialize};
use stage::{Flow, FlowFile, Inputs, Parallelism, Port, Signature, Stage, StageInputs};

use self::{
    error::nothing_to_search,
    positions::{KnownKeys, Targets, choose},
    record::{Job, Record},
    search::{EngineFailure, MoveValues, Search},
};
pub use self::{settings::SearchSettings, suite::SearchedBoards};
use crate::{LessonFiles, evaluation::evaluated};

/// Settings of `learn-engine`.
#[derive(Args, Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct LearnEngine {
    /// The files to write, and the experience file to continue.
    #[command(flatten)]
    #[serde(flatten)]
    pub files: LessonFiles,
    /// The program and arguments of the UCI engine that searches
    #[arg(long, value_name = "COMMAND")]
    pub engine: String,
    /// How the engine searches.
    #[command(flatten)]
    #[serde(flatten)]
    pub search: SearchSettings,
    /// Also evaluate the kept moves of each position, with a second search of only these moves
    #[arg(long)]
    pub moves: bool,
    /// Only positions reached in at least N games
    #[arg(
        long,
        value_name = "N",
        default_value_t = 0,
        hide_default_value = true,
        help_heading = "Which positions"
    )]
    pub min_games: u64,
    /// Only positions N plies from the start, or A to B plies from it, such as 8 or 0..20
    #[arg(long, value_name = "N|A..B", help_heading = "Which positions")]
    #[serde(with = "option_as_text")]
    pub plies: Option<Plies>,
    /// Only positions that have no evaluation in the files given with --experience or --continue
    #[arg(long, help_heading = "Which positions")]
    pub unknown_only: bool,
    /// Search the leaves of the book first [default: the positions with the most games first]
    #[arg(long, help_heading = "Which positions")]
    pub leaves_first: bool,
}

impl Stage for LearnEngine {
    fn signature(&self) -> Signature {
        Signature::new(&[Port::Book], Port::Experience, Parallelism::Parallel).and_any(Port::Experience)
    }

    fn note(&self) -> String {
        let limit = self.search.limit().map_or_else(|_| String::new(), |limit| format!(" at {limit}"));
        format!("{}{limit}", self.engine)
    }

    fn outputs(&self) -> Vec<Output> {
        self.files.outputs()
    }

    fn reads(&self) -> Vec<&Path> {
        self.files.reads(&[])
    }

    fn check(&self, inputs: &Inputs<'_>) -> Result<(), SettingError> {
        self.output()?;
        self.files.check()?;
        self.search.check(&self.engine)?;
        let has_known = inputs.len() > 1 || self.files.old.is_some();
        let what = "needs files that have evaluations: --experience FILE or --continue FILE";
        SettingError::because("unknown_only", what).unless(!self.unknown_only || has_known)?;
        let what = "leaves positions out only with --unknown-only";
        SettingError::because("experience", what).unless(self.unknown_only || inputs.len() <= 1)
    }

    fn run(&self, context: &Context, name: &str, inputs: Vec<Flow>) -> Result<Flow> {
        let setting = |error| StageError::of(name)(error);
        let (limit, output) = (self.search.limit().map_err(setting)?, self.output().map_err(setting)?);
        let mut inputs = StageInputs::new(inputs);
        let book = inputs.take().book()?;
        let known = inputs.experience()?;
        let old = self.files.open_old()?;
        let opened = Book::open(&book.path)?;
        let search = Search::begin(context, self.search.searchers(&self.engine, context), limit, self.moves)?;
        let job = Job::new(&opened.digest(), &search.engine_name, self, limit);
        let record = Arc::new(Record::open(output, &job, context.options.resume.is_some())?);
        context.keep_record(Arc::clone(&record) as _);
        let known = known.iter().map(|file| &*file.path).chain(self.files.old.as_deref());
        let known = if self.unknown_only { Some(Union::open(known)?) } else { None };
        let known = known.as_ref().map(KnownKeys::of).transpose()?;
        let Targets { wanted, left_out } = choose(context, &opened, self, known)?;
        drop(opened);
        if wanted.is_empty() && !context.options.allow_empty {
            return Err(nothing_to_search(&book.named, &left_out));
        }
        let jobs = self.search.jobs.unwrap_or(context.threads);
        let (searched, rejected) = search.all(&wanted, Some(&record), jobs)?;
        let report = LearningReport {
            records: wanted.len() as u64 + left_out.values().sum::<u64>(),
            taught: searched.len() as u64,
            recorded: record.before(&wanted),
            idle: left_out,
            rejected: by_reason(&rejected),
            ..LearningReport::default()
        };
        let source = source(format!("{} at {limit}", search.engine_name), &report);
        context.summary().learning = Some(report);
        self.list(context, &rejected)?;
        let base = Base { old: old.as_ref(), sources: vec![source], evaluations: true, ..Base::default() };
        FlowFile::of_changes(context, Some(output), &base, changes(searched))
    }
}

impl LearnEngine {
    fn output(&self) -> Result<&Path, SettingError> {
        let missing = || SettingError::missing("output", "the experience file to write");
        self.files.output.as_deref().ok_or_else(missing)
    }

    /// Writes the list of rejected positions, if the user asks for one.
    fn list(&self, context: &Context, rejected: &[EngineFailure]) -> Result<()> {
        let Some(path) = &self.files.rejects else { return Ok(()) };
        let text: String = rejected.iter().map(EngineFailure::line).collect();
        let list = output::prepare_text(path, &text, context.existing()).map_err(fault::output(path))?;
        context.prepared_list(list);
        Ok(())
    }
}

fn by_reason(rejected: &[EngineFailure]) -> BTreeMap<String, u64> {
    let mut counts = BTreeMap::new();
    for EngineFailure { reason, .. } in rejected {
        *counts.entry((*reason).to_owned()).or_default() += 1;
    }
    counts
}

fn source(name: String, report: &LearningReport) -> ExperienceSource {
    let LearningReport { records, taught, idle, rejected, .. } = report;
    let (idle, rejected) = (idle.clone(), rejected.clone());
    let (teacher, xxh3) = ("engine".into(), String::new());
    ExperienceSource { name, teacher, xxh3, records: *records, taught: *taught, idle, rejected }
}

/// Converts the results of the searches to rows of experience, in ascending order.
fn changes(searched: BTreeMap<Key, MoveValues>) -> impl Iterator<Item = Change> {
    searched.into_iter().flat_map(|(key, values)| {
        let mut values: Vec<_> = values.into();
        values.sort_unstable_by_key(|(mv, _)| *mv);
        let change = move |(mv, value): (PackedMove, engine::Value)| {
            evaluated((key, mv), 0, value.score, (value.depth, value.nodes)).into()
        };
        values.into_iter().map(change)
    })
}
