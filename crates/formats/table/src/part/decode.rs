//! Turns the columns of a row group back into rows.
//!
//! Each column is decoded into its own buffer and then copied to the matching field of every row in the
//! batch. A look-up may read a part whose checksum has not been verified, so values can be invalid. An
//! invalid value is reported with the number of its row.

use std::sync::Arc;

use parquet::{
    column::reader::{ColumnReader, ColumnReaderImpl},
    data_type::{ByteArray, ByteArrayType, DataType, Int32Type, Int64Type},
};
use position::{Group, Key, PackedMove, RatingBand, Speed, Step};
use shakmaty::Color;

use crate::{
    Error, Result, Row,
    file_bytes::FileBytes,
    part::{
        codes::color_name,
        file::{Part, column_readers, guarded, key_of},
        schema::Column,
    },
};

/// The columns of one row group, which are always read up to the same row.
pub(crate) struct RowGroupColumns {
    columns: Vec<(Column, Values)>,
    rows_left: usize,
    /// The next row's index in the part.
    pub(crate) index: u64,
}

/// A column's reader, and the values that it returned last.
enum Values {
    Int32(Buffer<Int32Type>),
    Int64(Buffer<Int64Type>),
    Bytes(Buffer<ByteArrayType>),
}

struct Buffer<T: DataType> {
    reader: ColumnReaderImpl<T>,
    values: Vec<T::T>,
    /// The definition levels: 0 is null, 1 a value. Empty for required columns.
    levels: Vec<i16>,
}

impl<T: DataType> Buffer<T> {
    fn new(reader: ColumnReaderImpl<T>) -> Self {
        Self { reader, values: Vec::new(), levels: Vec::new() }
    }

    fn read(&mut self, rows: usize) -> parquet::errors::Result<usize> {
        self.values.clear();
        self.levels.clear();
        let mut read = 0;
        // The library may return fewer rows than requested even if more follow, but it returns none only at
        // the end of the column chunk. The caller checks how many rows there are, so a column that is too
        // short is reported as damage.
        while read < rows {
            let (more, _, _) =
                self.reader.read_records(rows - read, Some(&mut self.levels), None, &mut self.values)?;
            if more == 0 {
                break;
            }
            read += more;
        }
        Ok(read)
    }

    /// The values in order, including nulls.
    fn nullable(&self) -> impl Iterator<Item = Option<&T::T>> {
        let mut values = self.values.iter();
        self.levels.iter().map(move |&level| if level == 0 { None } else { values.next() })
    }
}

impl Values {
    fn new(reader: ColumnReader) -> Self {
        match reader {
            ColumnReader::Int32ColumnReader(reader) => Self::Int32(Buffer::new(reader)),
            ColumnReader::Int64ColumnReader(reader) => Self::Int64(Buffer::new(reader)),
            ColumnReader::ByteArrayColumnReader(reader) => Self::Bytes(Buffer::new(reader)),
            _ => unreachable!("a schema with other types is refused"),
        }
    }

    fn read(&mut self, rows: usize) -> parquet::errors::Result<usize> {
        match self {
            Self::Int32(buffer) => buffer.read(rows),
            Self::Int64(buffer) => buffer.read(rows),
            Self::Bytes(buffer) => buffer.read(rows),
        }
    }

    fn skip(&mut self, rows: usize) -> parquet::errors::Result<usize> {
        match self {
            Self::Int32(buffer) => buffer.reader.skip_records(rows),
            Self::Int64(buffer) => buffer.reader.skip_records(rows),
            Self::Bytes(buffer) => buffer.reader.skip_records(rows),
        }
    }
}

impl RowGroupColumns {
    /// Opens the columns of a row group; `index` is the number of rows before it in the part.
    pub(crate) fn open(part: &Part, bytes: &Arc<FileBytes>, row_group: usize, index: u64) -> Result<Self> {
        let readers = column_readers(part, bytes, row_group)?;
        let values = |(&column, reader)| (column, Values::new(reader));
        Ok(Self {
            columns: part.layout.iter().zip(readers).map(values).collect(),
            rows_left: part.row_groups()[row_group].num_rows().cast_unsigned() as usize,
            index,
        })
    }

