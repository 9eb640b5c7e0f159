//! What a stage is: its inputs, its output, and how it runs. The stages in this crate read games and replay
//! them; the other stages are in the crates `teach` and `pipeline`.

#![expect(
    clippy::missing_errors_doc,
    reason = "an error of the pipeline is any error that ends the run: `fault::Error`"
)]

mod annotated;
mod each_game;
mod flow;
mod read_games;
mod replay;

use std::path::Path;

use pgn::replay::ReplayOptions;
use run::{Context, Output, Result, SettingError};
use strum::Display;

pub use self::{
    annotated::{check_annotated, check_player, check_whole_games},
    each_game::{EachGame, GameSink},
    flow::{Flow, FlowFile, StageInputs},
};

/// The kind of a value that one stage passes to another.
#[derive(Clone, Copy, Debug, Display, Eq, PartialEq)]
pub enum Port {
    /// Chunks of game text from the inputs.
    Games,
    /// Observations: position, move, outcome.
    Observations,
    /// Edges with their tallies, sorted.
    Table,
    /// Experience that was learned or set by hand.
    Experience,
    /// A finished binary book.
    Book,
    /// A table, a book or an experience file. The content of the file decides which of these it is.
    Artefact,
    /// A table or a book. Only used as an input: no stage outputs it.
    #[strum(serialize = "Table or Book")]
    Counts,
    /// A file for other programs. No stage takes it.
    File,
}

impl Port {
    /// Whether an input port of the kind `self` accepts what an output port of the kind `given` supplies.
    fn takes(self, given: Self) -> bool {
        match (self, given) {
            (Port::Counts, Port::Table | Port::Book)
            | (Port::Counts | Port::Table | Port::Book | Port::Experience, Port::Artefact) => true,
            _ => self == given,
        }
    }

    /// The value that the port carries, as text such as `a table`.
    #[must_use]
    pub fn thing(self) -> &'static str {
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

/// How the work of a stage is spread over threads.
#[derive(Clone, Copy, Debug, Display, Eq, PartialEq)]
#[strum(serialize_all = "lowercase")]
pub enum Parallelism {
    /// The stage works on chunks of input, on all threads at the same time.
    Parallel,
    /// The stage takes in all of its input before it produces any output.
    Breaker,
    /// The stage works on shards of the key space, on all threads at the same time.
    #[strum(serialize = "per shard")]
    PerShard,
    /// The stage processes its input in order, on one thread.
    Sequential,
}

/// The ports of a stage.
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct Signature {
    /// The input ports, in order.
    pub takes: &'static [Port],
    /// The port of further inputs, which come after the inputs for `takes`. The stage accepts any number of
    /// further inputs; `None` if it accepts no further inputs.
    pub also: Option<Port>,
    /// The output port.
    pub gives: Port,
    /// How the stage's work is spread over threads.
    pub spread: Parallelism,
}

impl Signature {
    /// A stage with the input ports `takes`, in order, and the output port `gives`.
    pub const fn new(takes: &'static [Port], gives: Port, spread: Parallelism) -> Self {
        Self { takes, also: None, gives, spread }
    }

    /// The same signature, but the stage also accepts any number of further inputs for the port `port`.
    pub const fn and_any(self, port: Port) -> Self {
        Self { also: Some(port), ..self }
    }

    /// Whether the stage accepts inputs from these ports.
    #[must_use]
    pub fn fits(&self, given: &[Port]) -> bool {
        let (first, rest) = given.split_at(self.takes.len().min(given.len()));
        first.len() == self.takes.len()
            && self.takes.iter().zip(first).all(|(takes, &given)| takes.takes(given))
            && rest.iter().all(|&given| self.also.is_some_and(|also| also.takes(given)))
    }

    /// Lists the accepted inputs as text.
    #[must_use]
    pub fn takes_text(&self) -> String {
        let also = self.also.map(|port| format!("any number of {port}"));
        list(self.takes.iter().map(ToString::to_string).chain(also))
    }
}

/// Joins `things` with commas; returns `nothing` if there are none.
pub fn list(things: impl Iterator<Item = String>) -> String {
    let things: Vec<_> = things.collect();
    if things.is_empty() { "nothing".into() } else { things.join(", ") }
}

/// The stages that feed a stage, in order. The stage consults them when it checks its settings.
pub type Inputs<'p> = [&'p dyn Stage];

/// A stage with its settings.
pub trait Stage {
    /// The input and output ports of the stage.
    fn signature(&self) -> Signature;

    /// A summary of the stage's settings, about half a line long, for the drawing of a plan.
    fn note(&self) -> String;

    /// The files and folders that the stage will write. These paths are checked for conflicts before anything
    /// runs.
    fn outputs(&self) -> Vec<Output> {
        Vec::new()
    }

    /// The files and folders that the stage reads, if they are known before it runs. None of these paths may
    /// be an output.
    fn reads(&self) -> Vec<&Path> {
        Vec::new()
    }

    /// The options of the stage's replay, if it replays games. The stages after this one check these options.
    fn replays(&self) -> Option<&ReplayOptions> {
        None
    }

    /// Refuses invalid settings, and settings that conflict with those of the stages that feed it.
    fn check(&self, _inputs: &Inputs<'_>) -> Result<(), SettingError> {
        Ok(())
    }

    /// Runs the stage, whose name in the recipe is `name`; the inputs are in the order of its ports. A source
    /// or an operator returns a description of itself, and the sink that takes this description does the
    /// reading.
    ///
    /// # Errors
    ///
    /// Fails with whatever error stops the stage. No half-written output is left behind.
    fn run(&self, context: &Context, name: &str, inputs: Vec<Flow>) -> Result<Flow>;
}
