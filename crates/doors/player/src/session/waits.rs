//! The answers expected from the engine, and their deadlines.

use std::time::{Duration, Instant};

use strum::IntoStaticStr;

/// An answer that the player is waiting for.
#[derive(Clone, Copy, Debug)]
struct Wait {
    since: Instant,
    until: Instant,
}

/// The answers that the player is waiting for.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Waits([Option<Wait>; 3]);

/// An answer that the engine has to give.
#[derive(Clone, Copy, Debug, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub(super) enum Answer {
    UciOk,
    ReadyOk,
    BestMove,
}

impl Waits {
    /// Starts waiting for an answer. The player waits for at most `patience`.
    pub(super) fn wait(&mut self, answer: Answer, patience: Duration) {
        let since = Instant::now();
        // There is no deadline if the time is too long for the clock's type.
        self.0[answer as usize] = since.checked_add(patience).map(|until| Wait { since, until });
    }

    /// Stops waiting for an answer.
    pub(super) fn done(&mut self, answer: Answer) {
        self.0[answer as usize] = None;
    }

    /// The earliest deadline among the expected answers.
    pub(super) fn next(&self) -> Option<Instant> {
        self.0.iter().flatten().map(|wait| wait.until).min()
    }

    /// An answer whose deadline has passed, and how long the player waited for it.
    pub(super) fn overdue(&self, now: Instant) -> Option<(&'static str, Duration)> {
        [Answer::UciOk, Answer::ReadyOk, Answer::BestMove].into_iter().find_map(|answer| {
            let wait = self.0[answer as usize].filter(|wait| wait.until <= now)?;
            Some((answer.into(), wait.until - wait.since))
        })
    }
}
