//! Flags of checks of a repertoire.

use std::path::PathBuf;

use clap::Args;
use count::Side;
use craft::{CheckOptions, FindingKind};
use run::{Limits, MemoryMib};
use shakmaty::Color;

#[derive(Args)]
pub(crate) struct CheckArgs {
    /// A book or a Polyglot book
    pub(crate) book: PathBuf,
    /// The side of the repertoire [default: the only side that has moves]
    #[arg(long, value_name = "white|black")]
    pub(crate) color: Option<Side>,
    /// Whose moves the opponent plays: a table, a book or a Polyglot book [default: the book itself]
    #[arg(long, value_name = "FILE")]
    pub(crate) against: Option<PathBuf>,
    /// What to look for: holes, choices, worse, repetitions, dead-ends, unreachable, weights [default: all]
    #[arg(long, value_name = "KINDS", value_delimiter = ',')]
    pub(crate) only: Vec<FindingKind>,
    /// Fail (exit 1) if there are findings of these kinds [default: of those named with --only]
    #[arg(long, value_name = "KINDS", value_delimiter = ',')]
    pub(crate) fail: Vec<FindingKind>,
    /// Holes: the least share of the opponent's games that a move needs, 0 to 1
    #[arg(long, value_name = "SHARE", default_value_t = CheckOptions::default().min_share)]
    pub(crate) min_share: f64,
    /// Holes, worse: the fewest games that a move needs
    #[arg(long, value_name = "N", default_value_t = CheckOptions::default().min_games)]
    pub(crate) min_games: u64,
    /// Worse: by how much a score may be less than the best one there, 0 to 1
    #[arg(long, value_name = "SCORE", default_value_t = CheckOptions::default().worse)]
    pub(crate) worse: f64,
    /// Dead ends: a line that ends before this ply is one
    #[arg(long, value_name = "N", default_value_t = CheckOptions::default().plies)]
    pub(crate) plies: u32,
    /// Findings of each kind to list
    #[arg(long, value_name = "N", default_value_t = CheckOptions::default().limit)]
    pub(crate) limit: usize,
    /// Worker threads [default: one a core]
    #[arg(short = 'j', long, value_name = "N")]
    pub(crate) threads: Option<usize>,
    /// Memory for the book, as 256MiB or 4GiB; a book that needs more is refused [default: a quarter of the
    /// machine's]
    #[arg(long, value_name = "SIZE")]
    pub(crate) memory: Option<MemoryMib>,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

impl CheckArgs {
    /// How the book is checked.
    pub(crate) fn options(&self) -> CheckOptions {
        let Self { min_share, min_games, worse, plies, limit, .. } = *self;
        let color = self.color.map(|side| Color::from_white(side == Side::White));
        let kinds = self.kinds();
        let of_machine = CheckOptions::default().threads;
        let threads = self.threads.unwrap_or(of_machine).max(1);
        let memory_mib = self.memory.map(|memory| memory.0);
        let memory_bytes = Limits { memory_mib, ..Limits::default() }.memory_bytes();
        CheckOptions { color, kinds, min_share, min_games, worse, plies, limit, threads, memory_bytes }
    }

    /// The kinds that are looked for: each kind that is named, once.
    fn kinds(&self) -> Vec<FindingKind> {
        let is_named = |kind: &FindingKind| self.only.contains(kind) || self.fail.contains(kind);
        let all = FindingKind::ALL.iter().copied();
        if self.only.is_empty() { all.collect() } else { all.filter(is_named).collect() }
    }

    /// The kinds whose findings are a failure.
    pub(crate) fn failing(&self) -> &[FindingKind] {
        if self.fail.is_empty() { &self.only } else { &self.fail }
    }
}
