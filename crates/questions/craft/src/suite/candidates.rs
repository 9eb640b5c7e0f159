//! Finds the positions that match the options of a suite.

use std::collections::BTreeMap;

use position::{Experience, Key, PackedMove, Tally, ratio};
use shakmaty::{Chess, Color, Position as _};
use table::PositionCounts;
use walk::{Parent, Walk, Walked, Work, for_each_shard};

use super::{
    EvalView, ExperienceLookUp, Spread, SuiteInputs, SuiteOptions, WdlModel, often::FrequentPositions,
};
use crate::{Bounds, Result};

/// A position that matches the options of a suite.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub(super) key: Key,
    pub(super) parent: Option<Parent>,
    pub(super) ply: u32,
    pub(super) tally: Tally,
    /// White's advantage in pawns.
    pub(super) eval: Option<f32>,
    /// The number that stands for the candidate's ECO code; 0 if the candidate has no code, or if ECO codes
    /// are ignored.
    pub(super) code: u16,
}

/// A search for candidates.
pub(super) struct Search<'s> {
    pub(super) source: &'s SuiteInputs<'s>,
    pub(super) options: &'s SuiteOptions,
    pub(super) walk: &'s Walk,
    pub(super) work: &'s Work<'s>,
    /// The visits of all positions with enough games; `None` if they did not fit into memory.
    pub(super) often: Option<&'s FrequentPositions>,
    /// The minimum number of visits that a position needs to be popular. Positions with fewer visits are left
    /// out.
    pub(super) least: u64,
}

impl Search<'_> {
    /// Calls `take` for each position whose line is long enough, in ascending order of keys. The arguments
    /// are the number of the shard, and either a candidate or the reason why the position does not match the
    /// options. Returns the results in the order of the shards.
    pub(super) fn each_shard<T: Default + Send>(
        &self,
        phase: &'static str,
        take: impl Fn(&mut T, u32, Result<Candidate, &'static str>) + Sync,
    ) -> Result<Vec<T>> {
        let Self { source, options, walk, work, .. } = *self;
        let take = |made: &mut T, shard, walked: &Walked, tally| take(made, shard, self.judge(walked, tally));
        let Some(often) = self.often else {
            return each_position(phase, (source, options, walk, work), take);
        };
        for_each_shard(work, phase, source.rows.shards(), |shard| {
            let (mut made, mut walked) = (T::default(), walk.shard(shard)?);
            let mut often = often.of_shard(shard).iter().copied().peekable();
            while let Some(walked) = walked.next()? {
                if walked.plies_of_line >= u32::from(options.plies.first) {
                    while often.next_if(|(key, _)| *key < walked.key).is_some() {}
                    // Positions that are not in `often` have too few games.
                    let tally = often.next_if(|(key, _)| *key == walked.key).unwrap_or_default().1;
                    take(&mut made, shard, &walked, tally);
                }
            }
            Ok(made)
        })
    }

    /// Turns a position into a candidate, or returns the reason why the position does not match the options.
    fn judge(&self, walked: &Walked, tally: Tally) -> Result<Candidate, &'static str> {
        let options = self.options;
        let Walked { key, parent, ply, label, .. } = *walked;
        let code = if options.spread == Spread::Any { 0 } else { label };
        let fits = |bounds: Option<Bounds>, value: f64| bounds.is_none_or(|bounds| bounds.hold(value));
        if tally.games() < options.min_games {
            return Err("games");
        }
        if tally.games() < self.least {
            return Err("not popular");
        }
        if !fits(options.score, tally.score(Color::White).unwrap_or(f64::NAN)) {
            return Err("score");
        }
        if !fits(options.draws, ratio(tally.draws, tally.games())) {
            return Err("draws");
        }
        let position = walked.board().ok_or("not legal")?.position();
        let eval = evaluation(walked, position.turn(), self.source.known);
        options.judge_evaluation(&position, eval)?;
        options.board.refuse(key, &position).map_or(Ok(()), Err)?;
        Ok(Candidate { key, parent, ply, tally, eval, code })
    }
}

