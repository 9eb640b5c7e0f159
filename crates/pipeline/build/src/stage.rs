//! What a stage is: what it takes and gives, and how it runs. The stages themselves are in `source/`,
//! `sink/` and `shard/`.

mod annotated;
mod flow;
mod start;

use std::path::Path;

use pgn::replay::ReplayOptions;
use strum::Display;

pub(crate) use self::annotated::{check_annotated, check_whole_games};
pub(crate) use self::flow::{BookFile, ExperiencePath, Flow, StageInputs};
pub use self::start::StartPosition;
use crate::{Context, Result, error::SettingError, format::Output};

/// What flows along an edge of the graph.
#[derive(Clone, Copy, Debug, Display, Eq, PartialEq)]
pub enum Port {
    /// Game texts, cut from inputs.
    Games,
    /// Observations: position, move, outcome.
    Observations,
    /// Edges with their tallies, sorted.
    Table,
    /// What was learned or set by hand.
    Experience,
    /// A finished binary book.
    Book,
    /// A table, a book or an experience file: which one, its content says.
    Artefact,
    /// A table or a book; only taken, never given.
    #[strum(serialize = "Table or Book")]
    Counts,
    /// A file for others; no stage takes it.
    File,
}

impl Port {
    /// Whether a stage that takes `self` can take what gives `given`.
    fn takes(self, given: Self) -> bool {
        match (self, given) {
            (Port::Counts, Port::Table | Port::Book)
            | (Port::Counts | Port::Table | Port::Book | Port::Experience, Port::Artefact) => true,
            _ => self == given,
        }
    }
}

impl Port {
    /// What flows there, in words.
    pub(crate) fn thing(self) -> &'static str {
        match self {
            Port::Games => "a source of games",
            Port::Observations => "a replay of games",
            Port::Table => "a table",
            Port::Experience => "an experience file",
            Port::Book => "a book",
            Port::Artefact => "a table, a book or an experience file",
            Port::Counts => "a table or a book",
            Port::File => "a file for other programs",
        }
    }
}

/// How a stage spreads over threads.
#[derive(Clone, Copy, Debug, Display, Eq, PartialEq)]
#[strum(serialize_all = "lowercase")]
pub enum Spread {
    /// Chunks of input on every thread at once.
    Parallel,
    /// Takes all its input in before it gives anything out.
    Breaker,
    /// Shards of the key space on every thread at once.
    #[strum(serialize = "per shard")]
    PerShard,
    /// One thread, one order.
    Sequential,
}

/// What a stage takes and gives.
#[derive(Clone, Copy, Debug)]
pub struct Signature {
    /// What it takes, in order.
    pub takes: &'static [Port],
    /// What it takes any number of besides, after those.
    pub also: Option<Port>,
    /// What it gives.
    pub gives: Port,
    /// How it spreads over threads.
    pub spread: Spread,
}

impl Signature {
    pub(crate) const fn new(takes: &'static [Port], gives: Port, spread: Spread) -> Self {
        Self { takes, also: None, gives, spread }
    }

    /// The same with any number of `port` besides.
    pub(crate) const fn and_any(self, port: Port) -> Self {
        Self { also: Some(port), ..self }
    }

    /// Whether it can take inputs of these ports.
    #[must_use]
    pub fn fits(&self, given: &[Port]) -> bool {
        let (first, rest) = given.split_at(self.takes.len().min(given.len()));
        first.len() == self.takes.len()
            && self.takes.iter().zip(first).all(|(takes, &given)| takes.takes(given))
            && rest.iter().all(|&given| self.also.is_some_and(|also| also.takes(given)))
    }

    /// What it takes, in words.
    #[must_use]
    pub fn takes_text(&self) -> String {
        let also = self.also.map(|port| format!("any number of {port}"));
        list(self.takes.iter().map(ToString::to_string).chain(also))
    }
}

/// Things in a row, in words.
pub(crate) fn list(things: impl Iterator<Item = String>) -> String {
    let things: Vec<_> = things.collect();
    if things.is_empty() { "nothing".into() } else { things.join(", ") }
}

/// The stages that feed another, in order, as it checks them.
pub(crate) type Inputs<'p> = [&'p dyn Stage];

/// A stage with its settings.
pub(crate) trait Stage {
    /// What it takes and gives.
    fn signature(&self) -> Signature;

    /// Its settings in half a line, for the drawing.
    fn note(&self) -> String;

    /// Files and folders it will write; checked for collisions before anything runs.
    fn outputs(&self) -> Vec<Output> {
        Vec::new()
    }

    /// Files and folders it reads, as far as known before it runs; none of them may be an output.
    fn reads(&self) -> Vec<&Path> {
        Vec::new()
    }

    /// How it replays games, if it does: for the checks of stages that it feeds.
    fn replays(&self) -> Option<&ReplayOptions> {
        None
    }

    /// Refuses settings that make no sense, alone or with those of the stages that feed it.
    fn check(&self, _inputs: &Inputs<'_>) -> Result<(), SettingError> {
        Ok(())
    }

    /// Runs it, `name` in the recipe, on what its inputs gave, one for each port it takes. A source or an
    /// operator gives a description of itself: the sink that takes it drives it.
    ///
    /// # Errors
    ///
    /// Whatever stops it; nothing half-written is left behind.
    fn run(&self, context: &Context, name: &str, inputs: Vec<Flow>) -> Result<Flow>;
}