    /// Skips rows.
    pub(crate) fn skip(&mut self, rows: usize, part: &Part) -> Result<()> {
        for (column, values) in &mut self.columns {
            let skipped = guarded(&part.path, || values.skip(rows))?;
            expect_rows(part, *column, rows, skipped)?;
        }
        self.rows_left -= rows;
        self.index += rows as u64;
        Ok(())
    }

    /// Replaces the contents of `rows` with the next rows, at most `limit`, or with none at the end of the
    /// row group.
    pub(crate) fn read(&mut self, limit: usize, part: &Part, rows: &mut Vec<Row>) -> Result<()> {
        let wanted = limit.min(self.rows_left);
        rows.clear();
        rows.resize(wanted, Row::default());
        for (column, values) in &mut self.columns {
            read_column(part, *column, values, rows, self.index)?;
        }
        self.rows_left -= wanted;
        self.index += wanted as u64;
        Ok(())
    }

    /// Looks through the keys of the next `limit` rows and adds the rows with `key` to `rows`. The other
    /// columns are decoded only for the rows that are found, because a page has thousands of rows and a
    /// position has only a few.
    pub(crate) fn read_key(mut self, limit: usize, key: Key, part: &Part, rows: &mut Vec<Row>) -> Result<()> {
        let looked_at = limit.min(self.rows_left);
        let Some(((Column::Key, Values::Int64(keys)), others)) = self.columns.split_first_mut() else {
            unreachable!("keys are the first column")
        };
        let read = guarded(&part.path, || keys.read(looked_at))?;
        expect_rows(part, Column::Key, looked_at, read)?;
        // The rows of a row group are in ascending order of key, so all rows of one key are adjacent.
        let before = keys.values.partition_point(|&stored| key_of(stored) < key);
        let count = keys.values[before..].iter().take_while(|&&stored| key_of(stored) == key).count();
        let begin = rows.len();
        rows.resize(begin + count, Row { key, ..Row::default() });
        if count > 0 {
            for (column, values) in others {
                let skipped = guarded(&part.path, || values.skip(before))?;
                expect_rows(part, *column, before, skipped)?;
                read_column(part, *column, values, &mut rows[begin..], self.index + before as u64)?;
            }
        }
        Ok(())
    }
}

/// Reads a column's values into `rows`; `index` is the number of rows before them in the part.
fn read_column(part: &Part, column: Column, values: &mut Values, rows: &mut [Row], index: u64) -> Result<()> {
    let read = guarded(&part.path, || values.read(rows.len()))?;
    expect_rows(part, column, rows.len(), read)?;
    fill(column, values, rows).map_err(|(row, what)| Error::Value {
        path: part.path.clone(),
        row: index + row as u64,
        what,
    })
}

fn expect_rows(part: &Part, column: Column, expected: usize, got: usize) -> Result<()> {
    if expected == got {
        return Ok(());
    }
    Err(Error::Mismatch {
        path: part.path.clone(),
        what: "rows of a column",
        expected: format!("{expected} in {}", column.name()),
        got: got.to_string(),
    })
}

/// A row's index in its batch, and what is wrong with its value.
type BadValue = (usize, String);

