//! The description of a suite.

use std::collections::BTreeMap;

use position::ratio;
use serde::Serialize;
use shakmaty::Color;

use super::{Opening, Overlap};

/// Shares from 0 to 1 are counted in this many bins, each five percent wide.
const BINS: u32 = 20;

/// A range of values, and the number of openings whose value is in it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Bin {
    /// The lower end of the range, inclusive.
    pub from: f64,
    /// The upper end of the range, exclusive unless it is 1.
    pub to: f64,
    /// The number of openings.
    pub openings: u64,
}

/// Describes a suite, and what was left out of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct SuiteReport {
    /// The number of openings.
    pub openings: u64,
    /// The number of positions that fit.
    pub candidates: u64,
    /// How many of the positions within the range of plies were left out of the suite, by reason.
    pub left_out: BTreeMap<&'static str, u64>,
    /// Openings by White's score; empty for a Polyglot book, which has no results.
    pub score: Vec<Bin>,
    /// Openings by the share of draws; empty for a Polyglot book.
    pub draws: Vec<Bin>,
    /// Openings by plies.
    pub plies: BTreeMap<u32, u64>,
    /// The number of openings for each ECO code; openings without a code are counted under the empty string.
    pub eco: BTreeMap<String, u64>,
    /// The number of openings whose evaluation is known.
    pub evaluated: u64,
    /// The number of positions that the suite shares with other suites.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub overlaps: Vec<Overlap>,
}

impl SuiteReport {
    pub(super) fn new(
        openings: &[Opening],
        candidates: u64,
        mut left_out: BTreeMap<&'static str, u64>,
    ) -> Self {
        left_out.retain(|_, positions| *positions > 0);
        let (mut plies, mut eco) = (BTreeMap::<_, u64>::new(), BTreeMap::<_, u64>::new());
        for opening in openings {
            *plies.entry(opening.line.split(' ').count() as u32).or_default() += 1;
            let code = opening.name.as_ref().map_or("", |(code, _)| code);
            *eco.entry(code.to_owned()).or_default() += 1;
        }
        let tallies = || openings.iter().filter_map(|opening| opening.frequency.tally());
        Self {
            openings: openings.len() as u64,
            candidates,
            left_out,
            score: bins(tallies().filter_map(|tally| tally.score(Color::White))),
            draws: bins(tallies().map(|tally| ratio(tally.draws, tally.games()))),
            plies,
            eco,
            evaluated: openings.iter().filter(|opening| opening.eval.is_some()).count() as u64,
            overlaps: Vec::new(),
        }
    }
}

/// Counts the shares in bins; empty bins are left out.
#[expect(clippy::cast_sign_loss, reason = "shares are not negative")]
pub(crate) fn bins(shares: impl Iterator<Item = f64>) -> Vec<Bin> {
    let mut openings = BTreeMap::<u32, u64>::new();
    for share in shares {
        let bin = (share * f64::from(BINS)).floor() as u32;
        *openings.entry(bin.min(BINS - 1)).or_default() += 1;
    }
    let end = |bin: u32| f64::from(bin) / f64::from(BINS);
    openings.into_iter().map(|(bin, openings)| Bin { from: end(bin), to: end(bin + 1), openings }).collect()
}
