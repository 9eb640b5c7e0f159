//! The columns of a part file, and its other Parquet metadata.
//!
//! # Format
//!
//! | column | physical | logical | encoding |
//! |---|---|---|---|
//! | `key` | INT64 | unsigned 64 | `DELTA_BINARY_PACKED` |
//! | `move` | INT32 | unsigned 16 | dictionary |
//! | `speed` | `BYTE_ARRAY`, nullable | string | dictionary; only when grouped by it |
//! | `rating_band` | INT32, nullable | signed 16 | dictionary; only when grouped by it |
//! | `month` | INT32, nullable | | dictionary; only when grouped by it |
//! | `player_color` | `BYTE_ARRAY`, nullable | string | dictionary; only when grouped by it |
//! | `step` | INT32 | unsigned 16 | dictionary |
//! | `white`, `draws`, `black` | INT64 | | dictionary |
//! | `mover_elo_sum`, `opponent_elo_sum`, `rated_games` | INT64 | | dictionary; only with ratings |
//!
//! # Stability
//!
//! A later version of the format may add columns; existing columns keep their names, types and meanings.

use std::sync::Arc;

use pages::{Bounds, ColumnChunk};
use parquet::{
    basic::{LogicalType, Repetition, Type as PhysicalType},
    file::{
        metadata::{KeyValue, SortingColumn},
        properties::{WriterProperties, WriterPropertiesPtr},
    },
    schema::types::{ColumnDescPtr, Type, TypePtr},
};
use strum::IntoStaticStr;

use crate::{
    Counting,
    manifest::{CREATED_BY, KEY_SCHEME},
};

/// The version of the format of part files; the format of tables has [its own](crate::FORMAT_VERSION).
const PART_VERSION: u32 = 1;

/// A column of a part file.
#[derive(Clone, Copy, Debug, Eq, IntoStaticStr, PartialEq)]
#[strum(serialize_all = "snake_case")]
pub(crate) enum Column {
    Key,
    Move,
    Speed,
    RatingBand,
    Month,
    PlayerColor,
    Step,
    White,
    Draws,
    Black,
    MoverEloSum,
    OpponentEloSum,
    RatedGames,
}

impl Column {
    /// The columns of a table that was counted with these options, in the order in which they appear in a
    /// part file.
    pub(crate) fn layout(counting: &Counting) -> Vec<Column> {
        let groups = counting.groups;
        let dimensions = [
            (groups.speed, Column::Speed),
            (groups.rating_band, Column::RatingBand),
            (groups.month, Column::Month),
            (groups.player_color, Column::PlayerColor),
        ];
        let mut columns = vec![Column::Key, Column::Move];
        columns.extend(dimensions.into_iter().filter_map(|(used, column)| used.then_some(column)));
        columns.extend([Column::Step, Column::White, Column::Draws, Column::Black]);
        if counting.ratings {
            columns.extend([Column::MoverEloSum, Column::OpponentEloSum, Column::RatedGames]);
        }
        columns
    }

    pub(crate) fn name(self) -> &'static str {
        self.into()
    }

    /// Whether the column may contain nulls; only group columns may, because their values can be unknown.
    pub(crate) fn is_nullable(self) -> bool {
        matches!(self, Column::Speed | Column::RatingBand | Column::Month | Column::PlayerColor)
    }

    /// Whether the column is compressed. The gaps between keys and the indices of moves are practically
    /// random. Compressing them would take up half the time needed to write a table, and save less than one
    /// byte in a thousand.
    pub(crate) fn is_compressed(self) -> bool {
        !matches!(self, Column::Key | Column::Move)
    }

    pub(crate) fn physical(self) -> PhysicalType {
        match self {
            Column::Key
            | Column::White
            | Column::Draws
            | Column::Black
            | Column::MoverEloSum
            | Column::OpponentEloSum
            | Column::RatedGames => PhysicalType::INT64,
            Column::Speed | Column::PlayerColor => PhysicalType::BYTE_ARRAY,
            Column::Move | Column::RatingBand | Column::Month | Column::Step => PhysicalType::INT32,
        }
    }

    fn logical(self) -> Option<LogicalType> {
        match self {
            Column::Key => Some(LogicalType::integer(64, false)),
            Column::Move | Column::Step => Some(LogicalType::integer(16, false)),
            Column::RatingBand => Some(LogicalType::integer(16, true)),
            Column::Speed | Column::PlayerColor => Some(LogicalType::String),
            Column::Month
            | Column::White
            | Column::Draws
            | Column::Black
            | Column::MoverEloSum
            | Column::OpponentEloSum
            | Column::RatedGames => None,
        }
    }

    fn field(self) -> parquet::errors::Result<TypePtr> {
        let repetition = if self.is_nullable() { Repetition::OPTIONAL } else { Repetition::REQUIRED };
        let builder = Type::primitive_type_builder(self.name(), self.physical());
        Ok(Arc::new(builder.with_logical_type(self.logical()).with_repetition(repetition).build()?))
    }
}

