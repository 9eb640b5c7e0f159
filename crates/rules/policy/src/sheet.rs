//! An unfinished judgement of a position's moves, which a policy completes step by step.

use shakmaty::Color;

use crate::{Candidate, Judgement, MoveJudgement, Reason, Scores, Situation};

/// The reason for excluding a move that is not an edge of the book.
const OUTSIDE_BOOK: Reason = Reason { rule: "not a move of the book", source: "ours" };

/// The note that all moves are equally likely.
pub(crate) const EVEN: &str = "every weight is 0: the choice is even";

/// The candidates of one position, sorted by move, and the policy's judgement of each so far.
///
/// A policy excludes some moves, gives the others weights (in [`MoveJudgement::probability`]), and normalizes
/// the weights.
#[derive(Debug)]
pub(crate) struct Sheet<'a> {
    pub(crate) turn: Color,
    pub(crate) candidates: &'a [Candidate],
    pub(crate) moves: Vec<MoveJudgement>,
    pub(crate) figures: Scores,
    pub(crate) notes: Vec<&'static str>,
}

impl<'a> Sheet<'a> {
    /// Creates a sheet; `candidates` must be sorted by move and contain no terminal visit.
    fn new(turn: Color, candidates: &'a [Candidate]) -> Self {
        let moves = candidates.iter().map(|candidate| MoveJudgement::new(candidate.mv)).collect();
        Self { turn, candidates, moves, figures: Scores::default(), notes: Vec::new() }
    }

    /// Calls `weigh` to fill in a sheet for `situation`, and returns the judgement.
    pub(crate) fn fill(situation: &Situation<'a>, weigh: impl Fn(&mut Sheet<'_>)) -> Judgement {
        let given = situation.candidates;
        let fit = given.first().is_none_or(|first| !first.mv.is_terminal())
            && given.is_sorted_by_key(|candidate| candidate.mv);
        if fit {
            return Self::new(situation.turn, given).close(weigh);
        }
        let mut sorted: Vec<Candidate> = given.iter().filter(|one| !one.mv.is_terminal()).copied().collect();
        sorted.sort_by_key(|candidate| candidate.mv);
        Sheet::new(situation.turn, &sorted).close(weigh)
    }

    fn close(mut self, weigh: impl Fn(&mut Sheet<'_>)) -> Judgement {
        weigh(&mut self);
        Judgement { moves: self.moves, figures: self.figures, notes: self.notes }
    }

    /// Every candidate that is not excluded, with its judgement so far.
    pub(crate) fn open(&mut self) -> impl Iterator<Item = (&'a Candidate, &mut MoveJudgement)> {
        let Self { candidates, moves, .. } = self;
        candidates.iter().zip(moves).filter(|(_, judged)| judged.excluded.is_none())
    }

    /// Excludes the moves for which `fits` returns `true`, unless they are already excluded.
    pub(crate) fn exclude_where(&mut self, reason: Reason, fits: impl Fn(&Candidate) -> bool) {
        for (candidate, judged) in self.open() {
            if fits(candidate) {
                judged.exclude(reason);
            }
        }
    }

    /// Excludes moves that are not edges of the book.
    pub(crate) fn exclude_outside_book(&mut self) {
        self.exclude_where(OUTSIDE_BOOK, |candidate| !candidate.in_book);
    }

    /// Normalizes the weights of all moves that are not excluded, so that they sum to 1. If all of them are
    /// 0, the moves become equally likely, and a note is added.
    pub(crate) fn share_out(&mut self) {
        self.share_out_among(1.0, |_| true);
    }

    /// Normalizes the weights of the moves in one group, except for excluded ones, so that they sum to
    /// `mass`. If all of them are 0, the moves of the group become equally likely, and a note is added.
    pub(crate) fn share_out_among(&mut self, mass: f64, member: impl Fn(&MoveJudgement) -> bool) {
        let open = |judged: &&mut MoveJudgement| judged.excluded.is_none() && member(judged);
        let (mut count, mut sum) = (0.0, 0.0);
        for judged in self.moves.iter_mut().filter(open) {
            count += 1.0;
            sum += judged.probability;
        }
        if count > 0.0 && sum <= 0.0 {
            self.notes.push(EVEN);
        }
        for judged in self.moves.iter_mut().filter(open) {
            judged.probability = mass * if sum > 0.0 { judged.probability / sum } else { 1.0 / count };
        }
    }

    /// Excludes all moves except the one with the greatest `key`. If several are tied, the one that sorts
    /// first is kept.
    pub(crate) fn keep_best<K: PartialOrd>(
        &mut self,
        reason: Reason,
        key: impl Fn(&Candidate, &MoveJudgement) -> K,
    ) {
        let mut best: Option<(usize, K)> = None;
        for (at, (candidate, judged)) in self.candidates.iter().zip(&self.moves).enumerate() {
            if judged.excluded.is_none() {
                let value = key(candidate, judged);
                if best.as_ref().is_none_or(|(_, highest)| value > *highest) {
                    best = Some((at, value));
                }
            }
        }
        let Some((best, _)) = best else { return };
        for (at, judged) in self.moves.iter_mut().enumerate() {
            if at == best {
                judged.probability = 1.0;
            } else if judged.excluded.is_none() {
                judged.exclude(reason);
            }
        }
    }
}
