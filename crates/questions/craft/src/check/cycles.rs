//! Finds lines that return to a position they have already passed through.

use position::PackedMove;

use super::{Finding, FindingKind, KindReport};
use crate::graph::Graph;

/// The state of a position in the search.
#[derive(Clone, Copy, Eq, PartialEq)]
enum State {
    New,
    /// The position is on the line that is being searched.
    Open,
    Done,
}

/// Finds moves that lead back to an earlier position of the same line. Without them, no line of the book
/// would repeat a position. This is a depth-first search that visits each position once.
pub(super) fn repetitions(graph: &Graph<'_>, limit: usize) -> KindReport {
    let mut found = KindReport::new(FindingKind::Repetitions);
    let mut states = vec![State::New; graph.nodes.len()];
    // The line being searched: each position, and how many of its moves have been followed so far.
    let mut way: Vec<(u32, usize)> = vec![(0, 0)];
    states[0] = State::Open;
    while let Some((place, followed)) = way.last_mut() {
        let Some(&edge) = graph.edges(*place).get(*followed) else {
            states[*place as usize] = State::Done;
            way.pop();
            continue;
        };
        *followed += 1;
        match states[edge.to as usize] {
            State::New => {
                states[edge.to as usize] = State::Open;
                way.push((edge.to, 0));
            }
            State::Open => found.push(limit, || finding(graph, &way, edge.to)),
            State::Done => {}
        }
    }
    found
}

/// Returns the finding for a line that leads back to node `first`. The cycle is the part of `way` that begins
/// at that node.
fn finding(graph: &Graph<'_>, way: &[(u32, usize)], first: u32) -> Finding {
    let from = way.iter().position(|(place, _)| *place == first).unwrap_or(0);
    let moves: Vec<PackedMove> =
        way[from..].iter().map(|&(place, followed)| graph.edges(place)[followed - 1].mv).collect();
    let line = graph.line(first, &moves);
    let plies = moves.len();
    let what = format!("the last {plies} plies lead back to the same position");
    Finding { line, key: graph.nodes[first as usize].key.to_string(), what }
}
