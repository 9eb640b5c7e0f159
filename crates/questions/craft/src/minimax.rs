//! Backs evaluations up to earlier moves of a book: computes the values of positions and moves from the
//! evaluations of later positions.
//!
//! The value of a position is the value of its best move. The value of a move is the value of the position it
//! leads to, seen from the other side. Where the book ends, values come from evaluations. Lines that
//! transpose into each other share positions and values. A line that never leaves the book counts as a draw.
//! The module `values` explains how values are found in spite of such lines.

mod value;
mod values;

use position::{Key, PackedMove, Score, no_name_of};
use query::Artefact;
use serde::Serialize;
use shakmaty::{Chess, Position as _};
use strum::{Display, EnumString, VariantNames};

use self::{
    value::Value,
    values::{Evaluation, Horizon, Values},
};
use crate::{
    Error, Result,
    graph::{Graph, NeverPlayed, check_memory, index_of},
};

/// The evaluation of a position (move 0) or of a move, as found by a search.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct EvalRow {
    /// The position.
    pub key: Key,
    /// The move.
    pub mv: PackedMove,
    /// The score, from the point of view of the side to move.
    pub score: Score,
    /// The depth of the search in plies.
    pub depth: u16,
}

/// The value of a position (move 0) or of a move of the book.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct ValueRow {
    /// The position.
    pub key: Key,
    /// The move.
    pub mv: PackedMove,
    /// The value, from the point of view of the side to move.
    pub score: Score,
    /// The depth of the evaluation that the value comes from. If several evaluations give this value, the
    /// depth is that of the nearest evaluation or, if several are equally near, the greatest of their depths.
    /// `None` if the value is a draw because the game can stay in the book forever.
    pub depth: Option<u16>,
}

/// What to do with evaluations of moves that are not in the book.
#[derive(Clone, Copy, Debug, Default, Display, EnumString, Eq, PartialEq, VariantNames)]
#[strum(parse_err_fn = no_name_of::<OutOfBook>, parse_err_ty = String, serialize_all = "lowercase")]
pub enum OutOfBook {
    /// Ignore them: both sides play only the book's moves.
    #[default]
    Ignore,
    /// Let the side to move choose these moves too, and use their evaluations as values. If a position's own
    /// evaluation is higher than those of its book moves, it is taken to come from a move outside the book,
    /// and is used like the evaluation of such a move.
    Evaluation,
}

/// How evaluations are backed up to earlier positions.
#[derive(Clone, Copy, Debug)]
pub struct MinimaxOptions {
    /// The ply at which the book is cut off; positions at this ply are treated as if they had no moves.
    pub plies: u32,
    /// Shallower evaluations are ignored.
    pub min_depth: u16,
    /// What to do with evaluations of moves that are not in the book.
    pub out_of_book: OutOfBook,
    /// The number of threads.
    pub threads: usize,
    /// The memory limit in bytes; a book that might need more is refused.
    pub memory_bytes: u64,
}

/// The values of a book's positions and moves.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Minimax {
    /// The values, sorted by key and move in ascending order. A position in which the side to move is
    /// checkmated has no value.
    pub values: Vec<ValueRow>,
    /// A summary of these values.
    pub report: MinimaxReport,
}

/// A summary of the values of a book.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct MinimaxReport {
    /// How many evaluations of positions and moves were used.
    pub evaluations: u64,
    /// How many positions have a value.
    pub positions: u64,
    /// How many positions were reached but have no value, because nothing is known about them.
    pub unknown: u64,
    /// How many of the book's positions are not on any line. They have no values.
    pub unreached: u64,
    /// The value of the start position in pawns; `None` if it is a mate or not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub eval: Option<f32>,
    /// The number of moves to mate if the start position's value is a mate, and `None` otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mate: Option<i16>,
    /// The line from the start position to the evaluation that the start position's value comes from, in SAN
    /// with numbers.
    pub line: String,
}

/// The maximum number of bytes that a position takes for evaluations, values and rows, in addition to the
/// graph.
const BYTES_A_POSITION: u64 = 112;
/// The maximum number of bytes that a move takes, in addition to the graph.
const BYTES_A_MOVE: u64 = 20;

/// Backs evaluations up to earlier positions of a book. The evaluations must be sorted by key and move.
///
/// # Memory
///
/// This function takes about 220 bytes for each position of the book, and 40 for each move.
///
/// # Errors
///
/// Fails with [`Error::NotABook`] for a table or an experience file, and with [`Error::Memory`] if the memory
/// limit is too low. Also fails if the book or an evaluation cannot be read.
pub fn minimax(
    book: &Artefact,
    evaluations: impl Iterator<Item = Result<EvalRow>>,
    options: &MinimaxOptions,
) -> Result<Minimax> {
    if !matches!(book, Artefact::Book(_) | Artefact::Polyglot(_)) {
        return Err(Error::NotABook(book.path().into()).into());
    }
    let bytes = (Graph::BYTES_A_POSITION + BYTES_A_POSITION, Graph::BYTES_A_MOVE + BYTES_A_MOVE);
    check_memory(
        book,
        bytes,
        options.memory_bytes,
        "take a part of the book: `tabia compact --min-games` makes one",
    )?;
    let index = index_of(book)?;
    let graph = Graph::of(
        (&index, query::first_positions(book)?),
        query::only_side(book)?,
        &NeverPlayed::new(),
        options.threads,
    )?;
    let book_part = Horizon { graph: &graph, plies: options.plies };
    let mut read = Read::new(book_part, options);
    read.all(evaluations)?;
    let values = Values::of(book_part, &read.aside, &read.last());
    Ok(Minimax { values: rows(book_part, &values), report: report(book_part, &values, read.evaluations) })
}

