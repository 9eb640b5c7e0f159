//! The options of a check.

use std::thread;

use shakmaty::Color;

use super::FindingKind;

/// How a book is checked.
#[derive(Clone, Debug)]
pub struct CheckOptions {
    /// The side of the repertoire; by default the only side that has moves.
    pub color: Option<Color>,
    /// What is looked for.
    pub kinds: Vec<FindingKind>,
    /// The least share of our games that a move of ours has to be followed, 0 to 1; the commonest one is
    /// followed in any case.
    pub own_share: f64,
    /// The least share of the opponent's games that a move has to need an answer, 0 to 1.
    pub min_share: f64,
    /// The fewest games of such a move, and of moves whose scores are compared.
    pub min_games: u64,
    /// By how much a score may be less than the best one there, 0 to 1.
    pub worse: f64,
    /// A line that ends before that ply is a dead end.
    pub plies: u32,
    /// The most findings of each kind that are listed.
    pub limit: usize,
    /// Threads to work with.
    pub threads: usize,
    /// A book that needs more memory is refused.
    pub memory_bytes: u64,
}

impl Default for CheckOptions {
    fn default() -> Self {
        Self {
            color: None,
            kinds: FindingKind::ALL.to_vec(),
            own_share: 0.05,
            min_share: 0.05,
            min_games: 1,
            worse: 0.1,
            plies: 8,
            limit: 20,
            memory_bytes: u64::MAX,
            threads: thread::available_parallelism().map_or(1, usize::from),
        }
    }
}
