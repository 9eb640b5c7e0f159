//! The results of many walks.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};
use shakmaty::{Chess, EnPassantMode, fen::Fen};

use super::{
    lines::{Line, OtherLines, lines, share},
    options::WalkOptions,
    tree::Tree,
    walker::{Choosers, End, Walk},
};
use crate::choose::Chooser;

/// The results of many walks.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct Simulation {
    /// The policy and its settings.
    pub policy: String,
    /// The policy of the side that moves second, with its settings; `None` if both sides have the same
    /// policy.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub against: Option<String>,
    /// The position where the walks began.
    #[serde(serialize_with = "as_fen")]
    pub start: Chess,
    /// The number of walks.
    pub games: u64,
    /// The seed of the walks.
    pub seed: u64,
    /// The maximum number of plies in a walk.
    pub max_ply: u32,
    /// The mean number of plies in a walk.
    pub mean_plies: f64,
    /// How many walks have each length in plies, in ascending order of length. A length that no walk has is
    /// left out.
    pub plies: Vec<PliesShare>,
    /// White's mean score, 0 to 1. A walk's score is White's score in the last position that has counts.
    /// `None` if no walk has a score.
    pub score: Option<f64>,
    /// The number of walks with a score.
    pub scored: u64,
    /// The reasons why walks ended, with the number of walks for each.
    pub ends: Vec<EndShare>,
    /// The number of different lines among the walks.
    pub different: u64,
    /// The most frequent lines, in descending order of frequency. Every walk is part of one of these lines or
    /// of `others`.
    pub lines: Vec<Line>,
    /// The other walks.
    pub others: OtherLines,
    /// The number of walks whose last moves were cut off because the tree was full.
    pub cut: u64,
    /// Remarks about the policies.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// Warnings of possible mistakes, which may depend on the date of the simulation.
    #[serde(skip)]
    pub warnings: Vec<String>,
    /// All walks as one tree.
    #[serde(skip)]
    pub tree: Tree,
}

/// The walks of a certain length.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct PliesShare {
    /// The length in plies.
    pub plies: u32,
    /// The number of walks.
    pub walks: u64,
    /// These walks as a share of all walks.
    pub share: f64,
}

/// The walks that ended for a certain reason.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct EndShare {
    /// The reason.
    pub end: End,
    /// The number of walks.
    pub walks: u64,
    /// These walks as a share of all walks.
    pub share: f64,
}

/// Sums over all walks.
#[derive(Default)]
pub(super) struct Sums {
    plies: BTreeMap<u32, u64>,
    ends: BTreeMap<End, u64>,
    score: f64,
    scored: u64,
}

impl Sums {
    /// Adds a walk. Scores are rounded fractions, so their sum depends on the order in which walks are added.
    pub(super) fn add(&mut self, walk: &Walk, root: Option<f64>) {
        *self.plies.entry(walk.steps.len() as u32).or_default() += 1;
        *self.ends.entry(walk.end).or_default() += 1;
        let last = walk.steps.iter().rev().find_map(|step| step.score).or(root);
        self.score += last.unwrap_or(0.0);
        self.scored += u64::from(last.is_some());
    }

    /// Turns the sums into shares and means.
    #[expect(clippy::cast_precision_loss, reason = "means for people; walks stay far below 2^53")]
    pub(super) fn into_simulation(
        self,
        start: &Chess,
        players: Choosers<'_>,
        options: &WalkOptions,
        tree: Tree,
    ) -> Simulation {
        let games = options.games;
        let plies = self.plies.iter().map(|(&plies, &walks)| u64::from(plies) * walks).sum::<u64>();
        let (lines, others) = lines(&tree, start, options.lines);
        let of_plies = |(&plies, &walks)| PliesShare { plies, walks, share: share(walks, games) };
        let of_end = |end| {
            let walks = self.ends.get(&end).copied().unwrap_or(0);
            EndShare { end, walks, share: share(walks, games) }
        };
        Simulation {
            policy: players.first.describe(),
            against: players.against.map(Chooser::describe),
            start: start.clone(),
            games,
            seed: options.seed,
            max_ply: options.max_ply,
            mean_plies: plies as f64 / games as f64,
            plies: self.plies.iter().map(of_plies).collect(),
            score: (self.scored > 0).then(|| self.score / self.scored as f64),
            scored: self.scored,
            ends: End::ALL.map(of_end).to_vec(),
            different: tree.ends(),
            lines,
            others,
            cut: tree.cut,
            notes: Vec::new(),
            warnings: Vec::new(),
            tree,
        }
    }
}

fn as_fen<S: Serializer>(position: &Chess, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&Fen::from_position(position, EnPassantMode::Legal))
}
