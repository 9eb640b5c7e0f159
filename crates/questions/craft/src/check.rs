//! Checks a repertoire, and reports findings that its player should know before a game.

mod cycles;
mod kinds;
mod moves;
mod options;

use std::{collections::HashMap, time::Duration};

use position::PackedMove;
use query::{Artefact, Hole, HoleOptions, View};
use serde::Serialize;
use shakmaty::{Chess, Color, Position as _};

pub use self::{kinds::FindingKind, options::CheckOptions};
use crate::{
    Error, Result,
    graph::{Graph, NeverPlayed, check_memory, index_of},
};

/// The result of checking a book.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct BookCheck {
    /// How many of the book's positions can be reached by its moves from the start position or a root. If
    /// only one side plays by the book, the other may reply with any move that leads back into the book.
    pub reached: u64,
    /// The number of positions in the book.
    pub positions: u64,
    /// How many castling moves in reached positions are written in a Polyglot book as a king moving two
    /// squares (`e1g1`). They are read as castling.
    pub castling_as_king_move: u64,
    /// The side that plays by the book: the side given in the options or, failing that, the only side that
    /// has moves in the book. `None` if both sides play by the book.
    pub color: Option<&'static str>,
    /// One report for each requested kind of finding.
    pub kinds: Vec<KindReport>,
}

/// The findings of one kind.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct KindReport {
    /// The kind.
    pub kind: FindingKind,
    /// How many findings of this kind there are, including those that are not listed.
    pub found: u64,
    /// Why the book could not be checked for this kind of finding; `None` if it was checked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_checked: Option<&'static str>,
    /// The first findings of this kind. Findings in the same position are listed together.
    pub findings: Vec<Finding>,
}

/// A finding: something about the book that a player should know.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Finding {
    /// The moves that lead to the position, in SAN with numbers; empty for the start position and for a
    /// position that no line reaches.
    pub line: String,
    /// The position's key.
    pub key: String,
    /// A description of the finding, in English.
    pub what: String,
}

impl Finding {
    /// Creates a finding for the position at node `place`. The finding's line is the line to that position,
    /// followed by `moves`.
    fn of_node(graph: &Graph<'_>, place: u32, moves: &[PackedMove], what: String) -> Self {
        let (line, key) = (graph.line(place, moves), graph.nodes[place as usize].key.to_string());
        Self { line, key, what }
    }

    /// Creates a finding for an opponent's move that the book does not answer. The finding's position is the
    /// position in which the opponent can make this move.
    fn of_hole(hole: Hole) -> Self {
        let games = match hole.games {
            None => String::new(),
            Some(1) => ", 1 game".to_owned(),
            Some(games) => format!(", {games} games"),
        };
        let (share, reach) = (100.0 * hole.share, 100.0 * hole.reach);
        let san = &hole.san;
        let what = format!(
            "no answer to {san} (played {share:.1} % of the time{games}; the line comes up {reach:.2} % of the time)"
        );
        Self { line: hole.before, key: hole.key_before.to_string(), what }
    }
}

impl KindReport {
    fn new(kind: FindingKind) -> Self {
        Self { kind, found: 0, not_checked: None, findings: Vec::new() }
    }

    fn not_checked(kind: FindingKind, why: &'static str) -> Self {
        Self { not_checked: Some(why), ..Self::new(kind) }
    }

    /// Adds a finding. Only the first `limit` findings are described and kept.
    fn push(&mut self, limit: usize, finding: impl FnOnce() -> Finding) {
        self.found += 1;
        if self.findings.len() < limit {
            self.findings.push(finding());
        }
    }
}

