//! `learn-engine`: positions of a book, searched by a UCI engine, become rows of kind `evaluation`.
//!
//! # Flow
//!
//! 1. The first engine is started: its name is part of what is recorded.
//! 2. Boards are found by a walk through the book, and the positions asked for are put in order
//!    ([`positions`]).
//! 3. Engines search them, each alone with the next one ([`search`]). Each result is recorded beside the
//!    output when it comes ([`record`]), so that a later run goes on after a kill.
//! 4. The values are sorted and written.
//!
//! # Memory
//!
//! The positions to search and their values are held; what the engines take comes on top.

mod error;
mod nodes;
mod positions;
mod record;
mod search;

use std::{collections::BTreeMap, path::Path, sync::Arc, time::Duration};

use book::Book;
use clap::Args;
use craft::Plies;
use engine::{Limit, SearcherOptions};
use experience::{Base, Change, ExperienceSource, Union};
use position::{Key, PackedMove};
use run::{
    Context, LearningReport, Output, Result, SettingError, StageError,
    values::{number_or_text, option_as_text, parse_policy_setting, policy_settings},
};
use serde::{Deserialize, Serialize};
use stage::{ExperiencePath, Flow, Inputs, Parallelism, Port, Signature, Stage, StageInputs};

use self::{
    error::NothingToSearch,
    nodes::Nodes,
    positions::{Chosen, KnownKeys, choose},
    record::{Job, Record},
    search::{Rejected, Search, Searched},
};
use crate::{LessonFiles, evaluation};

/// Settings of `learn-engine`.
#[derive(Args, Clone, Debug, Deserialize, Serialize)]
#[serde(default)]
pub struct LearnEngine {
    /// What is written, and what is continued.
    #[command(flatten)]
    #[serde(flatten)]
    pub files: LessonFiles,
    /// The UCI engine that searches: its program and arguments
    #[arg(long, value_name = "COMMAND")]
    pub engine: String,
    /// Search each position for that many nodes, as 1M or 50k
    #[arg(long, value_name = "N", default_value_t, hide_default_value = true, conflicts_with = "depth")]
    #[serde(with = "number_or_text")]
    pub nodes: Nodes,
    /// Search each position to that depth, in plies
    #[arg(long, value_name = "PLIES")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u16>,
    /// Give the kept moves of each position a value too, by another search of these alone
    #[arg(long)]
    pub moves: bool,
    /// How many engines search at the same time, each on one thread [default: one a core]
    #[arg(long, value_name = "N")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub jobs: Option<usize>,
    /// Hash table of each engine, MiB
    #[arg(long, value_name = "MIB", default_value_t = LearnEngine::default().hash)]
    pub hash: u32,
    /// An option of the engine, as SyzygyPath=/tb; may be repeated
    #[arg(long = "option", id = "options", value_name = "NAME=VALUE", value_parser = parse_policy_setting)]
    #[serde(with = "policy_settings")]
    pub options: Vec<(String, String)>,
    /// Seconds that an engine may owe an answer before it is started again: for a search one more for each
    /// 10,000 nodes, sixty times that with --depth
    #[arg(long, value_name = "SECONDS", default_value_t = LearnEngine::default().engine_timeout)]
    pub engine_timeout: u32,
    /// Only positions that N games reached
    #[arg(
        long,
        value_name = "N",
        default_value_t = 0,
        hide_default_value = true,
        help_heading = "Which positions"
    )]
    pub min_games: u64,
    /// Only positions N plies from the start, or A to B plies, as 8 or 1..20
    #[arg(long, value_name = "N|A..B", help_heading = "Which positions")]
    #[serde(with = "option_as_text", skip_serializing_if = "Option::is_none")]
    pub plies: Option<Plies>,
    /// Only positions without an evaluation in the experience files and in what is continued
    #[arg(long, help_heading = "Which positions")]
    pub unknown_only: bool,
    /// Leaves first [default: the positions of most games first]
    #[arg(long, help_heading = "Which positions")]
    pub leaves_first: bool,
}

impl Default for LearnEngine {
    fn default() -> Self {
        Self {
            files: LessonFiles::default(),
            engine: String::new(),
            nodes: Nodes::default(),
            depth: None,
            moves: false,
            jobs: None,
            hash: 16,
            options: Vec::new(),
            engine_timeout: 60,
            min_games: 0,
            plies: None,
            unknown_only: false,
            leaves_first: false,
        }
    }
}

impl Stage for LearnEngine {
    fn signature(&self) -> Signature {
        Signature::new(&[Port::Book], Port::Experience, Parallelism::Parallel).and_any(Port::Experience)
    }

