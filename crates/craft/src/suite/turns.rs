//! Draws openings from their ECO codes by turns.

use std::{
    cmp::Ordering,
    collections::{BTreeMap, BinaryHeap},
};

use policy::Rng;

use super::{Spread, SuiteOptions, apart::Apart, candidates::Candidate, named::Names};

/// What was drawn.
#[derive(Default)]
pub(super) struct Chosen {
    /// Places of candidates, in the order of the draw.
    pub(super) taken: Vec<usize>,
    /// How many were passed over because they are like one that was taken.
    pub(super) alike: u64,
    /// How many were left when there were enough.
    pub(super) left: u64,
}

/// A code, and the place of its turn.
struct Code {
    number: u64,
    weight: u64,
    taken: u64,
    /// Places of its candidates, shuffled.
    candidates: Vec<usize>,
}

/// Draws openings: the next is of the code that is furthest behind its part (Sainte-Laguë's divisors 1, 3, 5
/// …), and within a code each candidate is equally likely. So the first openings are spread as all are.
pub(super) fn choose(
    candidates: &[Candidate],
    names: &Names<'_>,
    apart: &mut Apart,
    options: &SuiteOptions,
) -> Chosen {
    let mut codes = codes(candidates, names, options);
    let mut chosen = Chosen::default();
    while let Some(mut code) = codes.pop() {
        let Some(place) = code.candidates.pop() else { continue };
        if chosen.taken.len() >= options.lines {
            chosen.left += 1 + code.candidates.len() as u64;
            continue;
        }
        if apart.take(candidates[place].key) {
            chosen.taken.push(place);
            code.taken += 1;
        } else {
            chosen.alike += 1;
        }
        codes.push(code);
    }
    chosen
}

/// The candidates of each code, in an order of the seed's.
fn codes(candidates: &[Candidate], names: &Names<'_>, options: &SuiteOptions) -> BinaryHeap<Code> {
    let mut by_code = BTreeMap::<_, Vec<usize>>::new();
    for (place, candidate) in candidates.iter().enumerate() {
        let code = if options.spread == Spread::Any { "" } else { names.code(candidate.key) };
        by_code.entry(code).or_default().push(place);
    }
    let games = |places: &[usize]| places.iter().map(|&place| candidates[place].tally.games()).sum();
    let code = |(number, mut candidates): (u64, Vec<usize>)| {
        let weight = if options.spread == Spread::Games { games(&candidates) } else { 1 };
        Rng::stream(options.seed, number).shuffle(&mut candidates);
        Code { number, weight, taken: 0, candidates }
    };
    (0..).zip(by_code.into_values()).map(code).collect()
}

/// The greater has its turn first: the one with less of its part, of two with the same the first.
impl Ord for Code {
    fn cmp(&self, other: &Self) -> Ordering {
        let part = |a: &Self, b: &Self| u128::from(2 * a.taken + 1) * u128::from(b.weight);
        part(other, self).cmp(&part(self, other)).then(other.number.cmp(&self.number))
    }
}

impl PartialOrd for Code {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Code {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Code {}
