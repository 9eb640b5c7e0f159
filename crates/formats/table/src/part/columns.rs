//! The rows of one row group, column by column, on their way into a part file.

use std::io::Write;

use bytes::Bytes;
use parquet::{
    data_type::{ByteArray, ByteArrayType, Int32Type},
    errors::Result,
    file::writer::{SerializedColumnWriter, SerializedRowGroupWriter},
    schema::types::ColumnDescPtr,
};
use position::Group;

use crate::{
    Counting, Groups, RatingSums, Row,
    part::{
        encode::{ColumnEncoder, CountColumn},
        schema::Column,
    },
};

/// Rows held as columns: those that their table has.
pub(crate) struct Columns {
    grouped: bool,
    rated: bool,
    keys: Vec<u64>,
    moves: Vec<u16>,
    groups: Vec<Group>,
    steps: Vec<u16>,
    white: CountColumn,
    draws: CountColumn,
    black: CountColumn,
    ratings: RatingColumns,
}

#[derive(Default)]
struct RatingColumns {
    mover_elo: Vec<u64>,
    opponent_elo: Vec<u64>,
    rated_games: Vec<u64>,
}

impl Columns {
    /// The columns of a table with this counting, without rows.
    pub(crate) fn new(counting: &Counting) -> Self {
        Self {
            grouped: counting.groups != Groups::NONE,
            rated: counting.ratings,
            keys: Vec::new(),
            moves: Vec::new(),
            groups: Vec::new(),
            steps: Vec::new(),
            white: CountColumn::default(),
            draws: CountColumn::default(),
            black: CountColumn::default(),
            ratings: RatingColumns::default(),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.keys.len()
    }

    /// Adds rows, with their groups and ratings if the table has any; `bits` has every bit that
    /// one of their counts has.
    pub(crate) fn extend(&mut self, rows: &[Row], bits: u64) {
        self.keys.extend(rows.iter().map(|row| row.key.0));
        self.moves.extend(rows.iter().map(|row| row.mv.0));
        self.steps.extend(rows.iter().map(|row| row.step.0));
        self.white.extend(rows.iter().map(|row| row.tally.white), bits);
        self.draws.extend(rows.iter().map(|row| row.tally.draws), bits);
        self.black.extend(rows.iter().map(|row| row.tally.black), bits);
        if self.grouped {
            self.groups.extend(rows.iter().map(|row| row.group));
        }
        if self.rated {
            self.ratings.extend(rows.iter().map(|row| row.ratings));
        }
    }

    fn clear(&mut self) {
        self.keys.clear();
        self.moves.clear();
        self.groups.clear();
        self.steps.clear();
        self.white.clear();
        self.draws.clear();
        self.black.clear();
        self.ratings.clear();
    }

    /// Writes the rows as one row group and forgets them.
    pub(crate) fn write<W: Write + Send>(
        &mut self,
        layout: &[(Column, ColumnDescPtr)],
        encoder: &mut ColumnEncoder,
        mut row_group: SerializedRowGroupWriter<'_, W>,
    ) -> Result<()> {
        for (column, description) in layout {
            let RatingColumns { mover_elo, opponent_elo, rated_games } = &self.ratings;
            if column.is_nullable() {
                self.write_group_column(*column, &mut row_group)?;
                continue;
            }
            let compressed = column.is_compressed();
            match column {
                Column::Key => encoder.add_keys(&mut row_group, description, &self.keys)?,
                Column::Move => encoder.add_numbers(&mut row_group, description, &self.moves, compressed)?,
                Column::Step => encoder.add_numbers(&mut row_group, description, &self.steps, compressed)?,
                Column::White => encoder.add_counts(&mut row_group, description, &mut self.white)?,
                Column::Draws => encoder.add_counts(&mut row_group, description, &mut self.draws)?,
                Column::Black => encoder.add_counts(&mut row_group, description, &mut self.black)?,
                Column::MoverEloSum => {
                    encoder.add_numbers(&mut row_group, description, mover_elo, compressed)?;
                }
                Column::OpponentEloSum => {
                    encoder.add_numbers(&mut row_group, description, opponent_elo, compressed)?;
                }
                Column::RatedGames => {
                    encoder.add_numbers(&mut row_group, description, rated_games, compressed)?;
                }
                _ => unreachable!("the other columns are nullable"),
            }
        }
        row_group.close()?;
        self.clear();
        Ok(())
    }

    /// Group columns have few values and are rare: the library's own encoders are fast enough.
    fn write_group_column<W: Write + Send>(
        &self,
        column: Column,
        row_group: &mut SerializedRowGroupWriter<'_, W>,
    ) -> Result<()> {
        let Some(mut writer) = row_group.next_column()? else {
            unreachable!("the schema is made of the same layout")
        };
        match column {
            Column::Speed => self.texts(&mut writer, |group| group.speed().map(position::Speed::name))?,
            Column::PlayerColor => self.texts(&mut writer, |group| group.player_color().map(color_name))?,
            Column::RatingBand => {
                self.numbers(&mut writer, |group| {
                    group.rating_band().map(|band| i32::from(band.lower_bound()))
                })?;
            }
            Column::Month => self.numbers(&mut writer, |group| group.month().map(month_number))?,
            _ => unreachable!("not a group column"),
        }
        writer.close()
    }

    fn numbers(
        &self,
        writer: &mut SerializedColumnWriter<'_>,
        value: fn(Group) -> Option<i32>,
    ) -> Result<()> {
        let (levels, values) = self.nullable(value);
        writer.typed::<Int32Type>().write_batch(&values, Some(&levels), None)?;
        Ok(())
    }

    fn texts(
        &self,
        writer: &mut SerializedColumnWriter<'_>,
        value: fn(Group) -> Option<&'static str>,
    ) -> Result<()> {
        // A name that is static costs no allocation a row.
        let text = |name: &'static str| ByteArray::from(Bytes::from_static(name.as_bytes()));
        let (levels, values) = self.nullable(|group| value(group).map(text));
        writer.typed::<ByteArrayType>().write_batch(&values, Some(&levels), None)?;
        Ok(())
    }

    /// Definition levels (0 for null, 1 for a value) and the values that are there.
    fn nullable<T>(&self, value: impl Fn(Group) -> Option<T>) -> (Vec<i16>, Vec<T>) {
        let rows = self.groups.len();
        let (mut levels, mut values) = (Vec::with_capacity(rows), Vec::with_capacity(rows));
        for value in self.groups.iter().map(|&group| value(group)) {
            levels.push(i16::from(value.is_some()));
            values.extend(value);
        }
        (levels, values)
    }
}

impl RatingColumns {
    fn extend(&mut self, ratings: impl Iterator<Item = RatingSums> + Clone) {
        self.mover_elo.extend(ratings.clone().map(|sums| sums.mover_elo));
        self.opponent_elo.extend(ratings.clone().map(|sums| sums.opponent_elo));
        self.rated_games.extend(ratings.map(|sums| sums.rated_games));
    }

    fn clear(&mut self) {
        self.mover_elo.clear();
        self.opponent_elo.clear();
        self.rated_games.clear();
    }
}

/// `white` or `black`.
pub(crate) fn color_name(color: shakmaty::Color) -> &'static str {
    color.fold_wb("white", "black")
}

/// `yyyymm`.
pub(crate) fn month_number((year, month): (u16, u8)) -> i32 {
    i32::from(year) * 100 + i32::from(month)
}
