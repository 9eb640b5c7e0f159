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
        let is_ours = color.is_none_or(|color| color == turn(node));
        let of_here = match kind {
            FindingKind::DeadEnds => dead_end(graph, node, place, options),
            FindingKind::Choices | FindingKind::Worse if !is_ours => Vec::new(),
            _ => match probe_key(book, node.key)? {
                Some(known) => of_moves(kind, &known, &graph.line(place, &[]).0, options),
                None => Vec::new(),
            },
        };
        for (moves, what) in of_here {
            found.push(|| Finding { line: graph.line(place, &moves).1, key: node.key.to_string(), what });
        }
    }
    Ok(found.report())
}

/// Findings: moves after the position's line, and what was found.
type Found = Vec<(Vec<PackedMove>, String)>;

fn of_moves(kind: FindingKind, known: &KeyProbe, board: &Chess, options: &CheckOptions) -> Found {
    match kind {
        FindingKind::Choices => choices(known, board),
        FindingKind::Worse => worse(known, board, options),
        _ => weights(known, board),
    }
}

fn choices(known: &KeyProbe, board: &Chess) -> Found {
    if known.moves.len() < 2 {
        return Vec::new();
    }
    let names: Vec<_> = known.moves.iter().map(|mv| name(mv.mv, board)).collect();
    vec![(Vec::new(), format!("{} moves: {}", names.len(), names.join(", ")))]
}

/// A line that ends before the ply asked for, though the game does not.
fn dead_end(graph: &Graph, node: &Node, place: u32, options: &CheckOptions) -> Found {
    if node.ply >= options.plies || !graph.edges(place).is_empty() || graph.line(place, &[]).0.is_game_over()
    {
        return Vec::new();
    }
    vec![(Vec::new(), format!("ends after {} plies", node.ply))]
}

fn worse(known: &KeyProbe, board: &Chess, options: &CheckOptions) -> Found {
    let score = |known: &KeyMove| {
        let tally = known.tally.filter(|tally| tally.games() >= options.min_games.max(1))?;
        Some((known.mv, tally.score(board.turn())?, tally.games()))
    };
    let scores: Vec<_> = known.moves.iter().filter_map(score).collect();
    let Some(&(best, most, _)) = scores.iter().max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0))) else {
        return Vec::new();
    };
    let is_worse = |(_, score, _): &&(PackedMove, f64, u64)| *score < most - options.worse;
    let what = |&(mv, score, games): &(PackedMove, f64, u64)| {
        let (score, most) = (100.0 * score, 100.0 * most);
        let what = format!("scores {score:.1} % in {games} games, {} {most:.1} %", name(best, board));
        (vec![mv], what)
    };
    scores.iter().filter(is_worse).map(what).collect()
}

/// Moves that are not legal, that are there twice or never drawn, and more games than the position has.
fn weights(known: &KeyProbe, board: &Chess) -> Found {
    let mut found = Found::new();
    for (at, known_move) in known.moves.iter().enumerate() {
        let KeyMove { mv, weight, .. } = *known_move;
        if mv.unpack(board).is_none() {
            found.push((Vec::new(), format!("{mv} is not legal")));
        } else if known.moves[..at].iter().any(|before| before.mv == mv) {
            found.push((vec![mv], "is there twice".into()));
        } else if weight == Some(0) {
            found.push((vec![mv], "has weight 0 and is never played".into()));
        }
    }
    let tallies = known.moves.iter().filter_map(|known| known.tally);
    let all = tallies.map(Tally::games).sum::<u64>();
    if let Some(games) = known.tally.map(Tally::games).filter(|games| *games < all) {
        found.push((Vec::new(), format!("its moves have {all} games, and the position {games}")));
    }
    found
}

/// A move's SAN, or its squares where it is not legal.
fn name(mv: PackedMove, board: &Chess) -> String {
    mv.unpack_with_san(board).map_or_else(|| mv.to_string(), |(_, san)| san.to_string())
}
