//! Picks openings at random. The ECO codes take turns.

use std::{
    cmp::Ordering,
    collections::{BTreeSet, BinaryHeap, HashMap, VecDeque},
};

use policy::{Permutation, Rng};

use super::{
    Spread, SuiteOptions,
    candidates::Candidate,
    named::Codes,
    pool::{CandidateCounts, Pool, Rank},
    similarity::TakenOpenings,
};
use crate::Result;

/// The number of the random stream that shuffles the codes. The candidates of each code are shuffled by a
/// separate stream; these streams are numbered from 0.
const STREAM_OF_CODES: u64 = u64::MAX;

/// The openings that were picked.
#[derive(Default)]
pub(super) struct Selection {
    /// The picked candidates, in the order in which they were picked.
    pub(super) taken: Vec<Candidate>,
    /// The number of candidates that were skipped because they are too close to an opening that was picked
    /// earlier.
    pub(super) alike: u64,
    /// The number of candidates that were never considered, because there were enough openings without them.
    pub(super) left: u64,
}

/// An ECO code that is waiting for its next turn.
#[derive(Clone, Copy, Eq, PartialEq)]
struct Turn {
    /// The code's index in the shuffled list of codes that have candidates.
    code: usize,
    weight: u64,
    taken: u64,
    /// How many of the code's candidates have not been considered yet.
    left: u64,
}

/// The candidates that have the same ECO code.
struct Code {
    number: u16,
    /// The ranks of the candidates, in an order that the seed determines.
    ranks: Permutation,
    /// The next candidates, which have already been looked up.
    next: VecDeque<Candidate>,
}

/// The state of a random selection of openings.
struct Draw<'p> {
    pool: &'p Pool<'p>,
    turns: BinaryHeap<Turn>,
    codes: Vec<Code>,
    apart: TakenOpenings,
    /// A look-up fetches the number of candidates that is likely to be needed, multiplied by this factor.
    ahead: u64,
}

/// Picks openings at random. Each turn goes to the code that is furthest behind its share, by Sainte-Laguë's
/// method (divisors 1, 3, 5 …). Within a code, every candidate is equally likely. As a result, even the first
/// few openings are spread over the codes in the same proportions as the whole suite.
pub(super) fn choose(pool: &Pool<'_>, codes: &Codes, options: &SuiteOptions) -> Result<Selection> {
    let mut draw = Draw::new(pool, codes, options);
    let mut chosen = Selection::default();
    while chosen.taken.len() < options.lines {
        let wanted = options.lines - chosen.taken.len();
        let Some((candidate, is_apart)) = draw.next(wanted as u64)? else { break };
        if is_apart {
            chosen.taken.push(candidate);
        } else {
            chosen.alike += 1;
        }
    }
    chosen.left = draw.turns.iter().map(|turn| turn.left).sum();
    Ok(chosen)
}

impl<'p> Draw<'p> {
    fn new(pool: &'p Pool<'p>, codes: &Codes, options: &SuiteOptions) -> Self {
        let groups = Self::groups(pool, codes, options.seed);
        let turn = |(code, (_, group)): (usize, &(u16, CandidateCounts))| {
            let weight = if options.spread == Spread::Games { group.games } else { 1 };
            Turn { code, weight, taken: 0, left: group.positions }
        };
        let turns = groups.iter().enumerate().map(turn).collect();
        let code = |(stream, (number, group)): (u64, &(u16, CandidateCounts))| {
            let ranks = Permutation::new(Rng::stream(options.seed, stream), group.positions);
            Code { number: *number, ranks, next: VecDeque::new() }
        };
        let codes = (0..).zip(&groups).map(code).collect();
        Self { pool, turns, codes, apart: TakenOpenings::new(options.apart), ahead: 1 }
    }

    /// Returns the codes and the counts of their candidates, shuffled by the seed. If many codes have equal
    /// shares, the seed therefore decides which of them appear in a small suite.
    fn groups(pool: &Pool<'_>, codes: &Codes, seed: u64) -> Vec<(u16, CandidateCounts)> {
        let names = codes.names();
        let mut groups: Vec<_> = pool.groups().collect();
        groups.sort_by_key(|(number, _)| names.get(number));
        let order = Permutation::new(Rng::stream(seed, STREAM_OF_CODES), groups.len() as u64);
        order.map(|place| groups[place as usize]).collect()
    }

    /// Returns the next candidate, and whether it differs enough from all openings picked so far; `None` if
    /// no candidate is left. `wanted` is the number of openings still needed.
    fn next(&mut self, wanted: u64) -> Result<Option<(Candidate, bool)>> {
        let Some(code) = self.turns.peek().map(|turn| turn.code) else { return Ok(None) };
        if self.codes[code].next.is_empty() {
            self.look_up(wanted)?;
        }
        let Some(mut turn) = self.turns.pop() else { return Ok(None) };
        let Some(candidate) = self.codes[code].next.pop_front() else { return Ok(None) };
        let is_apart = self.apart.take(candidate.key);
        turn.left -= 1;
        turn.taken += u64::from(is_apart);
        if turn.left > 0 {
            self.turns.push(turn);
        }
        Ok(Some((candidate, is_apart)))
    }

    /// Looks up the candidates that will come next, assuming that no two of them are too close to each other.
    /// Each look-up fetches more candidates than the one before.
    fn look_up(&mut self, wanted: u64) -> Result<()> {
        let likely = self.likely(wanted.min(self.pool.most().max(1)));
        let mut ranks = Vec::<Rank>::new();
        for turn in &self.turns {
            let code = &mut self.codes[turn.code];
            let more = likely.get(&turn.code).map_or(0, |draws| draws.saturating_mul(self.ahead));
            let missing = more.min(turn.left).saturating_sub(code.next.len() as u64);
            ranks.extend(code.ranks.by_ref().take(missing as usize).map(|rank| (code.number, rank)));
        }
        let found = self.pool.get(&ranks.iter().copied().collect::<BTreeSet<_>>())?;
        self.apart.find_ways(self.pool.search.walk, found.values())?;
        let places: HashMap<u16, usize> =
            self.codes.iter().zip(0..).map(|(code, place)| (code.number, place)).collect();
        for rank in ranks {
            self.codes[places[&rank.0]].next.extend(found.get(&rank));
        }
        // Never looks up more candidates at once than fit into memory.
        if self.ahead.saturating_mul(wanted) < self.pool.most() {
            self.ahead *= 2;
        }
        Ok(())
    }

    /// Returns how many turns each code gets in the next `draws` turns, assuming that no two openings are too
    /// close to each other.
    fn likely(&self, draws: u64) -> HashMap<usize, u64> {
        let (mut turns, mut likely) = (self.turns.clone(), HashMap::new());
        for _ in 0..draws {
            let Some(mut turn) = turns.pop() else { break };
            *likely.entry(turn.code).or_default() += 1;
            (turn.taken, turn.left) = (turn.taken + 1, turn.left - 1);
            if turn.left > 0 {
                turns.push(turn);
            }
        }
        likely
    }
}

/// The heap pops the greatest item first. This is the code that is furthest behind its share or, in case of a
/// tie, the code with the lowest index.
impl Ord for Turn {
    fn cmp(&self, other: &Self) -> Ordering {
        let part = |a: &Self, b: &Self| u128::from(2 * a.taken + 1) * u128::from(b.weight);
        part(other, self).cmp(&part(self, other)).then(other.code.cmp(&self.code))
    }
}

impl PartialOrd for Turn {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
