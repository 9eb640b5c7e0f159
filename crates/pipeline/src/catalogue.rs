//! Every kind of stage there is, what it takes and gives, and how it runs. A new stage is one file in `stages/` and one line here.

use std::{
    fmt,
    path::{Path, PathBuf},
};

use crate::{Context, Flow, Result, recipe::nearest, stages};

/// What flows along an edge of the graph.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
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
    /// A file for others; no stage takes it.
    File,
}

impl fmt::Display for Port {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}

/// How a stage spreads over threads.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Shape {
    /// Batches on every thread at once.
    Parallel,
    /// Takes all its input in before it gives anything out.
    Breaker,
    /// Shards of the key space on every thread at once.
    PerShard,
    /// One thread, one order.
    Sequential,
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Shape::Parallel => "parallel",
            Shape::Breaker => "breaker",
            Shape::PerShard => "per shard",
            Shape::Sequential => "sequential",
        })
    }
}

/// A stage whose settings have been read and checked.
pub trait Stage: Send + Sync {
    /// Its settings in half a line, for the drawing.
    fn note(&self) -> String;

    /// Files and folders it will write; checked for collisions before anything runs.
    fn outputs(&self) -> Vec<PathBuf> {
        Vec::new()
    }

    /// Files and folders it reads, as far as known before it runs; none of them may be an output.
    fn reads(&self) -> Vec<&Path> {
        Vec::new()
    }

    /// Runs it on what its inputs gave, one for each port it takes.
    ///
    /// # Errors
    ///
    /// Whatever stops it; nothing half-written is left behind.
    fn run(&self, context: &Context, inputs: Vec<Flow>) -> Result<Flow>;
}

/// A kind of stage.
pub struct Entry {
    /// Its name in recipes.
    pub kind: &'static str,
    /// What it takes, in order.
    pub takes: &'static [Port],
    /// What it takes any number of besides, after those.
    pub also: Option<Port>,
    /// What it gives.
    pub gives: Port,
    /// How it spreads over threads.
    pub shape: Shape,
    /// Reads its settings; the first argument is how to name the stage in errors.
    pub read: fn(&str, toml::Table) -> Result<Box<dyn Stage>>,
}

// `[A, B; C]` takes an A, a B and any number of C.
macro_rules! entry {
    ($kind:literal, [$($takes:ident),*], $gives:ident, $shape:ident, $stage:path) => {
        entry!($kind, [$($takes),*] + None, $gives, $shape, $stage)
    };
    ($kind:literal, [$($takes:ident),*; $also:ident], $gives:ident, $shape:ident, $stage:path) => {
        entry!($kind, [$($takes),*] + Some(Port::$also), $gives, $shape, $stage)
    };
    ($kind:literal, [$($takes:ident),*] + $also:expr, $gives:ident, $shape:ident, $stage:path) => {
        Entry {
            kind: $kind,
            takes: &[$(Port::$takes),*],
            also: $also,
            gives: Port::$gives,
            shape: Shape::$shape,
            read: |section, settings| Ok(Box::new(<$stage>::read(section, settings)?)),
        }
    };
}

/// The stages, in the order data flows through them.
pub static CATALOGUE: &[Entry] = &[
    //     kind               takes            gives         shape       stage
    entry!("read-games", [], Games, Parallel, stages::ReadGames),
    entry!("replay", [Games], Observations, Parallel, stages::Replay),
    entry!("sort-merge", [Observations], Table, Breaker, stages::SortMerge),
    entry!("open-table", [], Table, Sequential, stages::OpenTable),
    entry!("learn-crafty", [Table], Experience, Sequential, stages::LearnCrafty),
    entry!("learn-games", [Observations, Table], Experience, Sequential, stages::LearnGames),
    entry!("learn-annotations", [Observations], Experience, Sequential, stages::LearnAnnotations),
    entry!("open-experience", [], Experience, Sequential, stages::OpenExperience),
    entry!("compact", [Table; Experience], Book, PerShard, stages::Compact),
    entry!("open-book", [], Book, Sequential, stages::OpenBook),
    entry!("unfold-book", [Book], Table, Sequential, stages::UnfoldBook),
    entry!("book-experience", [Book], Experience, Sequential, stages::BookExperience),
    entry!("export-parquet", [Table; Experience], File, PerShard, stages::ExportParquet),
    entry!("export-games", [Observations], File, Parallel, stages::ExportGames),
    entry!("export-polyglot", [Book], File, Sequential, stages::ExportPolyglot),
    entry!("report", [Table], File, Sequential, stages::Report),
    entry!("simulate", [Book], File, Parallel, stages::Simulate),
];

impl Entry {
    /// Whether it can take inputs of these ports.
    #[must_use]
    pub fn fits(&self, given: &[Port]) -> bool {
        let (first, rest) = given.split_at(self.takes.len().min(given.len()));
        first == self.takes && rest.iter().all(|&port| Some(port) == self.also)
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

/// The entry of `kind`, or the nearest kind there is.
///
/// # Errors
///
/// The kind that was perhaps meant.
pub fn find(kind: &str) -> std::result::Result<&'static Entry, Option<&'static str>> {
    CATALOGUE
        .iter()
        .find(|entry| entry.kind == kind)
        .ok_or_else(|| nearest(kind, CATALOGUE.iter().map(|entry| entry.kind)))
}
