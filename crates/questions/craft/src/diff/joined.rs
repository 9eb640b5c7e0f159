//! The positions of two artefacts, joined by key.

use std::{iter::Peekable, ops::ControlFlow};

use query::{AllPositions, Artefact, KeyProbe};
use walk::{WalkProgress, Work};

use fault::Stop;

use crate::Result;

/// After this number of positions, the work is asked again whether to go on.
const ROUND: u64 = 4096;

/// The positions of two artefacts, ascending by key. A position that both artefacts have comes as a pair.
pub(super) struct Joined<'a> {
    first: Peekable<AllPositions<'a>>,
    second: Peekable<AllPositions<'a>>,
    read: u64,
    work: &'a Work<'a>,
}

impl<'a> Joined<'a> {
    pub(super) fn new(first: &'a Artefact, second: &'a Artefact, work: &'a Work<'_>) -> Result<Self> {
        let (first, second) = (query::positions(first)?.peekable(), query::positions(second)?.peekable());
        Ok(Self { first, second, read: 0, work })
    }

    /// The next key's position in each artefact, or `None` in the artefact without it. A position that cannot
    /// be read comes first.
    fn pair(&mut self) -> query::Result<(Option<KeyProbe>, Option<KeyProbe>)> {
        let key = |found: &query::Result<KeyProbe>| found.as_ref().ok().map(|found| found.key);
        let [first, second] = [self.first.peek().map(key), self.second.peek().map(key)];
        let least = first.into_iter().chain(second).min();
        let first = self.first.next_if(|_| first == least).transpose()?;
        let second = self.second.next_if(|_| second == least).transpose()?;
        Ok((first, second))
    }
}

impl Iterator for Joined<'_> {
    type Item = Result<(Option<KeyProbe>, Option<KeyProbe>)>;

    fn next(&mut self) -> Option<Self::Item> {
        self.read += 1;
        if self.read % ROUND == 1 {
            let progress = WalkProgress { phase: "comparing", shards_done: 0, shards: 0 };
            if let ControlFlow::Break(()) = (self.work.on_progress)(progress) {
                return Some(Err(Stop.into()));
            }
        }
        match self.pair() {
            Ok((None, None)) => None,
            pair => Some(pair.map_err(Into::into)),
        }
    }
}
