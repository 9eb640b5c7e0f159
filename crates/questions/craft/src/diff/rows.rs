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

use arrow_array::{
    BooleanArray, Float64Array, Int64Array, StringArray, UInt8Array, UInt16Array, UInt64Array,
};

use super::Pair;
use crate::row_file::{Column, Columns, RowFile};

/// The file that is being written.
pub type DiffRows = RowFile<Pair>;

impl Columns for Pair {
    fn columns() -> Vec<Column<Self>> {
        let mut columns = vec![
            Column::of::<UInt64Array, _>("key", |pair: &Self| Some(pair.key.0)).never_null(),
            Column::of::<UInt16Array, _>("move", |pair: &Self| Some(pair.mv.0)).never_null(),
            Column::of::<StringArray, _>("uci", |pair: &Self| Some(pair.mv.to_string())).never_null(),
        ];
        for (side, at) in ["first", "second"].into_iter().zip(0..) {
            let found = move |pair: &Self| [pair.first, pair.second][at];
            let set = move |pair: &Self| pair.set[at];
            let name = |what| format!("{side}_{what}");
            columns.extend([
                Column::of::<Int64Array, _>(name("games"), move |pair| {
                    found(pair)?.games.map(u64::cast_signed)
                }),
                Column::of::<Float64Array, _>(name("share"), move |pair| Some(found(pair)?.share)),
                Column::of::<Float64Array, _>(name("score"), move |pair| found(pair)?.score),
                Column::of::<UInt16Array, _>(name("weight"), move |pair| found(pair)?.weight),
                Column::of::<UInt8Array, _>(name("value"), move |pair| set(pair).value),
                Column::of::<UInt8Array, _>(name("priority"), move |pair| set(pair).priority),
                Column::of::<UInt8Array, _>(name("nag"), move |pair| set(pair).nag),
                Column::of::<BooleanArray, _>(name("playable"), move |pair| {
                    found(pair).map(|_| set(pair).playable)
                }),
            ]);
        }
        columns
    }
}
