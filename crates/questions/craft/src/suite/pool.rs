//! The candidates for a suite, grouped by ECO code.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    sync::atomic::{AtomicU64, Ordering::Relaxed},
};

use super::candidates::{Candidate, Search};
use crate::Result;

/// The number of bytes that a candidate takes.
const CANDIDATE_BYTES: u64 = 256;

/// A candidate's rank: the number of its ECO code, and its index among that code's candidates in ascending
/// order of keys.
pub(super) type Rank = (u16, u64);

/// The candidates for a suite: the positions that match its options.
///
/// # Memory
///
/// The pool keeps all candidates if they fit into memory. Otherwise, it keeps only counts of the candidates
/// for each code, and repeats the search whenever candidates are looked up.
pub(super) struct Pool<'s> {
    pub(super) search: Search<'s>,
    groups: BTreeMap<u16, CandidateCounts>,
    /// The candidates by code, in ascending order of keys; `None` if they do not fit into memory.
    kept: Option<HashMap<u16, Vec<Candidate>>>,
    /// For each shard, the total number of candidates in all earlier shards, by code.
    firsts: Vec<HashMap<u16, u64>>,
    /// The number of positions that do not match the options, by reason.
    pub(super) refused: BTreeMap<&'static str, u64>,
}

/// The number of candidates for one code, and the total number of their games.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct CandidateCounts {
    pub(super) positions: u64,
    pub(super) games: u64,
}

/// The candidates of a shard.
#[derive(Default)]
struct Part {
    groups: HashMap<u16, CandidateCounts>,
    kept: Vec<Candidate>,
    refused: BTreeMap<&'static str, u64>,
}

impl<'s> Pool<'s> {
    /// Finds the candidates.
    pub(super) fn of(search: Search<'s>) -> Result<Self> {
        let (most, found) = (search.work.memory_bytes / CANDIDATE_BYTES, AtomicU64::new(0));
        let parts = search.each_shard("finding positions", |part: &mut Part, _, judged| match judged {
            Err(why) => *part.refused.entry(why).or_default() += 1,
            Ok(candidate) => {
                part.groups.entry(candidate.code).or_default().add(&candidate);
                if found.fetch_add(1, Relaxed) < most {
                    part.kept.push(candidate);
                } else {
                    part.kept = Vec::new();
                }
            }
        })?;
        let kept = (found.into_inner() <= most).then(HashMap::new);
        let mut pool =
            Self { search, groups: BTreeMap::new(), kept, firsts: Vec::new(), refused: BTreeMap::new() };
        for part in parts {
            pool.add(part);
        }
        Ok(pool)
    }

    /// Adds the next shard.
    fn add(&mut self, part: Part) {
        self.firsts.push(self.groups.iter().map(|(code, group)| (*code, group.positions)).collect());
        for (code, CandidateCounts { positions, games }) in part.groups {
            let group = self.groups.entry(code).or_default();
            *group = CandidateCounts { positions: group.positions + positions, games: group.games + games };
        }
        for (why, positions) in part.refused {
            *self.refused.entry(why).or_default() += positions;
        }
        let Some(kept) = &mut self.kept else { return };
        for candidate in part.kept {
            kept.entry(candidate.code).or_default().push(candidate);
        }
    }

    /// Returns the counts of the candidates for each code. Codes are represented by their numbers, which are
    /// in ascending order.
    pub(super) fn groups(&self) -> impl Iterator<Item = (u16, CandidateCounts)> {
        self.groups.iter().map(|(code, group)| (*code, *group))
    }

    /// The total number of candidates.
    pub(super) fn positions(&self) -> u64 {
        self.groups.values().map(|group| group.positions).sum()
    }

    /// The maximum number of candidates that may be in memory at once.
    pub(super) fn most(&self) -> u64 {
        self.search.work.memory_bytes / CANDIDATE_BYTES
    }

    /// Looks up the candidates with these ranks.
    pub(super) fn get(&self, ranks: &BTreeSet<Rank>) -> Result<HashMap<Rank, Candidate>> {
        let Some(kept) = &self.kept else { return self.found_anew(ranks) };
        let get = |&(code, rank): &Rank| Some(((code, rank), *kept.get(&code)?.get(rank as usize)?));
        Ok(ranks.iter().filter_map(get).collect())
    }

    fn found_anew(&self, ranks: &BTreeSet<Rank>) -> Result<HashMap<Rank, Candidate>> {
        type Passed = (HashMap<u16, u64>, Vec<(Rank, Candidate)>);
        let parts = self.search.each_shard(
            "looking up openings",
            |(passed, found): &mut Passed, shard, judged| {
                let Ok(candidate) = judged else { return };
                let code = candidate.code;
                let first = || self.firsts[shard as usize].get(&code).copied().unwrap_or(0);
                let next = passed.entry(code).or_insert_with(first);
                if ranks.contains(&(code, *next)) {
                    found.push(((code, *next), candidate));
                }
                *next += 1;
            },
        )?;
        Ok(parts.into_iter().flat_map(|(_, found)| found).collect())
    }
}

impl CandidateCounts {
    fn add(&mut self, candidate: &Candidate) {
        self.positions += 1;
        self.games += candidate.tally.games();
    }
}
