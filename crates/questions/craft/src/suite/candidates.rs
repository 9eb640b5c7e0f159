//! Finds the positions that meet the options of a suite.

use position::{Experience, Key, PackedMove, Tally};
use shakmaty::{Color, Position as _};
use table::{PositionCounts, SortedRows};
use walk::{Parent, Walk, Walked, Work, for_each_shard};

use super::{KnownOf, Spread, SuiteInputs, SuiteOptions};
use crate::{Bounds, Result, ratio};

/// A position that fits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub(super) key: Key,
    pub(super) parent: Option<Parent>,
    pub(super) ply: u32,
    pub(super) tally: Tally,
    /// White's advantage in pawns.
    pub(super) eval: Option<f32>,
    /// The number of the ECO code that it is drawn by.
    pub(super) code: u16,
}

/// A search for candidates.
pub(super) struct Search<'s, R> {
    pub(super) source: &'s SuiteInputs<'s, R>,
    pub(super) options: &'s SuiteOptions,
    pub(super) walk: &'s Walk,
    pub(super) work: &'s Work<'s>,
}

impl<R: SortedRows> Search<'_, R> {
    /// Gives `take` the positions of the right ply of each shard, ascending by key: candidates, and for the
    /// others the reason why they do not fit. Its results come in the order of the shards.
    pub(super) fn each_shard<T: Default + Send>(
        &self,
        phase: &'static str,
        take: impl Fn(&mut T, u32, Result<Candidate, &'static str>) + Sync,
    ) -> Result<Vec<T>> {
        let Self { source, options, walk, work } = self;
        for_each_shard(work, phase, source.rows.shards(), |shard| {
            let mut made = T::default();
            let mut walked = walk.shard(shard)?;
            let mut positions = walk::open(source.rows, shard)?;
            let mut counts = PositionCounts::default();
            while positions.next_into(&mut counts)? {
                let Some(walked) = walked.find(counts.key)? else { continue };
                if walked.ply >= u32::from(options.plies.first) {
                    take(&mut made, shard, judge(&walked, counts.tally, source.known, options));
                }
            }
            Ok(made)
        })
    }
}

/// Turns a position into a candidate, or gives the reason why it does not fit.
fn judge(
    walked: &Walked,
    tally: Tally,
    known: &KnownOf<'_>,
    options: &SuiteOptions,
) -> Result<Candidate, &'static str> {
    let Walked { key, parent, ply, label, .. } = *walked;
    let code = if options.spread == Spread::Any { 0 } else { label };
    let fits = |bounds: Option<Bounds>, value: f64| bounds.is_none_or(|bounds| bounds.hold(value));
    if tally.games() < options.min_games {
        return Err("games");
    }
    if !fits(options.score, tally.score(Color::White).unwrap_or(f64::NAN)) {
        return Err("score");
    }
    if !fits(options.draws, ratio(tally.draws, tally.games())) {
        return Err("draws");
    }
    let position = walked.board().ok_or("not legal")?.position();
    let eval = evaluation(walked, position.turn(), known);
    if options.eval.is_some_and(|bounds| eval.is_none_or(|eval| !bounds.hold(eval.into()))) {
        return Err(if eval.is_some() { "evaluation" } else { "no evaluation" });
    }
    if position.is_game_over() {
        return Err("game over");
    }
    Ok(Candidate { key, parent, ply, tally, eval, code })
}

/// White's advantage: from a search of the position, else from a search of the move that leads there, else
/// from the move's learned value.
fn evaluation(walked: &Walked, turn: Color, known: &KnownOf<'_>) -> Option<f32> {
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