    fn note(&self) -> String {
        let limit = self.limit().map_or_else(|_| String::new(), |limit| format!(" at {limit}"));
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
        self.limit()?;
        engine::split(&self.engine).map_err(|error| SettingError::because("engine", error.to_string()))?;
        if self.jobs == Some(0) {
            return Err(SettingError::new("jobs", "at least 1", 0));
        }
        let has_known = inputs.len() > 1 || self.files.old.is_some();
        if self.unknown_only && !has_known {
            let what = "needs files that have evaluations: --experience FILE or --continue FILE";
            return Err(SettingError::because("unknown_only", what));
        }
        if !self.unknown_only && inputs.len() > 1 {
            let what = "leaves positions out only with --unknown-only";
            return Err(SettingError::because("experience", what));
        }
        Ok(())
    }

    fn run(&self, context: &Context, name: &str, inputs: Vec<Flow>) -> Result<Flow> {
        let setting = |error| StageError::of(name)(error);
        let (limit, output) = (self.limit().map_err(setting)?, self.output().map_err(setting)?);
        let mut inputs = StageInputs::new(inputs);
        let book = inputs.take().book()?;
        let known = inputs.experience()?;
        let old = self.files.open_old()?;
        let opened = Book::open(&book.path)?;
        let search = Search::begin(context, self.searchers(context), limit, self.moves)?;
        let job = Job::new(&opened.digest(), search.engine_name(), self, limit);
        let record = Arc::new(Record::open(output, &job, context.options.resume.is_some())?);
        context.keep_record(Arc::clone(&record) as _);
        let known = known.iter().map(|file| file.path()).chain(self.files.old.as_deref());
        let known = if self.unknown_only { Some(Union::open(known)?) } else { None };
        let known = known.as_ref().map(KnownKeys::of).transpose()?;
        let Chosen { wanted, left_out } = choose(context, &opened, self, known)?;
        drop(opened);
        if wanted.is_empty() && !context.options.allow_empty {
            return Err(NothingToSearch { book: book.named, left_out }.into());
        }
        let jobs = self.jobs.unwrap_or(context.threads);
        let (searched, rejected) = search.all(&wanted, &record, jobs)?;
        let report = LearningReport {
            records: wanted.len() as u64 + left_out.values().sum::<u64>(),
            taught: searched.len() as u64,
            recorded: record.before(&wanted),
            idle: left_out,
            rejected: by_reason(&rejected),
            ..LearningReport::default()
        };
        let source = source(format!("{} at {limit}", search.engine_name()), &report);
        context.summary().learning = Some(report);
        self.list(context, &rejected)?;
        let base = Base { old: old.as_ref(), sources: vec![source], evaluations: true, ..Base::default() };
        ExperiencePath::update(context, Some(output), &base, changes(searched))
    }
}

impl LearnEngine {
    /// How far each search goes.
    fn limit(&self) -> Result<Limit, SettingError> {
        match (self.nodes.0, self.depth) {
            (0, None) => Err(SettingError::missing("nodes", "nodes or a depth for each position")),
            (0, Some(0)) => Err(SettingError::new("depth", "at least 1", 0)),
            (0, Some(depth)) => Ok(Limit::Depth(depth)),
            (nodes, None) => Ok(Limit::Nodes(nodes)),
            _ => Err(SettingError::because("depth", "cannot be given with nodes")),
        }
    }

    fn output(&self) -> Result<&Path, SettingError> {
        let missing = || SettingError::missing("output", "the experience file to write");
        self.files.output.as_deref().ok_or_else(missing)
    }

    fn searchers(&self, context: &Context) -> SearcherOptions {
        let defaults =
            [("Threads", "1".to_owned()), ("Hash", self.hash.to_string()), ("OwnBook", "false".into())];
        SearcherOptions {
            command: self.engine.clone(),
            defaults: defaults.map(|(name, value)| (name.to_owned(), value)).into(),
            settings: self.options.clone(),
            patience: Duration::from_secs(self.engine_timeout.into()),
            stop: context.interrupt(),
        }
    }

    /// Writes the list of rejected positions, if it is wanted.
    fn list(&self, context: &Context, rejected: &[Rejected]) -> Result<()> {
        let Some(path) = &self.files.rejects else { return Ok(()) };
        let text: String = rejected.iter().map(Rejected::line).collect();
        let list = output::prepare_text(path, &text, context.existing()).map_err(fault::output(path))?;
        context.prepared_list(list);
        Ok(())
    }
}

fn by_reason(rejected: &[Rejected]) -> BTreeMap<String, u64> {
    let mut counts = BTreeMap::new();
    for Rejected { reason, .. } in rejected {
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

/// The rows of what was found, ascending.
fn changes(searched: BTreeMap<Key, Searched>) -> impl Iterator<Item = Change> {
    searched.into_iter().flat_map(|(key, values)| {
        let mut values: Vec<_> = values.into();
        values.sort_unstable_by_key(|(mv, _)| *mv);
        let change = move |(mv, value): (PackedMove, engine::Value)| {
            evaluation::change((key, mv), 0, value.score, (value.depth, value.nodes))
        };
        values.into_iter().map(change)
    })
}
