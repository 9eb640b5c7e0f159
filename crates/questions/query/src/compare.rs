//! Compares the moves of two artefacts in one position.

use std::collections::BTreeMap;

use position::{Key, PackedMove, ratio};
use serde::Serialize;
use shakmaty::Chess;

use crate::{KeyMove, KeyProbe, Result, View, move_names::move_names};

/// The moves of two artefacts in a position.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Comparison {
    /// Whether our artefact has the position, and whether the other one does.
    pub found: (bool, bool),
    /// Every move that either artefact has, sorted by absolute difference in descending order. Moves with the
    /// same absolute difference are sorted by move.
    pub moves: Vec<MoveComparison>,
}

/// A move, with its values in each of the two artefacts.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct MoveComparison {
    /// The move in UCI notation, with castling written as the king's move.
    pub uci: String,
    /// The move in standard algebraic notation.
    pub san: String,
    /// The move's values in our artefact; `None` if our artefact does not have the move.
    pub ours: Option<ComparedMove>,
    /// The move's values in the other artefact; `None` if the other artefact does not have the move.
    pub theirs: Option<ComparedMove>,
    /// The move's share in our artefact minus its share in the other one, from −1 to 1. If an artefact does
    /// not have the move, its share there is 0.
    pub difference: f64,
}

/// A move's values in one artefact.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ComparedMove {
    /// The number of games in which the move was played; `None` in a Polyglot book.
    pub games: Option<u64>,
    /// This move's share of the games (or weights) of all moves in the position, from 0 to 1.
    pub share: f64,
    /// The score of the side to move, 0 to 1; `None` if no games were counted.
    pub score: Option<f64>,
    /// The move's weight in a Polyglot book.
    pub weight: Option<u16>,
}

/// Compares the moves of `position` in two artefacts. Moves that are illegal there are left out.
///
/// # Errors
///
/// Fails as [`probe_key`](crate::probe_key()) does.
pub fn compare(ours: &View<'_>, theirs: &View<'_>, position: &Chess) -> Result<Comparison> {
    let key = Key::of(position);
    let found =
        |view: &View<'_>| Ok::<_, crate::Error>(view.probe_key(key)?.map(|found| found.normalized(position)));
    let (ours, theirs) = (found(ours)?, found(theirs)?);
    let share = |found: Option<ComparedMove>| found.map_or(0.0, |found| found.share);
    let compared = |(mv, (ours, theirs))| {
        let (san, uci) = move_names(position, mv);
        Some(MoveComparison { uci, san: san?, ours, theirs, difference: share(ours) - share(theirs) })
    };
    let mut moves: Vec<_> =
        KeyProbe::paired(ours.as_ref(), theirs.as_ref()).into_iter().filter_map(compared).collect();
    moves.sort_by(|a, b| b.difference.abs().total_cmp(&a.difference.abs()));
    Ok(Comparison { found: (ours.is_some(), theirs.is_some()), moves })
}

impl KeyProbe {
    /// Pairs up the values that each move has in the two artefacts.
    #[must_use]
    pub fn paired(
        first: Option<&Self>,
        second: Option<&Self>,
    ) -> BTreeMap<PackedMove, (Option<ComparedMove>, Option<ComparedMove>)> {
        let mut moves = BTreeMap::<_, (Option<_>, Option<_>)>::new();
        for (mv, found) in first.into_iter().flat_map(Self::shares) {
            moves.entry(mv).or_default().0 = Some(found);
        }
        for (mv, found) in second.into_iter().flat_map(Self::shares) {
            moves.entry(mv).or_default().1 = Some(found);
        }
        moves
    }

    /// Each move and its share, sorted by move. The weights of repeated entries for a move in a Polyglot book
    /// are added up.
    #[must_use]
    pub fn shares(&self) -> Vec<(PackedMove, ComparedMove)> {
        let part = |weight: Option<u16>, games: Option<u64>| weight.map_or(games.unwrap_or(0), u64::from);
        let games = |tally: Option<position::Tally>| tally.map(position::Tally::games);
        let all: u64 = self.moves.iter().map(|known| part(known.weight, games(known.tally))).sum();
        let shown = |known: &KeyMove| {
            let games = games(known.tally);
            let share = ratio(part(known.weight, games), all.max(1));
            let score = known.tally.zip(self.turn).and_then(|(tally, turn)| tally.score(turn));
            (known.mv, ComparedMove { games, share, score, weight: known.weight })
        };
        let mut moves: Vec<_> = self.moves.iter().map(shown).collect();
        moves.sort_by_key(|(mv, _)| *mv);
        moves.dedup_by(|(mv, again), (before, first)| {
            let is_again = mv == before;
            if is_again {
                first.share += again.share;
                first.weight = first.weight.zip(again.weight).map(|(a, b)| a.saturating_add(b));
            }
            is_again
        });
        moves
    }
}
