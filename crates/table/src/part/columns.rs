//! The rows of one row group, column by column, on their way into a part file.

use std::io::Write;

use parquet::{
    data_type::{ByteArray, ByteArrayType, Int32Type, Int64Type},
    errors::Result,
    file::writer::{SerializedColumnWriter, SerializedRowGroupWriter},
};
use position::Group;

use crate::{Row, schema::Column};

/// Rows held as columns.
#[derive(Default)]
pub(crate) struct Columns {
    keys: Vec<i64>,
    moves: Vec<i32>,
    groups: Vec<Group>,
    steps: Vec<i32>,
    white: Vec<i64>,
    draws: Vec<i64>,
    black: Vec<i64>,
}

impl Columns {
    pub(crate) fn len(&self) -> usize {
        self.keys.len()
    }

    /// Adds a row whose counts fit the signed columns.
    #[inline]
    pub(crate) fn push(&mut self, row: &Row) {
        self.keys.push(row.key.0.cast_signed());
        self.moves.push(i32::from(row.mv.0));
        self.groups.push(row.group);
        self.steps.push(i32::from(row.step.0));
        self.white.push(row.tally.white.cast_signed());
        self.draws.push(row.tally.draws.cast_signed());
        self.black.push(row.tally.black.cast_signed());
    }

    fn clear(&mut self) {
        self.keys.clear();
        self.moves.clear();
        self.groups.clear();
        self.steps.clear();
        self.white.clear();
        self.draws.clear();
        self.black.clear();
    }

    /// Writes the rows as one row group and forgets them.
    pub(crate) fn write<W: Write + Send>(
        &mut self,
        layout: &[Column],
        mut row_group: SerializedRowGroupWriter<'_, W>,
    ) -> Result<()> {
        for &column in layout {
            let Some(mut writer) = row_group.next_column()? else {
                unreachable!("the schema is made of the same layout")
            };
            self.write_column(column, &mut writer)?;
            writer.close()?;
        }
        row_group.close()?;
        self.clear();
        Ok(())
    }

    fn write_column(&self, column: Column, writer: &mut SerializedColumnWriter<'_>) -> Result<()> {
        match column {
            Column::Key => int64(writer, &self.keys),
            Column::Move => int32(writer, &self.moves),
            Column::Step => int32(writer, &self.steps),
            Column::White => int64(writer, &self.white),
            Column::Draws => int64(writer, &self.draws),
            Column::Black => int64(writer, &self.black),
            Column::Speed => self.texts(writer, |group| group.speed().map(position::Speed::name)),
            Column::PlayerColor => self.texts(writer, |group| group.player_color().map(color_name)),
            Column::RatingBand => {
                self.numbers(writer, |group| group.rating_band().map(|band| i32::from(band.lower_bound())))
            }
            Column::Month => self.numbers(writer, |group| group.month().map(month_number)),
        }
    }

    fn numbers(&self, writer: &mut SerializedColumnWriter<'_>, value: fn(Group) -> Option<i32>) -> Result<()> {
        let (levels, values) = self.nullable(value);
        writer.typed::<Int32Type>().write_batch(&values, Some(&levels), None)?;
        Ok(())
    }

    fn texts(
        &self,
        writer: &mut SerializedColumnWriter<'_>,
        value: fn(Group) -> Option<&'static str>,
    ) -> Result<()> {
        let (levels, values) = self.nullable(|group| value(group).map(ByteArray::from));
        writer.typed::<ByteArrayType>().write_batch(&values, Some(&levels), None)?;
        Ok(())
    }

    /// Definition levels (0 null, 1 a value) and the values that are there.
    fn nullable<T>(&self, value: impl Fn(Group) -> Option<T>) -> (Vec<i16>, Vec<T>) {
        let values: Vec<_> = self.groups.iter().map(|&group| value(group)).collect();
        let levels = values.iter().map(|value| i16::from(value.is_some())).collect();
        (levels, values.into_iter().flatten().collect())
    }
}

fn int32(writer: &mut SerializedColumnWriter<'_>, values: &[i32]) -> Result<()> {
    writer.typed::<Int32Type>().write_batch(values, None, None).map(drop)
}

fn int64(writer: &mut SerializedColumnWriter<'_>, values: &[i64]) -> Result<()> {
    writer.typed::<Int64Type>().write_batch(values, None, None).map(drop)
}

/// `white` or `black`.
pub(crate) fn color_name(color: shakmaty::Color) -> &'static str {
    color.fold_wb("white", "black")
}

/// `yyyymm`.
pub(crate) fn month_number((year, month): (u16, u8)) -> i32 {
    i32::from(year) * 100 + i32::from(month)
}
