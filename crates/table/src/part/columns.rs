//! The rows of one row group, column by column, on their way into a part file.

use std::io::Write;

use parquet::{
    data_type::{ByteArray, ByteArrayType, Int32Type},
    errors::Result,
    file::writer::{SerializedColumnWriter, SerializedRowGroupWriter},
    schema::types::ColumnDescPtr,
};
use position::Group;

use crate::{Row, part::encode::ChunkWriter, schema::Column};

/// Rows held as columns.
#[derive(Default)]
pub(crate) struct Columns {
    keys: Vec<u64>,
    moves: Vec<u16>,
    /// Empty in a table that is not grouped.
    groups: Vec<Group>,
    steps: Vec<u16>,
    white: Vec<u64>,
    draws: Vec<u64>,
    black: Vec<u64>,
}

impl Columns {
    pub(crate) fn len(&self) -> usize {
        self.keys.len()
    }

    /// Adds a row, with its group if the table has any.
    #[inline]
    pub(crate) fn push(&mut self, row: &Row, grouped: bool) {
        self.keys.push(row.key.0);
        self.moves.push(row.mv.0);
        self.steps.push(row.step.0);
        self.white.push(row.tally.white);
        self.draws.push(row.tally.draws);
        self.black.push(row.tally.black);
        if grouped {
            self.groups.push(row.group);
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
    }

    /// Writes the rows as one row group and forgets them.
    pub(crate) fn write<W: Write + Send>(
        &mut self,
        layout: &[(Column, ColumnDescPtr)],
        chunks: &mut ChunkWriter,
        mut row_group: SerializedRowGroupWriter<'_, W>,
    ) -> Result<()> {
        for (column, description) in layout {
            if column.is_nullable() {
                self.write_group_column(*column, &mut row_group)?;
                continue;
            }
            let compressed = column.is_compressed();
            match column {
                Column::Key => chunks.add_keys(&mut row_group, description, &self.keys)?,
                Column::Move => chunks.add_numbers(&mut row_group, description, &self.moves, compressed)?,
                Column::Step => chunks.add_numbers(&mut row_group, description, &self.steps, compressed)?,
                Column::White => chunks.add_numbers(&mut row_group, description, &self.white, compressed)?,
                Column::Draws => chunks.add_numbers(&mut row_group, description, &self.draws, compressed)?,
                Column::Black => chunks.add_numbers(&mut row_group, description, &self.black, compressed)?,
                _ => unreachable!("the other columns are nullable"),
            }
        }
        row_group.close()?;
        self.clear();
        Ok(())
    }

    /// Group columns are few-valued and rare: the library's own encoders do.
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

/// `white` or `black`.
pub(crate) fn color_name(color: shakmaty::Color) -> &'static str {
    color.fold_wb("white", "black")
}

/// `yyyymm`.
pub(crate) fn month_number((year, month): (u16, u8)) -> i32 {
    i32::from(year) * 100 + i32::from(month)
}
