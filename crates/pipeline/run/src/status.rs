//! The status of games and records, and how often each status occurs in an input.

use std::collections::BTreeMap;

use pgn::{input::Place, verdict::Verdict};
use serde::{Deserialize, Serialize};

/// How a run counts one game or record.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Serialize)]
pub enum Status<'s> {
    /// The game counts or, in the case of a record, something was learned from the record.
    Accepted {
        /// Whether the game was cut at an illegal move, so that only the moves before it count.
        cut: bool,
    },
    /// The game or record has been read, but its status is still undecided: it may be accepted or rejected
    /// later, or nothing may be learned from it.
    Waiting,
    /// A filter refused the game. The value is the name of the filter.
    Filtered(&'s str),
    /// The game is a copy of another game, which counts instead. The value is the place where the other game
    /// begins, or `None` if a table already counts the other game.
    Copy(Option<Place>),
    /// The game or record is valid, but nothing is learned from it. The value is the reason.
    Idle(&'s str),
    /// The game or record was rejected, for example because it contains an illegal move.
    Rejected {
        /// The number of the move at fault, from 1.
        ply: Option<u32>,
        /// The name of the reason.
        reason: &'s str,
        /// The text at fault.
        text: &'s str,
    },
}

impl<'s> Status<'s> {
    /// The status of a game with this verdict.
    #[must_use]
    pub fn of(verdict: &'s Verdict) -> Self {
        match verdict {
            Verdict::Accepted { cut, .. } => Self::Accepted { cut: *cut },
            Verdict::Filtered(filter) => Self::Filtered(filter.into()),
            Verdict::Copy(original) => Self::Copy(*original),
            Verdict::Rejected(why) => {
                Self::Rejected { ply: why.ply, reason: why.reason.into(), text: &why.text }
            }
        }
    }
}

/// For one input, the number of games or records with each status.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub struct InputStatus {
    /// Games or records read.
    pub games: u64,
    /// Games that count, or records from which something was learned.
    pub accepted: u64,
    /// Accepted games that were cut at an illegal move.
    pub cut: u64,
    /// Games refused by a filter, or records from which nothing was learned, by reason.
    pub passed_over: BTreeMap<String, u64>,
    /// Rejected games or records, by reason.
    pub rejected: BTreeMap<String, u64>,
    /// Games that are left out because they are copies of other games.
    #[serde(default)]
    pub copies: u64,
    /// Deviations from the standard that were tolerated in games that count, by kind.
    #[serde(default)]
    pub lenient: BTreeMap<String, u64>,
}

impl InputStatus {
    /// Counts one more game or record.
    #[inline]
    pub fn count(&mut self, status: Status<'_>) {
        self.games += 1;
        match status {
            Status::Accepted { cut } => {
                self.accepted += 1;
                self.cut += u64::from(cut);
            }
            Status::Waiting => {}
            Status::Copy(_) => self.copies += 1,
            Status::Filtered(why) | Status::Idle(why) => self.idle(why),
            Status::Rejected { reason, .. } => self.reject(reason),
        }
    }

    /// Counts the deviations that were tolerated in a game.
    #[inline]
    pub fn count_misspellings(&mut self, verdict: &Verdict) {
        let Verdict::Accepted { misspellings, .. } = verdict else { return };
        for (kind, times) in misspellings.iter() {
            count(&mut self.lenient, kind.into(), times.into());
        }
    }

    /// Counts a waiting record as a record from which nothing is learned.
    pub fn idle(&mut self, why: &str) {
        count(&mut self.passed_over, why, 1);
    }

    /// Counts a waiting record as rejected.
    pub fn reject(&mut self, reason: &str) {
        count(&mut self.rejected, reason, 1);
    }

    /// Returns `true` if no game or record counts, and no waiting game or record is left that might still
    /// count.
    #[must_use]
    pub fn is_nothing(&self) -> bool {
        let passed_over: u64 = self.passed_over.values().sum();
        self.accepted == 0 && passed_over + self.rejected_games() + self.copies == self.games
    }

    /// Games rejected for any reason.
    #[must_use]
    pub fn rejected_games(&self) -> u64 {
        self.rejected.values().sum()
    }

    /// The values of all counters.
    pub fn numbers(&self) -> impl Iterator<Item = u64> {
        let Self { games, accepted, cut, passed_over, rejected, copies, lenient } = self;
        let by_name = [passed_over, rejected, lenient].into_iter().flat_map(BTreeMap::values);
        [games, accepted, cut, copies].into_iter().chain(by_name).copied()
    }

    /// Adds the counts of another part of the input.
    pub fn add(&mut self, more: &Self) {
        self.games += more.games;
        self.accepted += more.accepted;
        self.cut += more.cut;
        self.copies += more.copies;
        more.lenient.iter().for_each(|(kind, &times)| count(&mut self.lenient, kind, times));
        more.passed_over.iter().for_each(|(why, &games)| count(&mut self.passed_over, why, games));
        more.rejected.iter().for_each(|(reason, &games)| count(&mut self.rejected, reason, games));
    }
}

/// Adds `more` to the count for `name`. The name is copied only if it is new.
fn count(counts: &mut BTreeMap<String, u64>, name: &str, more: u64) {
    match counts.get_mut(name) {
        Some(count) => *count += more,
        None => drop(counts.insert(name.to_owned(), more)),
    }
}

/// The counts of each input.
#[derive(Clone, Debug, Default)]
pub struct StatusCounts(Vec<InputStatus>);

impl StatusCounts {
    /// Returns the counts of an input, which start at zero.
    pub fn of(&mut self, input: u32) -> &mut InputStatus {
        let input = input as usize;
        if self.0.len() <= input {
            self.0.resize(input + 1, InputStatus::default());
        }
        &mut self.0[input]
    }

    /// The sum over all inputs.
    #[must_use]
    pub fn sum(&self) -> InputStatus {
        let mut sum = InputStatus::default();
        self.0.iter().for_each(|input| sum.add(input));
        sum
    }
}
