//! Draws openings from their ECO codes by turns.

use std::{
    cmp::Ordering,
    collections::{BTreeSet, BinaryHeap, HashMap, VecDeque},
};

use policy::{Permutation, Rng};
use table::SortedRows;

use super::{
    Spread, SuiteOptions,
    apart::Apart,
    candidates::Candidate,
    named::Codes,
    pool::{Group, Pool, Rank},
};
use crate::Result;

/// The stream of random numbers that orders codes; each stream below it orders the candidates of one code.
const STREAM_OF_CODES: u64 = u64::MAX;

/// What was drawn.
#[derive(Default)]
pub(super) struct Selection {
    /// The candidates in the order of the draw.
    pub(super) taken: Vec<Candidate>,
    /// How many were passed over because they are like one that was taken.
    pub(super) alike: u64,
    /// How many candidates were left when there were enough.
    pub(super) left: u64,
}

/// The place of a code's turn.
#[derive(Clone, Copy, Eq, PartialEq)]
struct Turn {
    /// Its place among the codes that have candidates, in an order that the seed decides.
    code: usize,
    weight: u64,
    taken: u64,
    /// Candidates that were not drawn.
    left: u64,
}

/// The candidates of a code.
struct Code {
    number: u16,
    /// The ranks of the candidates, in an order that the seed decides.
    ranks: Permutation,
    /// The next candidates.
    next: VecDeque<Candidate>,
}

/// A draw under way.
struct Draw<'p, R> {
    pool: &'p Pool<'p, R>,
    turns: BinaryHeap<Turn>,
    codes: Vec<Code>,
    apart: Apart,
    /// How many times the likely draw is looked up next.
    ahead: u64,
}

/// Draws openings: the next one is of the code that is furthest behind its share (Sainte-Laguë's divisors 1,
/// 3, 5 …), and within a code each candidate is equally likely. So the first openings are spread as all
/// openings are.
pub(super) fn choose<R: SortedRows>(
    pool: &Pool<'_, R>,
    codes: &Codes,
    options: &SuiteOptions,
) -> Result<Selection> {
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

impl<'p, R: SortedRows> Draw<'p, R> {
    fn new(pool: &'p Pool<'p, R>, codes: &Codes, options: &SuiteOptions) -> Self {
        let groups = Self::groups(pool, codes, options.seed);
        let turn = |(code, (_, group)): (usize, &(u16, Group))| {
            let weight = if options.spread == Spread::Games { group.games } else { 1 };
            Turn { code, weight, taken: 0, left: group.positions }
        };
        let turns = groups.iter().enumerate().map(turn).collect();
        let code = |(stream, (number, group)): (u64, &(u16, Group))| {
            let ranks = Permutation::new(Rng::stream(options.seed, stream), group.positions);
            Code { number: *number, ranks, next: VecDeque::new() }
        };
        let codes = (0..).zip(&groups).map(code).collect();
        Self { pool, turns, codes, apart: Apart::new(options.apart), ahead: 1 }
    }

    /// The codes with their candidates, in an order that the seed decides. So, of many codes with the same
    /// share, any may be among the few that fit into a small suite.
    fn groups(pool: &Pool<'_, R>, codes: &Codes, seed: u64) -> Vec<(u16, Group)> {
        let names = codes.names();
        let mut groups: Vec<_> = pool.groups().collect();
        groups.sort_by_key(|(number, _)| names.get(number));
        let order = Permutation::new(Rng::stream(seed, STREAM_OF_CODES), groups.len() as u64);
        order.map(|place| groups[place as usize]).collect()
    }

    /// The next candidate, and whether it is apart from those before; `None` where none is left. `wanted` are
    /// still to be taken.
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

    /// Looks up the candidates that are drawn next if none are alike, and more of them each time.
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
        self.apart.find_ways(self.pool.walk(), found.values())?;
        let places: HashMap<u16, usize> =
            self.codes.iter().zip(0..).map(|(code, place)| (code.number, place)).collect();
        for rank in ranks {
            self.codes[places[&rank.0]].next.extend(found.get(&rank));
        }
        // No more are looked up at a time than the memory holds.
        if self.ahead.saturating_mul(wanted) < self.pool.most() {
            self.ahead *= 2;
        }
        Ok(())
    }

    /// How often each code has its turn in the next `draws` turns, if no two openings are alike.
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

/// The greater turn comes first: that of the code with less of its share, and of two equal ones the earlier
/// code.
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
