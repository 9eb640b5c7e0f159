//! What a position shows by itself: choices, worse moves, dead ends, wrong weights.

use position::{PackedMove, Tally};
use query::{Artefact, KeyMove, KeyProbe, probe_key};
use shakmaty::{Chess, Color, Position as _};

use super::{CheckOptions, Collected, Finding, FindingKind, KindReport};
use crate::{
    Result,
    graph::{Graph, Node, turn},
};

/// Finds one kind, position by position.
pub(super) fn find(
    book: &Artefact,
    kind: FindingKind,
    color: Option<Color>,
    graph: &Graph,
    options: &CheckOptions,
) -> Result<KindReport> {
    let mut found = Collected::new(kind, options.limit);
    for (node, place) in graph.nodes().iter().zip(0..) {
        let (at, is_ours) = (At { graph, node, place }, color.is_none_or(|color| color == turn(node)));
        match kind {
            FindingKind::DeadEnds => at.dead_end(options, &mut found),
            FindingKind::Choices | FindingKind::Worse if !is_ours => {}
            _ => {
                if let Some(known) = probe_key(book, node.key)? {
                    at.of_moves(kind, &known, options, &mut found);
                }
            }
        }
    }
    Ok(found.report())
}

/// A position that is checked. Its board takes the moves of its line, so it is made only where it is needed.
struct At<'g> {
    graph: &'g Graph,
    node: &'g Node,
    place: u32,
}

impl At<'_> {
    fn board(&self) -> Chess {
        self.graph.board(self.place)
    }

    /// A finding on the line to the position and `moves` after it.
    fn finding(&self, moves: &[PackedMove], what: String) -> Finding {
        Finding { line: self.graph.line(self.place, moves), key: self.node.key.to_string(), what }
    }

    fn of_moves(&self, kind: FindingKind, known: &KeyProbe, options: &CheckOptions, found: &mut Collected) {
        match kind {
            FindingKind::Choices => self.choices(known, found),
            FindingKind::Worse => self.worse(known, options, found),
            _ => self.weights(known, found),
        }
    }

    fn choices(&self, known: &KeyProbe, found: &mut Collected) {
        if known.moves.len() < 2 {
            return;
        }
        found.push(|| {
            let board = self.board();
            let names: Vec<_> = known.moves.iter().map(|mv| name(mv.mv, &board)).collect();
            self.finding(&[], format!("{} moves: {}", names.len(), names.join(", ")))
        });
    }

    /// A line that ends before the ply asked for, though the game does not.
    fn dead_end(&self, options: &CheckOptions, found: &mut Collected) {
        let ply = self.node.ply;
        let is_end = ply < options.plies && self.graph.edges(self.place).is_empty();
        if is_end && !self.board().is_game_over() {
            found.push(|| self.finding(&[], format!("ends after {ply} plies")));
        }
    }

    fn worse(&self, known: &KeyProbe, options: &CheckOptions, found: &mut Collected) {
        let score = |known: &KeyMove| {
            let tally = known.tally.filter(|tally| tally.games() >= options.min_games.max(1))?;
            Some((known.mv, tally.score(turn(self.node))?, tally.games()))
        };
        let scores: Vec<_> = known.moves.iter().filter_map(score).collect();
        let best = scores.iter().max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)));
        let Some(&(best, most, _)) = best else { return };
        for &(mv, score, games) in scores.iter().filter(|(_, score, _)| *score < most - options.worse) {
            found.push(|| {
                let (score, most, best) = (100.0 * score, 100.0 * most, name(best, &self.board()));
                self.finding(&[mv], format!("scores {score:.1} % in {games} games, {best} {most:.1} %"))
            });
        }
    }

    /// Moves that are not legal, that are there twice or never drawn, and more games than the position has.
    fn weights(&self, known: &KeyProbe, found: &mut Collected) {
        let board = self.board();
        for (at, known_move) in known.moves.iter().enumerate() {
            let KeyMove { mv, weight, .. } = *known_move;
            if mv.unpack(&board).is_none() {
                found.push(|| self.finding(&[], format!("{mv} is not legal")));
            } else if known.moves[..at].iter().any(|before| before.mv == mv) {
                found.push(|| self.finding(&[mv], "is there twice".into()));
            } else if weight == Some(0) {
                found.push(|| self.finding(&[mv], "has weight 0 and is never played".into()));
            }
        }
        let tallies = known.moves.iter().filter_map(|known| known.tally);
        let all = tallies.map(Tally::games).sum::<u64>();
        if let Some(games) = known.tally.map(Tally::games).filter(|games| *games < all) {
            found.push(|| self.finding(&[], format!("its moves have {all} games, and the position {games}")));
        }
    }
}

/// A move's SAN, or its squares where it is not legal.
fn name(mv: PackedMove, board: &Chess) -> String {
    mv.unpack_with_san(board).map_or_else(|| mv.to_string(), |(_, san)| san.to_string())
}
