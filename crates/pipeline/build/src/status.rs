//! What became of games and records, counted by input.

use std::collections::BTreeMap;

use pgn::{input::Place, verdict::Verdict};
use serde::{Deserialize, Serialize};

/// What became of one game or record.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Status<'s> {
    /// It counts; `cut`: up to an illegal move only.
    Accepted { cut: bool },
    /// It is read, and what becomes of it is decided later ([`InputStatus::accept`], [`InputStatus::idle`]).
    Waiting,
    /// A filter refused it.
    Filtered(&'s str),
    /// It is a copy of another game, which counts in its place: where that begins, or `None` if it was
    /// counted before.
    Copy(Option<Place>),
    /// It is in order, and teaches nothing.
    Idle(&'s str),
    /// It cannot be read as meant; `ply` is that of the move at fault, from 1.
    Rejected { ply: Option<u32>, reason: &'s str, text: &'s str },
}

impl<'s> Status<'s> {
    /// The status of a game with this verdict.
    pub(crate) fn of(verdict: &'s Verdict) -> Self {
        match verdict {
            Verdict::Accepted { cut, .. } => Self::Accepted { cut: *cut },
            Verdict::Filtered(filter) => Self::Filtered(filter.name()),
            Verdict::Copy(original) => Self::Copy(*original),
            Verdict::Rejected(why) => {
                Self::Rejected { ply: why.ply, reason: why.reason.name(), text: &why.text }
            }
        }
    }
}

/// Counts of one input.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub(crate) struct InputStatus {
    /// Games or records met.
    pub(crate) games: u64,
    /// Those that count, or taught something.
    pub(crate) accepted: u64,
    /// Accepted games that an illegal move cut.
    pub(crate) cut: u64,
    /// Those that a filter refused, or that taught nothing, by why.
    pub(crate) passed_over: BTreeMap<String, u64>,
    /// Those that cannot be read as meant, by reason.
    pub(crate) rejected: BTreeMap<String, u64>,
    /// Copies of games that count.
    #[serde(default)]
    pub(crate) copies: u64,
    /// What was read leniently in accepted games, by kind.
    #[serde(default)]
    pub(crate) lenient: BTreeMap<String, u64>,
}

impl InputStatus {
    /// Counts one more.
    #[inline]
    pub(crate) fn count(&mut self, status: Status<'_>) {
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

    /// Counts what was read leniently in a game.
    #[inline]
    pub(crate) fn count_misspellings(&mut self, verdict: &Verdict) {
        let Verdict::Accepted { misspellings, .. } = verdict else { return };
        for (kind, times) in misspellings.iter() {
            count(&mut self.lenient, kind.name(), times.into());
        }
    }

    /// One that waited counts.
    pub(crate) fn accept(&mut self) {
        self.accepted += 1;
    }

    /// One that waited teaches nothing.
    pub(crate) fn idle(&mut self, why: &str) {
        count(&mut self.passed_over, why, 1);
    }

    /// One that waited is rejected after all.
    pub(crate) fn reject(&mut self, reason: &str) {
        count(&mut self.rejected, reason, 1);
    }

    /// Whether nothing counts, or may still count.
    pub(crate) fn is_nothing(&self) -> bool {
        let passed_over: u64 = self.passed_over.values().sum();
        self.accepted == 0 && passed_over + self.rejected_games() + self.copies == self.games
    }

    /// Rejected for any reason.
    pub(crate) fn rejected_games(&self) -> u64 {
        self.rejected.values().sum()
    }

    /// Adds the counts of another part of the input.
    pub(crate) fn add(&mut self, more: &Self) {
        self.games += more.games;
        self.accepted += more.accepted;
        self.cut += more.cut;
        self.copies += more.copies;
        more.lenient.iter().for_each(|(kind, &times)| count(&mut self.lenient, kind, times));
        more.passed_over.iter().for_each(|(why, &games)| count(&mut self.passed_over, why, games));
        more.rejected.iter().for_each(|(reason, &games)| count(&mut self.rejected, reason, games));
    }
}

/// Adds to the count of a name. A name is copied only the first time.
fn count(counts: &mut BTreeMap<String, u64>, name: &str, more: u64) {
    match counts.get_mut(name) {
        Some(count) => *count += more,
        None => drop(counts.insert(name.to_owned(), more)),
    }
}

/// Counts by input.
#[derive(Clone, Debug, Default)]
pub(crate) struct StatusCounts(Vec<InputStatus>);

impl StatusCounts {
    /// The counts of an input; zeros at first.
    pub(crate) fn of(&mut self, input: u32) -> &mut InputStatus {
        let input = input as usize;
        if self.0.len() <= input {
            self.0.resize(input + 1, InputStatus::default());
        }
        &mut self.0[input]
    }

    /// All inputs together.
    pub(crate) fn sum(&self) -> InputStatus {
        let mut sum = InputStatus::default();
        self.0.iter().for_each(|input| sum.add(input));
        sum
    }
}
