//! The positions to search, with their boards, in order.

use std::{cmp::Reverse, collections::BTreeMap, iter::Peekable};

use book::Book;
use experience::{Union, UnionRows};
use position::{ExperienceKind, Key, PackedMove, Placement};
use run::{Context, Result};
use shakmaty::{Chess, Color, Position as _};
use table::{PositionCounts, SortedRows as _};
use walk::{Origin, Walk, Work};

use super::LearnEngine;

/// A position to search.
#[derive(Debug)]
pub(super) struct Target {
    pub(super) key: Key,
    placement: Placement,
    turn: Color,
    games: u64,
    /// The kept moves.
    pub(super) moves: Vec<PackedMove>,
}

impl Target {
    /// Makes a position that has a board but no games and no moves.
    pub(super) fn of(board: &Chess) -> Self {
        let (key, placement, turn) = (Key::of(board), Placement::of(board), board.turn());
        Self { key, placement, turn, games: 0, moves: Vec::new() }
    }

    /// The position's board; `None` if it is not legal. [`choose`] leaves out such positions.
    pub(super) fn board(&self) -> Option<Chess> {
        self.placement.position(self.turn)
    }
}

/// The positions to search, in order, and how many positions were left out, by reason.
pub(super) struct Targets {
    pub(super) wanted: Vec<Target>,
    pub(super) left_out: BTreeMap<String, u64>,
}

/// The evaluations in experience. Keys must be requested in ascending order.
pub(super) struct KnownKeys<'u>(Peekable<UnionRows<'u>>);

impl<'u> KnownKeys<'u> {
    pub(super) fn of(union: &'u Union) -> Result<Self> {
        Ok(Self(union.rows()?.peekable()))
    }

    /// Returns the moves of a position that have evaluations, including move 0 if the position itself has
    /// one.
    fn of_position(&mut self, key: Key) -> Result<Vec<PackedMove>> {
        let mut moves = Vec::new();
        while let Some(row) = self.0.next_if(|row| row.as_ref().map_or(true, |row| row.key <= key)) {
            let row = row?;
            if row.key == key && row.kind == ExperienceKind::Evaluation {
                moves.push(row.mv);
            }
        }
        Ok(moves)
    }
}

/// Walks through the book, and chooses the positions that the settings ask for.
pub(super) fn choose(
    context: &Context,
    book: &Book,
    settings: &LearnEngine,
    mut known: Option<KnownKeys<'_>>,
) -> Result<Targets> {
    let counts = count::of_book(context, book)?;
    let work = Work {
        threads: context.threads,
        memory_bytes: counts.memory_beside(context),
        temp_dir: context.temp_dir.clone(),
        on_progress: &|done| context.options.walked(done),
    };
    let walk = Walk::run(&work, &counts, &Origin::default())?;
    let mut chosen = Targets { wanted: Vec::new(), left_out: BTreeMap::new() };
    let mut position = PositionCounts::default();
    for shard in 0..counts.shards() {
        context.check_interrupt()?;
        let (mut walked, mut positions) = (walk.shard(shard)?, walk::open(&counts, shard)?);
        while positions.next_into(&mut position)? {
            let found = walked.find(position.key)?;
            match judge(found.as_ref(), &position, settings, &mut known)? {
                Verdict::Target(wanted) => chosen.wanted.push(wanted),
                Verdict::LeftOut(reason) => *chosen.left_out.entry(reason.into()).or_default() += 1,
                Verdict::NotAskedFor => {}
            }
        }
    }
    let is_late = |wanted: &Target| settings.leaves_first && !wanted.moves.is_empty();
    chosen.wanted.sort_unstable_by_key(|wanted| (is_late(wanted), Reverse(wanted.games), wanted.key));
    Ok(chosen)
}

/// Whether a position is searched.
enum Verdict {
    Target(Target),
    /// The position is left out for this reason.
    LeftOut(&'static str),
    NotAskedFor,
}

fn judge(
    walked: Option<&walk::Walked>,
    position: &PositionCounts,
    settings: &LearnEngine,
    known: &mut Option<KnownKeys<'_>>,
) -> Result<Verdict> {
    let games = position.tally.games();
    if games < settings.min_games {
        return Ok(Verdict::NotAskedFor);
    }
    let Some(walked) = walked else { return Ok(Verdict::LeftOut("no-line")) };
    if settings.plies.is_some_and(|plies| !(plies.first.into()..=plies.last.into()).contains(&walked.ply)) {
        return Ok(Verdict::NotAskedFor);
    }
    let (key, placement, turn) =
        (walked.key, walked.placement, Color::from_white(walked.ply.is_multiple_of(2)));
    let Some(board) = placement.position(turn) else { return Ok(Verdict::LeftOut("not-legal")) };
    if board.legal_moves().is_empty() {
        return Ok(Verdict::LeftOut("game-over"));
    }
    let moves: Vec<_> = position.edges.iter().map(|edge| edge.mv).collect();
    if let Some(known) = known {
        let known = known.of_position(key)?;
        let asked = if settings.moves { &moves[..] } else { &[] };
        if [PackedMove::TERMINAL].iter().chain(asked).all(|mv| known.contains(mv)) {
            return Ok(Verdict::LeftOut("known"));
        }
    }
    Ok(Verdict::Target(Target { key, placement, turn, games, moves }))
}
