//! Evaluations of moves and positions. Files have columns for evaluations only if there are any.

use position::{Key, PackedMove, Score};

use crate::{
    cells::{Cell, RowCells},
    column::{
        Column,
        ColumnKind::{I16, I32},
    },
};

/// Engines' evaluations of a move or a position, from the point of view of the side to move.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Evaluations {
    /// The score that a search found.
    pub eval: Option<Score>,
    /// The depth of that search in plies.
    pub depth: Option<u16>,
    /// The score that minimax backed up to this move or position from evaluations of later positions.
    pub minimax: Option<Score>,
}

/// Looks up the evaluations of a move, or those of the position itself for move 0. Several threads call it.
pub type EvaluationsOf<'l> = dyn Fn(Key, PackedMove) -> Evaluations + Sync + 'l;

const NO_CENTIPAWNS: &str = "none, or a mate";
const NO_MATE: &str = "none, or no mate";

/// The columns for evaluations, which come last in a file.
const COLUMNS: [Column; 5] = [
    Column::new("eval_cp", I32, "centipawns", "an engine's value, from the view of the side to move")
        .null(NO_CENTIPAWNS),
    Column::new("eval_mate", I16, "moves", "moves to the mate it found; negative: the side to move is mated")
        .null(NO_MATE),
    Column::new("eval_depth", I32, "plies", "the depth of its search").null("none, or not known"),
    Column::new("minimax_cp", I32, "centipawns", "what evaluations of later positions are worth here")
        .null(NO_CENTIPAWNS),
    Column::new("minimax_mate", I16, "moves", "the same, if it is a mate").null(NO_MATE),
];

/// The columns for evaluations, if there are any evaluations.
pub(crate) fn columns(is_evaluated: bool) -> &'static [Column] {
    if is_evaluated { &COLUMNS } else { &[] }
}

impl Evaluations {
    /// Pushes the values of [`COLUMNS`].
    pub(crate) fn write(&self, cells: &mut RowCells<'_>) {
        push(self.eval, cells);
        cells.push(Cell::integer(self.depth));
        push(self.minimax, cells);
    }
}

fn push(score: Option<Score>, cells: &mut RowCells<'_>) {
    let (cp, mate) = match score {
        Some(Score::Cp(cp)) => (Some(cp), None),
        Some(Score::Mate(mate)) => (None, Some(mate)),
        None => (None, None),
    };
    cells.push(Cell::integer(cp));
    cells.push(Cell::integer(mate));
}
