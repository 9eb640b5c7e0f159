//! The positions that fit what is asked for.

use std::{
    collections::BTreeMap,
    sync::atomic::{AtomicU64, Ordering::Relaxed},
};

use position::{Experience, Key, PackedMove, Tally};
use shakmaty::{Color, Position as _};
use table::{PositionCounts, SortedRows};
use walk::{Parent, Walk, Walked, Work, for_each_shard};

use super::{KnownOf, Source, SuiteOptions};
use crate::{Bounds, Error, Result, ratio};

/// Bytes that a candidate takes with its nodes in the tree.
pub(super) const BYTES: u64 = 256;

/// A position that fits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub(super) key: Key,
    pub(super) parent: Option<Parent>,
    pub(super) ply: u32,
    pub(super) tally: Tally,
    /// White's advantage in pawns.
    pub(super) eval: Option<f32>,
}

/// Candidates, ascending by key, and how many positions of the right ply did not fit, by why.
#[derive(Default)]
pub(super) struct Found {
    pub(super) fit: Vec<Candidate>,
    pub(super) refused: BTreeMap<&'static str, u64>,
}

/// Finds the candidates.
pub(super) fn find<R: SortedRows>(
    source: &Source<'_, R>,
    options: &SuiteOptions,
    walk: &Walk,
    work: &Work<'_>,
) -> Result<Found> {
    let (most, candidates) = (work.memory_bytes / BYTES, AtomicU64::new(0));
    let shards = for_each_shard(work, "finding positions", source.rows.shards(), |shard| {
        let mut found = Found::default();
        let mut walked = walk.shard(shard)?;
        let mut positions = walk::open(source.rows, shard)?;
        let mut counts = PositionCounts::default();
        while positions.next_into(&mut counts)? {
            let Some(walked) = walked.find(counts.key)? else { continue };
            if walked.ply < u32::from(options.plies.first) {
                continue;
            }
            match judge(&walked, counts.tally, source.known, options) {
                Err(why) => *found.refused.entry(why).or_default() += 1,
                Ok(_) if candidates.fetch_add(1, Relaxed) >= most => return Err(Error::TooMany { most }),
                Ok(candidate) => found.fit.push(candidate),
            }
        }
        Ok(found)
    })?;
    let mut all = Found::default();
    for mut shard in shards {
        all.fit.append(&mut shard.fit);
        for (why, positions) in shard.refused {
            *all.refused.entry(why).or_default() += positions;
        }
    }
    Ok(all)
}

/// The candidate that a position is, or why it does not fit.
fn judge(
    walked: &Walked,
    tally: Tally,
    known: &KnownOf<'_>,
    options: &SuiteOptions,
) -> Result<Candidate, &'static str> {
    let Walked { key, parent, ply, .. } = *walked;
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
    Ok(Candidate { key, parent, ply, tally, eval })
}

/// White's advantage: by a search of the position, else of the move that leads there, else as that was
/// learned.
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