/// Checks `book`. Moves that the book never plays are reported as such and not followed, though the positions
/// they lead to still count as reached. If `against` is given, the opponent's moves are taken from it instead
/// of from the book.
///
/// # Memory
///
/// A check takes about 100 bytes for each position of the book and 16 bytes for each move, or twice as much
/// if the book has moves that it never plays.
///
/// # Errors
///
/// Fails with [`Error::NotABook`] for a table or an experience file. If the memory limit is too low, fails
/// with [`Error::Memory`] before the check begins. Also fails if the book cannot be read or is damaged.
pub fn check(book: &Artefact, against: Option<&Artefact>, options: &CheckOptions) -> Result<BookCheck> {
    if !matches!(book, Artefact::Book(_) | Artefact::Polyglot(_)) {
        return Err(Error::NotABook(book.path().into()).into());
    }
    let never = query::never_played(book)?;
    let graphs = if never.is_empty() { 1 } else { 2 };
    let bytes = (graphs * Graph::BYTES_A_POSITION, graphs * Graph::BYTES_A_MOVE);
    let instead = "check a part of the book: `tabia compact --min-games` makes one";
    check_memory(book, bytes, options.memory_bytes, instead)?;
    let index = index_of(book)?;
    let color = options.color.map_or_else(|| query::only_side(book), |color| Ok(Some(color)))?;
    let starts = query::first_positions(book)?;
    let graph_without =
        |never: &NeverPlayed| Graph::of((&index, starts.clone()), color, never, options.threads);
    let all = graph_without(&NeverPlayed::new())?;
    let without = (!never.is_empty()).then(|| graph_without(&never)).transpose()?;
    let played = without.as_ref().unwrap_or(&all);
    let mut of_moves = moves::check((book, color), Graphs { all: &all, played, never: &never }, options)?;
    let kinds = options.kinds.iter().map(|&kind| match kind {
        FindingKind::Holes => holes(book, against, color, options),
        FindingKind::Repetitions => Ok(cycles::repetitions(played, options.limit)),
        FindingKind::DeadEnds => Ok(dead_ends(played, options)),
        FindingKind::Unreachable => Ok(unreachable(&all, options.limit)),
        FindingKind::Choices if color.is_none() => {
            Ok(KindReport::not_checked(kind, "name the side of the repertoire"))
        }
        FindingKind::Worse if matches!(book, Artefact::Polyglot(_)) => {
            Ok(KindReport::not_checked(kind, "a Polyglot book has no scores"))
        }
        FindingKind::Choices | FindingKind::Worse | FindingKind::Weights => Ok(of_moves.report(kind)?),
    });
    let kinds = kinds.collect::<Result<_>>()?;
    let color = color.map(|color| color.fold_wb("white", "black"));
    let reached = all.reached();
    let positions = all.positions();
    let castling_as_king_move = all.king_moves;
    Ok(BookCheck { reached, positions, castling_as_king_move, color, kinds })
}

/// Two graphs of a book: one with all of the book's moves, and one with only the moves that the book plays. A
/// position counts as reached if it is in the graph with all moves.
#[derive(Clone, Copy)]
struct Graphs<'c> {
    all: &'c Graph<'c>,
    played: &'c Graph<'c>,
    /// The moves that are in `all` but not in `played`.
    never: &'c NeverPlayed,
}

/// Finds lines that end before the ply given in the options, even though the game is not over.
fn dead_ends(graph: &Graph<'_>, options: &CheckOptions) -> KindReport {
    let mut found = KindReport::new(FindingKind::DeadEnds);
    for (node, place) in graph.nodes.iter().zip(0..) {
        let ends = node.ply < options.plies && graph.edges(place).is_empty();
        if ends && !graph.board(place).is_game_over() {
            let what = || format!("ends after {} plies", node.ply);
            found.push(options.limit, || Finding::of_node(graph, place, &[], what()));
        }
    }
    found
}

/// Finds the positions that no line reaches. These positions are identified only by their keys, because no
/// line leads to them.
fn unreachable(graph: &Graph<'_>, limit: usize) -> KindReport {
    let mut found = KindReport::new(FindingKind::Unreachable);
    for key in graph.not_reached() {
        let what = "no line from the start position or a root leads there".into();
        found.push(limit, || Finding { line: String::new(), key: key.to_string(), what });
    }
    found
}

/// Finds moves with which the opponent can leave the book.
fn holes(
    book: &Artefact,
    against: Option<&Artefact>,
    color: Option<Color>,
    options: &CheckOptions,
) -> Result<KindReport> {
    let kind = FindingKind::Holes;
    let Some(color) = color else {
        return Ok(KindReport::not_checked(kind, "name the side of the repertoire"));
    };
    if query::only_side(against.unwrap_or(book))? == Some(color) {
        let why = match against {
            None => "the book has no moves of the opponent: name a table of games (--against)",
            Some(_) => "the book named by --against has no moves of the opponent: name a table of games",
        };
        return Ok(KindReport::not_checked(kind, why));
    }
    let wanted = HoleOptions {
        color,
        own_share: options.own_share,
        min_share: options.min_share,
        min_games: options.min_games,
        holes_max: usize::MAX,
        listed_max: options.limit,
        positions_max: usize::MAX,
        time_max: Duration::MAX,
    };
    let found =
        query::holes(&View::of(book), &View::of(against.unwrap_or(book)), &Chess::default(), &wanted)?;
    let (mut holes, mut first_of) = (found.holes, HashMap::new());
    for (place, hole) in holes.iter().enumerate() {
        first_of.entry(hole.key_before).or_insert(place);
    }
    holes.sort_by_key(|hole| first_of[&hole.key_before]);
    let findings = holes.into_iter().map(Finding::of_hole).collect();
    Ok(KindReport { kind, found: found.found as u64, not_checked: None, findings })
}
