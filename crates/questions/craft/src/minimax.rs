//! Values that travel: what the evaluations of a book's positions say of the positions and moves before them.
//!
//! The value of a position is that of its best move, and the value of a move is that of the position it leads
//! to, from the other side's view. Where the book ends, the value is an evaluation. Positions are those of
//! the graph: two lines that meet have one value from there on, and a line that never leaves the book is a
//! draw (`values` says how that is found).

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

/// A search of a position (move 0) or of a move.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct EvalRow {
    /// The position.
    pub key: Key,
    /// The move.
    pub mv: PackedMove,
    /// Its score, from the view of the side to move.
    pub score: Score,
    /// Its depth in plies.
    pub depth: u16,
}

/// The value of a position (move 0) or of a move of the book.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct ValueRow {
    /// The position.
    pub key: Key,
    /// The move.
    pub mv: PackedMove,
    /// The value, from the view of the side to move.
    pub score: Score,
    /// The depth of the evaluation that gives it: of the nearest one, and of equally near ones the deepest;
    /// `None` for a draw by endless play.
    pub depth: Option<u16>,
}

/// What an evaluation of a move that is not in the book counts as.
#[derive(Clone, Copy, Debug, Default, Display, EnumString, Eq, PartialEq, VariantNames)]
#[strum(parse_err_fn = no_name_of::<OutOfBook>, parse_err_ty = String, serialize_all = "lowercase")]
pub enum OutOfBook {
    /// As nothing: both sides play the book's moves alone.
    #[default]
    Ignore,
    /// As one more move of the side to move, with that value. So does the evaluation of a position, if it is
    /// above those of the position's moves in the book: its best move is another one.
    Evaluation,
}

/// How values are backed up.
#[derive(Clone, Copy, Debug)]
pub struct MinimaxOptions {
    /// The ply at which the book ends: positions there have no moves, even if the book has some.
    pub plies: u32,
    /// The least depth of an evaluation.
    pub min_depth: u16,
    /// What evaluations of moves out of the book count as.
    pub out_of_book: OutOfBook,
    /// Threads to work with.
    pub threads: usize,
    /// A book that needs more memory is refused.
    pub memory_bytes: u64,
}

/// The values of a book.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Minimax {
    /// The values, ascending by key and move. A position that is mate on the board has none.
    pub values: Vec<ValueRow>,
    /// What they are made of.
    pub report: MinimaxReport,
}

/// What the values of a book are made of.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct MinimaxReport {
    /// Evaluations of positions and moves that count.
    pub evaluations: u64,
    /// Positions that have a value.
    pub positions: u64,
    /// Positions of which nothing is known.
    pub unknown: u64,
    /// Positions of the book that no line from the start position leads to; they have no values.
    pub unreached: u64,
    /// The value of the start position in pawns, or moves to mate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub eval: Option<f32>,
    /// Moves to mate, in place of a value in pawns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mate: Option<i16>,
    /// The line that leads to the evaluation of that value, in SAN with numbers.
    pub line: String,
}

/// The most bytes that a position or a move takes besides the graph: evaluations, values and rows.
const BYTES_A_POSITION: u64 = 112;
const BYTES_A_MOVE: u64 = 20;

/// Backs the evaluations of positions and moves, which ascend by key and move, up over the graph of a book.
///
/// # Memory
///
/// About 220 bytes a position of the book, and 40 a move.
///
/// # Errors
///
/// [`Error::NotABook`] for a table or an experience file; [`Error::Memory`]; if the book or an evaluation
/// cannot be read.
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

/// The evaluations of a graph's positions.
struct Read<'g> {
    book: Horizon<'g>,
    options: &'g MinimaxOptions,
    /// Those of the positions themselves.
    own: Vec<Option<Evaluation>>,
    /// Those of moves that lead to them: the deepest, and of equally deep ones the best for the side to move.
    led: Vec<Option<Evaluation>>,
    /// The best that the side to move gets out of the book.
    aside: Vec<Option<Evaluation>>,
    /// How many were taken.
    evaluations: u64,
}

impl<'g> Read<'g> {
    fn new(book: Horizon<'g>, options: &'g MinimaxOptions) -> Self {
        let none = || vec![None; book.len()];
        Self { book, options, own: none(), led: none(), aside: none(), evaluations: 0 }
    }

    /// Takes all evaluations in, those of one position together.
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

    /// Takes the evaluations of one position and its moves in.
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

    /// What the side to move gets in a position where no move has a value: the position's own evaluation, or
    /// that of the move that leads there; without either, what the rules say of a game that is over.
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

/// The values of positions and moves as rows, ascending.
fn rows(book: Horizon<'_>, values: &Values) -> Vec<ValueRow> {
    let mut rows = Vec::new();
    for (place, node) in book.graph.nodes()[..book.len()].iter().enumerate() {
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

/// What the values are made of.
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
