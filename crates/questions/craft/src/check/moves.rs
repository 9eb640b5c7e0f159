//! Looks for findings that depend only on the moves of a single position: choices, worse moves and wrong
//! weights.

use std::collections::BinaryHeap;

use position::{PackedMove, Tally};
use query::{Artefact, KeyMove, KeyProbe, probe_key};
use shakmaty::Color;

use super::{CheckOptions, Finding, FindingKind, Graphs, KindReport};
use crate::{
    Result,
    graph::{Graph, turn},
};

/// Looks for all these kinds of findings in a single pass over the book, in ascending order of keys.
/// Descriptions are written later, and only for the first findings.
pub(super) fn check<'c>(
    (book, color): (&'c Artefact, Option<Color>),
    graphs: Graphs<'c>,
    options: &'c CheckOptions,
) -> Result<OfMoves<'c>> {
    let mut found = OfMoves { book, color, graphs, options, kinds: Vec::new() };
    let kinds = [FindingKind::Choices, FindingKind::Worse, FindingKind::Weights];
    found.kinds.extend(kinds.into_iter().filter(|kind| options.kinds.contains(kind)).map(Places::new));
    if found.kinds.is_empty() {
        return Ok(found);
    }
    for known in query::positions(book)? {
        let known = known?;
        for at in 0..found.kinds.len() {
            let kind = found.kinds[at].kind;
            if let Some(place) = found.graph(kind).place(known.key) {
                let faults = found.faults(kind, place, &known).len();
                found.kinds[at].note(place, faults, options.limit);
            }
        }
    }
    Ok(found)
}

/// The findings that depend only on the moves of a single position, by kind.
pub(super) struct OfMoves<'c> {
    book: &'c Artefact,
    color: Option<Color>,
    graphs: Graphs<'c>,
    options: &'c CheckOptions,
    kinds: Vec<Places>,
}

/// The nodes of the graph that have findings of one kind.
struct Places {
    kind: FindingKind,
    found: u64,
    /// The first nodes, in graph order, that have findings; kept as a max-heap.
    first: BinaryHeap<u32>,
}

impl Places {
    fn new(kind: FindingKind) -> Self {
        Self { kind, found: 0, first: BinaryHeap::new() }
    }

    fn note(&mut self, place: u32, faults: usize, limit: usize) {
        if faults == 0 {
            return;
        }
        self.found += faults as u64;
        self.first.push(place);
        if self.first.len() > limit {
            self.first.pop();
        }
    }
}

/// A fault in a move, or in a position as a whole.
enum Fault {
    Choices(Vec<PackedMove>),
    Worse { mv: PackedMove, score: f64, games: u64, best: PackedMove, most: f64 },
    Illegal(PackedMove),
    Twice(PackedMove),
    NeverPlayed(PackedMove),
    MoreGames { of_moves: u64, of_position: u64 },
}

impl OfMoves<'_> {
    /// The graph to search for findings of this kind.
    fn graph(&self, kind: FindingKind) -> &Graph<'_> {
        if kind == FindingKind::Weights { self.graphs.all } else { self.graphs.played }
    }

    /// The findings of one kind, in the order of the graph.
    pub(super) fn report(&mut self, kind: FindingKind) -> Result<KindReport> {
        let (mut findings, mut found) = (Vec::new(), 0);
        if let Some(at) = self.kinds.iter().position(|places| places.kind == kind) {
            let places = self.kinds.swap_remove(at);
            found = places.found;
            for place in places.first.into_sorted_vec() {
                let known = probe_key(self.book, self.graph(kind).nodes[place as usize].key)?;
                let faults = known.map_or_else(Vec::new, |known| self.faults(kind, place, &known));
                findings.extend(faults.into_iter().map(|fault| finding(self.graph(kind), place, fault)));
            }
        }
        findings.truncate(self.options.limit);
        Ok(KindReport { kind, found, not_checked: None, findings })
    }

    fn faults(&self, kind: FindingKind, place: u32, known: &KeyProbe) -> Vec<Fault> {
        let turn = turn(&self.graph(kind).nodes[place as usize]);
        let is_ours = self.color.is_none_or(|color| color == turn);
        let played = || {
            let is_played = |of_book: &&KeyMove| !self.graphs.never.contains(&(known.key, of_book.mv));
            known.moves.iter().filter(is_played).collect::<Vec<_>>()
        };
        match kind {
            FindingKind::Choices if is_ours => choices(&played()),
            FindingKind::Worse if is_ours => worse(&played(), turn, self.options),
            FindingKind::Weights => weights(known, |mv| self.graphs.all.is_illegal(place, mv)),
            _ => Vec::new(),
        }
    }
}

