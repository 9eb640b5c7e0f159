//! Counts the openings of a suite that are kept and those that are left out.

use std::collections::BTreeMap;

use position::Tally;
use serde::Serialize;

use super::{RefineOptions, RefinedOpening, Refinement};
use crate::suite::{Bin, bins};

/// How many openings of a suite are kept or left out, and the results of their games.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct RefineReport {
    /// Openings that were read.
    pub openings: u64,
    /// Openings that are kept.
    pub kept: u64,
    /// How many openings are left out, by reason. The reason is the name of the value that is out of bounds.
    pub left_out: BTreeMap<&'static str, u64>,
    /// How many openings are kept because they have too few pairs to be judged.
    pub unjudged: u64,
    /// All games of the openings, by result.
    #[serde(flatten)]
    pub tally: Tally,
    /// Games without a partner.
    pub unpaired: u64,
    /// How many pairs gave 0, ½, 1, 1½ and 2 points to the player whose name sorts first.
    pub pairs: [u64; 5],
    /// The number of openings in each range of draw rates; openings without games are not counted.
    pub by_draws: Vec<Bin>,
    /// The number of openings in each range of pair draw rates. An opening's pair draw rate is the share of
    /// its pairs in which each player scored one point. Openings without pairs are not counted.
    pub by_pair_draws: Vec<Bin>,
    /// The number of openings in each range of White's score minus one half; openings without games are not
    /// counted.
    pub by_bias: Vec<Bin>,
}

impl Refinement {
    /// The report on the openings so far.
    #[must_use]
    pub fn report(&self, options: &RefineOptions) -> RefineReport {
        let all = || self.openings.iter();
        let (mut left_out, mut pairs, mut tally) = (BTreeMap::<_, u64>::new(), [0; 5], Tally::default());
        for opening in all() {
            if let Some(why) = options.refuse(opening) {
                *left_out.entry(why).or_default() += 1;
            }
            pairs.iter_mut().zip(opening.pairs).for_each(|(sum, pairs)| *sum += pairs);
            tally += opening.tally;
        }
        let openings = self.openings.len() as u64;
        let few = all().filter(|opening| opening.pairs() < options.min_pairs.max(1)).count() as u64;
        let bias = bins(all().filter_map(|opening| opening.bias().map(|bias| bias + 0.5)));
        let from_half = |bin: Bin| Bin { from: bin.from - 0.5, to: bin.to - 0.5, ..bin };
        RefineReport {
            openings,
            kept: openings - left_out.values().sum::<u64>(),
            left_out,
            unjudged: few,
            tally,
            unpaired: self.pairing.waiting(),
            pairs,
            by_draws: bins(all().filter_map(RefinedOpening::draw_rate)),
            by_pair_draws: bins(all().filter_map(RefinedOpening::pair_draw_rate)),
            by_bias: bias.into_iter().map(from_half).collect(),
        }
    }

    /// The lines of the openings that are kept, unchanged.
    #[must_use]
    pub fn kept(&self, options: &RefineOptions) -> String {
        let kept = self.openings.iter().filter(|opening| options.refuse(opening).is_none());
        kept.flat_map(|opening| [opening.text.as_str(), "\n"]).collect()
    }
}
