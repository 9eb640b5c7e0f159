//! What became of games, counted.

use pgn::{
    filter::Filter,
    verdict::{Reason, Verdict},
};

/// What became of the games of one input.
#[derive(Clone, Default)]
pub(super) struct Verdicts {
    pub(super) games: u64,
    pub(super) accepted: u64,
    pub(super) cut: u64,
    pub(super) filtered: [u64; Filter::ALL.len()],
    pub(super) rejected: [u64; Reason::ALL.len()],
}

impl Verdicts {
    pub(super) fn count(&mut self, verdict: &Verdict) {
        self.games += 1;
        match verdict {
            Verdict::Accepted { cut, .. } => {
                self.accepted += 1;
                self.cut += u64::from(*cut);
            }
            Verdict::Filtered(filter) => self.filtered[*filter as usize] += 1,
            Verdict::Rejected(rejection) => self.rejected[rejection.reason as usize] += 1,
        }
    }

    pub(super) fn add(&mut self, more: &Verdicts) {
        self.games += more.games;
        self.accepted += more.accepted;
        self.cut += more.cut;
        self.filtered.iter_mut().zip(more.filtered).for_each(|(sum, count)| *sum += count);
        self.rejected.iter_mut().zip(more.rejected).for_each(|(sum, count)| *sum += count);
    }
}