/// Sets one column of `rows`.
fn fill(column: Column, values: &Values, rows: &mut [Row]) -> Result<(), BadValue> {
    match (column, values) {
        (Column::Key, Values::Int64(keys)) => {
            rows.iter_mut().zip(&keys.values).for_each(|(row, &key)| row.key = key_of(key));
            Ok(())
        }
        (Column::White, Values::Int64(counts)) => fill_counts(rows, counts, |row, n| row.tally.white = n),
        (Column::Draws, Values::Int64(counts)) => fill_counts(rows, counts, |row, n| row.tally.draws = n),
        (Column::Black, Values::Int64(counts)) => fill_counts(rows, counts, |row, n| row.tally.black = n),
        (Column::MoverEloSum, Values::Int64(sums)) => {
            fill_counts(rows, sums, |row, n| row.ratings.mover_elo = n)
        }
        (Column::OpponentEloSum, Values::Int64(sums)) => {
            fill_counts(rows, sums, |row, n| row.ratings.opponent_elo = n)
        }
        (Column::RatedGames, Values::Int64(counts)) => fill_rated_games(rows, counts),
        (Column::Move, Values::Int32(moves)) => fill_u16(rows, moves, |row, mv| row.mv = PackedMove(mv)),
        (Column::Step, Values::Int32(steps)) => fill_u16(rows, steps, |row, step| row.step = Step(step)),
        (Column::RatingBand, Values::Int32(bands)) => fill_group(rows, bands, with_rating_band),
        (Column::Month, Values::Int32(months)) => fill_group(rows, months, with_month),
        (Column::Speed, Values::Bytes(speeds)) => fill_group(rows, speeds, with_speed),
        (Column::PlayerColor, Values::Bytes(colors)) => fill_group(rows, colors, with_player_color),
        _ => unreachable!("the values are made for the column"),
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "as the group columns of texts need it")]
fn with_rating_band(group: Group, &lower: &i32) -> Option<Group> {
    let band = RatingBand::of_mean(u16::try_from(lower).ok()?);
    // A number that is not the lower bound of a rating band is an error. If it were rounded down to a lower
    // bound instead, the row would change when it was written again.
    (i32::from(band.lower_bound()) == lower).then(|| group.with_rating_band(Some(band)))
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "as the group columns of texts need it")]
fn with_month(group: Group, &number: &i32) -> Option<Group> {
    let year = u16::try_from(number / 100).ok()?;
    let month = u8::try_from(number % 100).ok()?;
    (year < 4096 && (1..=12).contains(&month)).then(|| group.with_month(Some((year, month))))
}

fn with_speed(group: Group, name: &ByteArray) -> Option<Group> {
    let named = |speed: &Speed| <&str>::from(speed).as_bytes() == name.data();
    Speed::ALL.iter().copied().find(named).map(|speed| group.with_speed(Some(speed)))
}

fn with_player_color(group: Group, name: &ByteArray) -> Option<Group> {
    let named = |color: &Color| color_name(*color).as_bytes() == name.data();
    Color::ALL.into_iter().find(named).map(|color| group.with_player_color(Some(color)))
}

#[inline]
fn fill_counts(
    rows: &mut [Row],
    Buffer { values, .. }: &Buffer<Int64Type>,
    mut set: impl FnMut(&mut Row, u64),
) -> Result<(), BadValue> {
    if let Some(row) = values.iter().position(|&count| count < 0) {
        return Err((row, format!("a count of {}", values[row])));
    }
    rows.iter_mut().zip(values).for_each(|(row, &count)| set(row, count.cast_unsigned()));
    Ok(())
}

/// Sets the number of rated games in rows that already have their counts and rating sums. Checks that each
/// row's rating sums are possible for its number of games.
fn fill_rated_games(rows: &mut [Row], counts: &Buffer<Int64Type>) -> Result<(), BadValue> {
    fill_counts(rows, counts, |row, n| row.ratings.rated_games = n)?;
    match rows.iter().position(|row| !row.ratings.fit(row.tally)) {
        Some(row) => Err((row, format!("{:?} of {:?}", rows[row].ratings, rows[row].tally))),
        None => Ok(()),
    }
}

#[inline]
fn fill_u16(
    rows: &mut [Row],
    Buffer { values, .. }: &Buffer<Int32Type>,
    mut set: impl FnMut(&mut Row, u16),
) -> Result<(), BadValue> {
    if let Some(row) = values.iter().position(|&value| u16::try_from(value).is_err()) {
        return Err((row, format!("{} in a column of 16 bits", values[row])));
    }
    rows.iter_mut().zip(values).for_each(|(row, &value)| set(row, value.cast_unsigned() as u16));
    Ok(())
}

fn fill_group<T: DataType>(
    rows: &mut [Row],
    buffer: &Buffer<T>,
    with: impl Fn(Group, &T::T) -> Option<Group>,
) -> Result<(), BadValue> {
    for (index, (row, value)) in rows.iter_mut().zip(buffer.nullable()).enumerate() {
        // Null means that the value is unknown. The row's group is left unchanged, because the values in a
        // group are unknown by default.
        let Some(value) = value else { continue };
        row.group = with(row.group, value).ok_or_else(|| (index, format!("{value:?} in a group column")))?;
    }
    Ok(())
}