/// The evaluations read so far, by node of the graph.
struct Read<'g> {
    book: Horizon<'g>,
    options: &'g MinimaxOptions,
    /// Each position's own evaluation.
    own: Vec<Option<Evaluation>>,
    /// For each position, the deepest evaluation of a move that leads to it. If several evaluations are
    /// equally deep, this is the evaluation that is best for the side to move in the position.
    led: Vec<Option<Evaluation>>,
    /// For each position, the best value that the side to move can get outside the book.
    aside: Vec<Option<Evaluation>>,
    /// How many evaluations were used.
    evaluations: u64,
}

impl<'g> Read<'g> {
    fn new(book: Horizon<'g>, options: &'g MinimaxOptions) -> Self {
        let none = || vec![None; book.len()];
        Self { book, options, own: none(), led: none(), aside: none(), evaluations: 0 }
    }

    /// Reads all evaluations, position by position.
    fn all(&mut self, evaluations: impl Iterator<Item = Result<EvalRow>>) -> Result<()> {
        let mut of_key = Vec::new();
        for evaluated in evaluations {
            let evaluated = evaluated?;
            if of_key.first().is_some_and(|first: &EvalRow| first.key != evaluated.key) {
                self.position(&of_key);
                of_key.clear();
            }
            if evaluated.depth >= self.options.min_depth {
                of_key.push(evaluated);
            }
        }
        self.position(&of_key);
        Ok(())
    }

    /// Stores the evaluations of one position and of its moves.
    fn position(&mut self, of_key: &[EvalRow]) {
        let place = of_key.first().and_then(|first| self.book.graph.place(first.key));
        let Some(place) = place.map(|place| place as usize).filter(|place| *place < self.own.len()) else {
            return;
        };
        let is_open = self.options.out_of_book == OutOfBook::Evaluation;
        let (mut aside, mut best_kept) = (None, None);
        for evaluated in of_key {
            let found = Evaluation { value: Value::of(evaluated.score), depth: evaluated.depth };
            if evaluated.mv.is_terminal() {
                self.own[place] = Some(found);
            } else if let Some(edge) = self.book.edges(place).iter().find(|edge| edge.mv == evaluated.mv) {
                let led = &mut self.led[edge.to as usize];
                let after = Evaluation { value: Value::after(evaluated.score), ..found };
                *led = (*led).into_iter().chain([after]).max_by_key(|one| (one.depth, one.value));
                best_kept = best_kept.max(Some(found.value));
            } else if is_open {
                aside = aside.max(Some(found));
            } else {
                continue;
            }
            self.evaluations += 1;
        }
        if is_open {
            let own = self.own[place].filter(|own| Some(own.value) > best_kept);
            self.aside[place] = aside.max(own);
        }
    }

    /// For each position, the value to use if none of its moves has a value. This is the position's own
    /// evaluation or, failing that, the evaluation of a move that leads to the position. If neither is known
    /// and the game is over, it is the value of the result.
    fn last(&self) -> Vec<Option<Evaluation>> {
        let known = self.own.iter().zip(&self.led).map(|(own, led)| own.or(*led));
        let by_rules = |place: usize| {
            let is_leaf = self.aside[place].is_none() && self.book.graph.edges(place as u32).is_empty();
            is_leaf.then(|| over(&self.book.graph.board(place as u32)))?
        };
        known.enumerate().map(|(place, known)| known.or_else(|| by_rules(place))).collect()
    }
}

/// The value of a position in which the game is over.
fn over(board: &Chess) -> Option<Evaluation> {
    let value = if board.is_checkmate() {
        Value::MATED
    } else if board.is_stalemate() {
        Value::DRAW
    } else {
        return None;
    };
    Some(Evaluation { value, depth: 0 })
}

/// The values of positions and moves as rows, sorted by key and move in ascending order.
fn rows(book: Horizon<'_>, values: &Values) -> Vec<ValueRow> {
    let mut rows = Vec::new();
    for (place, node) in book.graph.nodes[..book.len()].iter().enumerate() {
        let mut push = |mv, value: Option<Value>, place| {
            let score = value.and_then(Value::score);
            rows.extend(score.map(|score| ValueRow { key: node.key, mv, score, depth: values.depth(place) }));
        };
        push(PackedMove::TERMINAL, values.each[place], place);
        for edge in book.edges(place) {
            let to = edge.to as usize;
            push(edge.mv, values.each[to].map(Value::before), to);
        }
    }
    rows.sort_unstable_by_key(|row| (row.key, row.mv));
    rows.dedup_by_key(|row| (row.key, row.mv));
    rows
}

/// Summarises the values.
fn report(book: Horizon<'_>, values: &Values, evaluations: u64) -> MinimaxReport {
    let known = values.each.iter().flatten().count();
    let (mut line, mut place) = (Vec::new(), 0);
    while let Some(edge) = values.best(book, place) {
        line.push(edge.mv);
        place = edge.to as usize;
    }
    let start = values.each[0].and_then(Value::score).map(Score::columns);
    let (eval, mate) = start.unwrap_or_default();
    MinimaxReport {
        evaluations,
        positions: known as u64,
        unknown: (book.len() - known) as u64,
        unreached: book.graph.positions() - book.graph.reached(),
        eval,
        mate,
        line: book.graph.line(0, &line),
    }
}

#[cfg(test)]
mod tests;
