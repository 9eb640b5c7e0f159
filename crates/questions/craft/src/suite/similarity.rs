//! Finds openings that are too much alike.

use std::collections::{HashMap, HashSet};

use position::Key;
use walk::Walk;

use super::candidates::Candidate;
use crate::Result;

/// The openings taken so far, with the positions before them on their lines.
pub(super) struct TakenOpenings {
    plies: u16,
    parents: HashMap<Key, Key>,
    /// The keys of the openings that were taken, and of the last `plies` positions before each of them.
    near: HashSet<Key>,
}

impl TakenOpenings {
    /// Creates an empty collection. Two openings count as alike if the same position occurs within the last
    /// `plies` plies of both lines. If `plies` is 0, two openings count as alike only if they are the same
    /// position.
    pub(super) fn new(plies: u16) -> Self {
        Self { plies, parents: HashMap::new(), near: HashSet::new() }
    }

    /// Looks up the positions that come before these openings on their lines. This function must be called
    /// before `take`, which needs these positions.
    pub(super) fn find_ways<'c>(
        &mut self,
        walk: &Walk,
        openings: impl Iterator<Item = &'c Candidate>,
    ) -> Result<()> {
        let with_parent = openings.filter_map(|opening| Some((opening.key, opening.parent?.key)));
        let steps: Vec<_> = with_parent.take_while(|_| self.plies > 0).collect();
        self.parents.extend(steps.iter().copied());
        let mut way: Vec<Key> = steps.into_iter().map(|(_, parent)| parent).collect();
        for _ in 1..self.plies {
            way.sort_unstable();
            way.dedup();
            let is_new = |key: &Key| !self.parents.contains_key(key);
            let found = walk.find(&way.iter().copied().filter(is_new).collect::<Vec<_>>())?;
            self.parents.extend(found.iter().filter_map(|walked| Some((walked.key, walked.parent?.key))));
            way = way.iter().filter_map(|key| self.parents.get(key).copied()).collect();
        }
        Ok(())
    }

    /// Takes an opening unless it is too similar to an opening that was taken earlier. Returns whether the
    /// opening was taken.
    pub(super) fn take(&mut self, key: Key) -> bool {
        let way = std::iter::successors(Some(key), |key| self.parents.get(key).copied());
        let way: Vec<_> = way.take(usize::from(self.plies) + 1).collect();
        let is_apart = !way.iter().any(|key| self.near.contains(key));
        if is_apart {
            self.near.extend(way);
        }
        is_apart
    }
}
