//! Writes every move that differs to a Parquet file.
//!
//! # Format
//!
//! Rows are sorted by (`key`, `move`). `key` is Polyglot's hash, and `move` is the move in Polyglot's sixteen
//! bits; `uci` is the move as text, with castling written as king takes rook. Columns whose names begin with
//! `first_` or `second_` contain the move's values in the first or the second artefact: the number of games,
//! the share of the position's games or weights, the mover's score, the weight, and the values set by hand
//! (value, priority, and the mark's NAG number). These columns are null if the artefact lacks the move or the
//! value. `first_playable` and `second_playable` are false for a move that is banned.

use query::ComparedMove;

use super::Pair;
use crate::row_file::{Column, Columns, RowFile};

/// The file that is being written.
pub type DiffRows = RowFile<Pair>;

impl Columns for Pair {
    fn columns() -> Vec<Column<Self>> {
        let mut columns = vec![
            Column::new("required int64 key (INTEGER(64, false))", |pair: &Self, column| {
                column.push(pair.key.0);
            }),
            Column::new("required int32 move (INTEGER(16, false))", |pair: &Self, column| {
                column.push(pair.mv.0.into());
            }),
            Column::new("required binary uci (STRING)", |pair: &Self, column| {
                column.push_named(pair.mv.0.into(), pair.mv);
            }),
        ];
        for (at, side) in ["first", "second"].into_iter().enumerate() {
            columns.extend(OF_SIDE.map(|(physical, name, logical, value)| {
                Column::new(format!("optional {physical} {side}_{name} {logical}"), move |pair, column| {
                    column.push_option(value(pair, at));
                })
            }));
        }
        columns
    }
}

/// Returns a value of the first (0) or the second (1) artefact.
type Value = fn(&Pair, usize) -> Option<u64>;

/// The columns of each artefact: the physical type, the name, the logical type, and the value.
const OF_SIDE: [(&str, &str, &str, Value); 8] = [
    ("int64", "games", "", |pair, side| found(pair, side)?.games),
    ("double", "share", "", |pair, side| Some(found(pair, side)?.share.to_bits())),
    ("double", "score", "", |pair, side| found(pair, side)?.score.map(f64::to_bits)),
    ("int32", "weight", "(INTEGER(16, false))", |pair, side| found(pair, side)?.weight.map(u64::from)),
    ("int32", "value", "(INTEGER(8, false))", |pair, side| pair.set[side].value.map(u64::from)),
    ("int32", "priority", "(INTEGER(8, false))", |pair, side| pair.set[side].priority.map(u64::from)),
    ("int32", "nag", "(INTEGER(8, false))", |pair, side| pair.set[side].nag.map(u64::from)),
    ("boolean", "playable", "", |pair, side| found(pair, side).map(|_| pair.set[side].playable.into())),
];

/// The move in the first (0) or the second (1) artefact.
fn found(pair: &Pair, side: usize) -> Option<ComparedMove> {
    [pair.first, pair.second][side]
}
