//! The options of a check.

use std::thread;

use shakmaty::Color;

use super::FindingKind;

/// How a book is checked.
#[derive(Clone, Debug)]
pub struct CheckOptions {
    /// The side that plays by the book; by default the only side that has moves in it.
    pub color: Option<Color>,
    /// The kinds of findings to look for.
    pub kinds: Vec<FindingKind>,
    /// A move by the side that plays by the book is followed if it was played in at least this share (0 to 1)
    /// of the games that continued from the same position. The most played move is always followed.
    pub own_share: f64,
    /// An opponent's move needs an answer if it was played in at least this share (0 to 1) of the games that
    /// continued from the same position.
    pub min_share: f64,
    /// The minimum number of games. An opponent's move with fewer games needs no answer, and the scores of
    /// moves with fewer games are not compared.
    pub min_games: u64,
    /// A move is reported as worse if its score is lower than the best score of any move in the same position
    /// by more than this difference (0 to 1).
    pub worse: f64,
    /// A line that ends before this ply is a dead end.
    pub plies: u32,
    /// At most this many findings of each kind are listed.
    pub limit: usize,
    /// The number of threads.
    pub threads: usize,
    /// The memory limit in bytes; a check that might need more fails.
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