/// Codes are the numbers of groups for columns of groups, and the values themselves for all other columns.
impl Bounds for Column {
    fn value(&self, code: u64) -> Vec<u8> {
        match self.physical() {
            PhysicalType::INT32 => (self.number(code) as u32).to_le_bytes().to_vec(),
            PhysicalType::BYTE_ARRAY => self.text(code).as_bytes().to_owned(),
            _ => code.to_le_bytes().to_vec(),
        }
    }
}

/// A column of a file that is being written.
pub(crate) struct PartColumn {
    pub(crate) kind: Column,
    pub(crate) description: ColumnDescPtr,
}

impl PartColumn {
    /// A chunk of the column without any pages, which is built in `buffer`.
    pub(crate) fn chunk<'a>(&'a self, buffer: &'a mut Vec<u8>) -> ColumnChunk<'a> {
        ColumnChunk::new(&self.description, Some(&self.kind), buffer)
    }

    /// Encodes values one after another in PLAIN encoding.
    pub(crate) fn plain(&self, codes: &[u64]) -> Vec<u8> {
        let mut plain = Vec::new();
        for value in codes.iter().map(|code| self.kind.value(*code)) {
            if self.kind.physical() == PhysicalType::BYTE_ARRAY {
                plain.extend((value.len() as u32).to_le_bytes());
            }
            plain.extend(value);
        }
        plain
    }
}

/// The schema of a part file.
pub(crate) fn schema(counting: &Counting) -> parquet::errors::Result<TypePtr> {
    let fields = Column::layout(counting).into_iter().map(Column::field).collect::<Result<_, _>>()?;
    Ok(Arc::new(Type::group_type_builder("edges").with_fields(fields).build()?))
}

/// Settings for the Parquet library, which writes the metadata; the pages are made by `part::encode`.
pub(crate) fn properties(counting: &Counting) -> WriterPropertiesPtr {
    let properties = WriterProperties::builder()
        .set_created_by(CREATED_BY.to_owned())
        .set_sorting_columns(Some(sorting_columns(counting)))
        .set_key_value_metadata(Some(key_values(counting)));
    Arc::new(properties.build())
}

fn key_values(counting: &Counting) -> Vec<KeyValue> {
    let format = [("format-version", PART_VERSION.to_string()), ("key-scheme", KEY_SCHEME.to_owned())];
    let options = format.into_iter().chain(counting.metadata());
    options.map(|(name, value)| KeyValue::new(format!("tabia.{name}"), value)).collect()
}

/// The sorting columns are the key, the move and the groups. Rows are sorted by the bits of their groups.
/// These bits hold the dimensions in the order of the columns, so the values in the columns are also in
/// ascending order, with unknown values first.
fn sorting_columns(counting: &Counting) -> Vec<SortingColumn> {
    let sorted = Column::layout(counting).into_iter().take_while(|column| *column != Column::Step);
    let column = |(column_idx, _)| SortingColumn { column_idx, descending: false, nulls_first: true };
    (0..).zip(sorted).map(column).collect()
}