impl SuiteOptions {
    /// Checks whether White's advantage in a position matches the options; if not, fails with the reason.
    fn judge_evaluation(&self, position: &Chess, eval: Option<f32>) -> Result<(), &'static str> {
        if self.eval.is_none() && self.model_draws.is_none() {
            return Ok(());
        }
        let Some(pawns) = eval.map(f64::from) else { return Err("no evaluation") };
        let viewed =
            if self.eval_view == EvalView::White { pawns } else { position.turn().fold_wb(pawns, -pawns) };
        if self.eval.is_some_and(|bounds| !bounds.hold(viewed)) {
            return Err("evaluation");
        }
        let draws = || WdlModel::STOCKFISH.draws(position, pawns);
        if self.model_draws.is_some_and(|bounds| !bounds.hold(draws())) {
            Err("drawn by the model")
        } else {
            Ok(())
        }
    }
}

/// Returns how many visits a position needs to be popular. To find this number, the visits of positions are
/// added up, beginning with the most visited position, until the sum reaches the share of all visits that the
/// options require. A position is popular if it has at least as many visits as the last position that was
/// added. If the options do not require a share, the result is 0.
pub(super) fn popular(
    source: &SuiteInputs<'_>,
    options: &SuiteOptions,
    walk: &Walk,
    work: &Work<'_>,
) -> Result<u64> {
    let Some(share) = options.popular else { return Ok(0) };
    let add = |positions: &mut BTreeMap<u64, u64>, _, _: &Walked, tally: Tally| {
        *positions.entry(tally.games()).or_default() += 1;
    };
    let mut positions = BTreeMap::<u64, u64>::new();
    for part in each_position("counting visits", (source, options, walk, work), add)? {
        for (games, count) in part {
            *positions.entry(games).or_default() += count;
        }
    }
    let visits = |(games, count): (&u64, &u64)| u128::from(*games) * u128::from(*count);
    let all: u128 = positions.iter().map(visits).sum();
    let mut covered = 0;
    let last = positions.iter().rev().find(|&entry| {
        covered += visits(entry);
        share.reached_by(covered, all)
    });
    Ok(last.map_or(0, |(games, _)| *games))
}

/// Calls `take` for each position whose line is long enough, in ascending order of keys. The arguments are
/// the number of the shard, the position, and the position's visits. Returns the results in the order of the
/// shards.
fn each_position<T: Default + Send>(
    phase: &'static str,
    (source, options, walk, work): (&SuiteInputs<'_>, &SuiteOptions, &Walk, &Work<'_>),
    take: impl Fn(&mut T, u32, &Walked, Tally) + Sync,
) -> Result<Vec<T>> {
    for_each_shard(work, phase, source.rows.shards(), |shard| {
        let mut made = T::default();
        let mut walked = walk.shard(shard)?;
        let mut positions = walk::open(source.rows, shard)?;
        let mut counts = PositionCounts::default();
        while positions.next_into(&mut counts)? {
            let Some(walked) = walked.find(counts.key)? else { continue };
            if walked.plies_of_line >= u32::from(options.plies.first) {
                take(&mut made, shard, &walked, counts.tally);
            }
        }
        Ok(made)
    })
}

/// White's advantage according to an evaluation of the position or, failing that, of the move that leads to
/// the position. If neither is known, the learned value of that move is used.
fn evaluation(walked: &Walked, turn: Color, known: &ExperienceLookUp<'_>) -> Option<f32> {
    let of_position = known(walked.key, PackedMove::TERMINAL).and_then(|known| known.eval);
    let learned = |known: Experience| (known.learn_count > 0).then_some(known.learn);
    let of_move = || {
        let parent = walked.parent?;
        let known = known(parent.key, parent.mv)?;
        known.eval.or_else(|| learned(known))
    };
    let for_white = |mover: Color, pawns: f32| mover.fold_wb(pawns, -pawns);
    let of_position = of_position.map(|pawns| for_white(turn, pawns));
    of_position.or_else(|| of_move().map(|pawns| for_white(!turn, pawns)))
}