/// Converts a fault into a finding with a description.
fn finding(graph: &Graph<'_>, place: u32, fault: Fault) -> Finding {
    let name = |mv| name(mv, graph, place);
    let (mv, what) = match fault {
        Fault::Choices(moves) => {
            let names: Vec<_> = moves.into_iter().map(name).collect();
            (None, format!("{} moves: {}", names.len(), names.join(", ")))
        }
        Fault::Worse { mv, score, games, best, most } => {
            let (score, most, best) = (100.0 * score, 100.0 * most, name(best));
            (Some(mv), format!("scores {score:.1} % in {games} games, but {best} scores {most:.1} %"))
        }
        Fault::Illegal(mv) => (None, format!("{mv} is not legal")),
        Fault::Twice(mv) => (Some(mv), "occurs twice".into()),
        Fault::NeverPlayed(mv) => (Some(mv), "has weight 0 and is never played".into()),
        Fault::MoreGames { of_moves, of_position } => {
            (None, format!("its moves have {of_moves} games, but the position has {of_position}"))
        }
    };
    Finding::of_node(graph, place, mv.as_slice(), what)
}

fn choices(played: &[&KeyMove]) -> Vec<Fault> {
    if played.len() < 2 {
        return Vec::new();
    }
    vec![Fault::Choices(played.iter().map(|known| known.mv).collect())]
}

fn worse(played: &[&KeyMove], turn: Color, options: &CheckOptions) -> Vec<Fault> {
    if played.len() < 2 {
        return Vec::new();
    }
    let score = |known: &&KeyMove| {
        let tally = known.tally.filter(|tally| tally.games() >= options.min_games.max(1))?;
        Some((known.mv, tally.score(turn)?, tally.games()))
    };
    let scores: Vec<_> = played.iter().filter_map(score).collect();
    let best = scores.iter().max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)));
    let Some(&(best, most, _)) = best else { return Vec::new() };
    let worse = scores.iter().filter(|(_, score, _)| *score < most - options.worse);
    worse.map(|&(mv, score, games)| Fault::Worse { mv, score, games, best, most }).collect()
}

/// Finds illegal moves, duplicates, moves that are never played, and positions whose moves have more games
/// than the position itself.
fn weights(known: &KeyProbe, is_illegal: impl Fn(PackedMove) -> bool) -> Vec<Fault> {
    let mut faults = Vec::new();
    for (at, &KeyMove { mv, weight, .. }) in known.moves.iter().enumerate() {
        if is_illegal(mv) {
            faults.push(Fault::Illegal(mv));
        } else if known.moves[..at].iter().any(|before| before.mv == mv) {
            faults.push(Fault::Twice(mv));
        } else if weight == Some(0) {
            faults.push(Fault::NeverPlayed(mv));
        }
    }
    let of_moves = known.moves.iter().filter_map(|known| known.tally).map(Tally::games).sum::<u64>();
    if let Some(of_position) = known.tally.map(Tally::games).filter(|games| *games < of_moves) {
        faults.push(Fault::MoreGames { of_moves, of_position });
    }
    faults
}

/// A move's SAN, or its squares if the move is not legal.
fn name(mv: PackedMove, graph: &Graph<'_>, place: u32) -> String {
    mv.unpack_with_san(&graph.board(place)).map_or_else(|| mv.to_string(), |(_, san)| san.to_string())
}
