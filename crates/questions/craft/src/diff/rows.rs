//! Every move that differs, as Parquet.
//!
//! # Format
//!
//! Rows ascend by (`key`, `move`). `key` is Polyglot's hash, `move` its sixteen bits, `uci` the same as text,
//! castling as king takes rook. For either artefact, `first` and `second`: games, the share of the position's
//! games or weights, the mover's score, the weight, and what was set of it by hand: the value, the priority
//! and the number of the mark's NAG; null where it does not have the move, or does not know. `playable` is
//! false for a move that is banned.

use std::sync::Arc;

use arrow_array::{
    ArrayRef,
    builder::{
        BooleanBuilder, Float64Builder, Int64Builder, StringBuilder, UInt8Builder, UInt16Builder,
        UInt64Builder,
    },
};
use arrow_schema::{DataType, Field};
use query::ComparedMove;

use super::{Pair, SetByHand};
use crate::{
    Result,
    row_file::{Columns, RowFile},
};

/// The file that is being written.
pub type DiffRows = RowFile<MoveColumns>;

/// The columns of its moves.
#[derive(Default)]
pub struct MoveColumns {
    key: UInt64Builder,
    mv: UInt16Builder,
    uci: StringBuilder,
    sides: [Side; 2],
}

/// The columns of one artefact.
#[derive(Default)]
struct Side {
    games: Int64Builder,
    share: Float64Builder,
    score: Float64Builder,
    weight: UInt16Builder,
    /// Value, priority, NAG.
    set: [UInt8Builder; 3],
    playable: BooleanBuilder,
}

impl Columns for MoveColumns {
    fn fields() -> Vec<Field> {
        let mut fields = vec![
            Field::new("key", DataType::UInt64, false),
            Field::new("move", DataType::UInt16, false),
            Field::new("uci", DataType::Utf8, false),
        ];
        for side in ["first", "second"] {
            fields.extend([
                Field::new(format!("{side}_games"), DataType::Int64, true),
                Field::new(format!("{side}_share"), DataType::Float64, true),
                Field::new(format!("{side}_score"), DataType::Float64, true),
                Field::new(format!("{side}_weight"), DataType::UInt16, true),
                Field::new(format!("{side}_value"), DataType::UInt8, true),
                Field::new(format!("{side}_priority"), DataType::UInt8, true),
                Field::new(format!("{side}_nag"), DataType::UInt8, true),
                Field::new(format!("{side}_playable"), DataType::Boolean, true),
            ]);
        }
        fields
    }

    fn finish(mut self) -> Vec<ArrayRef> {
        let mut arrays: Vec<ArrayRef> =
            vec![Arc::new(self.key.finish()), Arc::new(self.mv.finish()), Arc::new(self.uci.finish())];
        for side in &mut self.sides {
            let of_side: [ArrayRef; 4] = [
                Arc::new(side.games.finish()),
                Arc::new(side.share.finish()),
                Arc::new(side.score.finish()),
                Arc::new(side.weight.finish()),
            ];
            arrays.extend(of_side);
            arrays.extend(side.set.iter_mut().map(|set| Arc::new(set.finish()) as ArrayRef));
            arrays.push(Arc::new(side.playable.finish()));
        }
        arrays
    }
}

impl DiffRows {
    pub(super) fn push(&mut self, pair: &Pair) -> Result<()> {
        self.add(|columns| {
            columns.key.append_value(pair.key.0);
            columns.mv.append_value(pair.mv.0);
            columns.uci.append_value(pair.mv.to_string());
            for ((side, found), set) in columns.sides.iter_mut().zip([pair.first, pair.second]).zip(pair.set)
            {
                side.push(found, set);
            }
        })
    }
}

impl Side {
    fn push(&mut self, found: Option<ComparedMove>, set: SetByHand) {
        self.games.append_option(found.and_then(|found| found.games).map(u64::cast_signed));
        self.share.append_option(found.map(|found| found.share));
        self.score.append_option(found.and_then(|found| found.score));
        self.weight.append_option(found.and_then(|found| found.weight));
        for (column, set) in self.set.iter_mut().zip([set.value, set.priority, set.nag]) {
            column.append_option(set);
        }
        self.playable.append_option(found.map(|_| set.playable));
    }
}
