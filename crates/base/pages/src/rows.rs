//! Reads chosen columns of any Parquet file, row by row.

use std::{ops::Range, sync::Arc};

use parquet::{
    column::reader::{ColumnReader, ColumnReaderImpl},
    data_type::DataType,
    errors::{ParquetError, Result},
    file::reader::FileReader,
    schema::types::ColumnDescPtr,
};

use crate::{guarded, order::Order};

/// The number of rows that are decoded at a time.
const BATCH_ROWS: usize = 1024;

/// The rows of a file, in its order.
///
/// # Memory
///
/// Holds a batch of 1,024 rows and the open pages of the chosen columns.
pub struct Rows {
    file: Arc<dyn FileReader>,
    columns: Vec<ReadColumn>,
}

/// A chosen column.
struct ReadColumn {
    index: usize,
    description: ColumnDescPtr,
    next_row_group: usize,
    reader: Option<ColumnReader>,
    batch: Batch,
    /// The levels and the values of the present row, in the batch.
    levels: Range<usize>,
    values: Range<usize>,
}

/// Values without nulls, and levels for all rows.
#[derive(Default)]
struct Batch {
    definition: Vec<i16>,
    /// Empty if the column has no lists.
    repetition: Vec<i16>,
    numbers: Vec<u64>,
    texts: String,
    /// Where each string ends.
    ends: Vec<usize>,
}

/// The value of a column in one row: a number, a string, a list of these, or null.
pub struct Cell<'c> {
    column: &'c ReadColumn,
}

impl Rows {
    /// The rows of `file`, of which only the columns with these indexes are read. Columns in structs are
    /// counted as well.
    #[must_use]
    pub fn new(file: Arc<dyn FileReader>, columns: impl IntoIterator<Item = usize>) -> Self {
        let schema = file.metadata().file_metadata().schema_descr();
        let column = |index| ReadColumn {
            index,
            description: schema.column(index),
            next_row_group: 0,
            reader: None,
            batch: Batch::default(),
            levels: 0..0,
            values: 0..0,
        };
        let columns = columns.into_iter().map(column).collect();
        Self { file, columns }
    }

    /// Moves on to the next row; returns `false` after the last one.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read or is damaged, if a string is not UTF-8, or if a column has another
    /// type or number of rows.
    pub fn advance(&mut self) -> Result<bool> {
        let mut ends = 0;
        for column in &mut self.columns {
            ends += usize::from(!column.advance(&*self.file)?);
        }
        match ends {
            0 => Ok(!self.columns.is_empty()),
            _ if ends == self.columns.len() => Ok(false),
            _ => Err(ParquetError::General("its columns have different numbers of rows".to_owned())),
        }
    }

    /// The value of the chosen column with this number in the present row.
    ///
    /// # Panics
    ///
    /// Panics if there is no such column.
    #[must_use]
    pub fn cell(&self, column: usize) -> Cell<'_> {
        Cell { column: &self.columns[column] }
    }
}

impl ReadColumn {
    fn advance(&mut self, file: &dyn FileReader) -> Result<bool> {
        let mut start = self.levels.end;
        if start == self.batch.definition.len() {
            (start, self.levels, self.values) = (0, 0..0, 0..0);
            if !guarded(|| self.read(file))? {
                return Ok(false);
            }
        }
        let batch = &self.batch;
        let more = batch.repetition.iter().skip(start + 1).take_while(|level| **level > 0).count();
        self.levels = start..start + 1 + more;
        let highest = self.description.max_def_level();
        let levels = &batch.definition[self.levels.clone()];
        let count = levels.iter().filter(|level| **level == highest).count();
        self.values = self.values.end..self.values.end + count;
        Ok(true)
    }

    /// Reads the next batch; returns `false` if there is none.
    fn read(&mut self, file: &dyn FileReader) -> Result<bool> {
        loop {
            if let Some(reader) = &mut self.reader
                && self.batch.read(reader, &self.description)? > 0
            {
                return Ok(true);
            }
            if self.next_row_group == file.num_row_groups() {
                return Ok(false);
            }
            self.reader = Some(file.get_row_group(self.next_row_group)?.get_column_reader(self.index)?);
            self.next_row_group += 1;
        }
    }
}

impl Batch {
    /// Reads rows; returns how many.
    fn read(&mut self, reader: &mut ColumnReader, description: &ColumnDescPtr) -> Result<usize> {
        let is_unsigned = Order::of(description) == Some(Order::Unsigned);
        let of_i32 = |number: i32| {
            if is_unsigned { number.cast_unsigned().into() } else { i64::from(number).cast_unsigned() }
        };
        self.numbers.clear();
        self.texts.clear();
        self.ends.clear();
        let rows = match reader {
            ColumnReader::BoolColumnReader(reader) => self.numbers(reader, u64::from)?,
            ColumnReader::Int32ColumnReader(reader) => self.numbers(reader, of_i32)?,
            ColumnReader::Int64ColumnReader(reader) => self.numbers(reader, i64::cast_unsigned)?,
            ColumnReader::FloatColumnReader(reader) => {
                self.numbers(reader, |number| number.to_bits().into())?
            }
            ColumnReader::DoubleColumnReader(reader) => self.numbers(reader, f64::to_bits)?,
            ColumnReader::ByteArrayColumnReader(reader) => {
                let (texts, rows) = self.values(reader)?;
                for text in texts {
                    self.texts.push_str(text.as_utf8()?);
                    self.ends.push(self.texts.len());
                }
                rows
            }
            ColumnReader::Int96ColumnReader(_) | ColumnReader::FixedLenByteArrayColumnReader(_) => {
                let kind = description.physical_type();
                return Err(ParquetError::NYI(format!("the type {kind} of column `{}`", description.name())));
            }
        };
        let highest = description.max_def_level();
        if highest == 0 {
            self.definition.resize(rows, 0);
        }
        let expected = self.definition.iter().filter(|level| **level == highest).count();
        if self.numbers.len().max(self.ends.len()) != expected {
            let name = description.name();
            return Err(ParquetError::General(format!(
                "column `{name}` has not as many values as levels say"
            )));
        }
        Ok(rows)
    }

    fn numbers<T: DataType>(
        &mut self,
        reader: &mut ColumnReaderImpl<T>,
        number: impl Fn(T::T) -> u64,
    ) -> Result<usize> {
        let (values, rows) = self.values(reader)?;
        self.numbers.extend(values.into_iter().map(number));
        Ok(rows)
    }

    /// Reads values and levels; also returns the number of rows.
    fn values<T: DataType>(&mut self, reader: &mut ColumnReaderImpl<T>) -> Result<(Vec<T::T>, usize)> {
        let mut values = Vec::new();
        self.definition.clear();
        self.repetition.clear();
        let (definition, repetition) = (Some(&mut self.definition), Some(&mut self.repetition));
        let (rows, ..) = reader.read_records(BATCH_ROWS, definition, repetition, &mut values)?;
        Ok((values, rows))
    }
}

impl<'c> Cell<'c> {
    /// The number, as it was added: an integer, 0 or 1 for a truth value, or the bits of a floating-point
    /// number; `None` if it is null.
    #[must_use]
    pub fn number(&self) -> Option<u64> {
        self.column.values.clone().next().map(|place| self.column.batch.numbers[place])
    }

    /// The string, or `None` if it is null.
    #[must_use]
    pub fn text(&self) -> Option<&'c str> {
        self.column.values.clone().next().map(|place| self.column.batch.text(place))
    }

    /// The numbers of a list, or nulls. A list that is null itself has none.
    pub fn numbers(&self) -> impl Iterator<Item = Option<u64>> + use<'c> {
        let ReadColumn { description, batch, levels, values, .. } = self.column;
        let number = description.max_def_level();
        let item = number - i16::from(description.self_type().is_optional());
        let mut numbers = batch.numbers[values.clone()].iter();
        let items = batch.definition[levels.clone()].iter().filter(move |level| **level >= item);
        items.map(move |level| if *level == number { numbers.next().copied() } else { None })
    }

    /// The strings of a list, without nulls.
    pub fn texts(&self) -> impl Iterator<Item = &'c str> + use<'c> {
        let batch = &self.column.batch;
        self.column.values.clone().map(|place| batch.text(place))
    }
}

impl Batch {
    fn text(&self, place: usize) -> &str {
        let start = place.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.texts[start..self.ends[place]]
    }
}

#[cfg(test)]
mod tests {
    use parquet::{
        file::{properties::WriterProperties, writer::SerializedFileWriter},
        schema::parser::parse_message_type,
    };
    use proptest::prelude::*;

    use super::*;
    use crate::{Column, RowGroup};

    const SCHEMA: &str = "message rows {
        required int32 count (INTEGER(32, false));
        optional float share;
        required boolean known;
        optional binary name (STRING);
        optional group items (LIST) { repeated group list { optional int32 element; } }
        required group pairs (LIST) { repeated group list { required group element {
            required binary first (STRING);
            optional int64 second;
        } } }
    }";

    #[derive(Clone, Debug, Default, PartialEq)]
    struct Row {
        count: u32,
        share: Option<f32>,
        known: bool,
        name: Option<String>,
        items: Option<Vec<Option<i32>>>,
        pairs: Vec<(String, Option<i64>)>,
    }

    impl Row {
        fn write(&self, columns: &mut [Column]) {
            let [count, share, known, name, items, first, second] = columns else {
                unreachable!("seven columns")
            };
            count.push(self.count.into());
            share.push_option(self.share.map(|share| share.to_bits().into()));
            known.push(self.known.into());
            name.push_text_option(self.name.as_deref());
            match &self.items {
                None => items.push_null(),
                Some(numbers) => items.push_numbers(
                    numbers.iter().map(|number| number.map(|number| i64::from(number).cast_unsigned())),
                ),
            }
            first.push_names(self.pairs.iter().map(|(text, _)| (text.len() as u64, text)));
            second.push_numbers(self.pairs.iter().map(|(_, number)| number.map(i64::cast_unsigned)));
        }

        /// Reads the present row. A list that is null is read as one without items.
        fn read(rows: &Rows) -> Self {
            let second = rows.cell(6).numbers().map(|number| number.map(u64::cast_signed));
            Self {
                count: rows.cell(0).number().unwrap() as u32,
                share: rows.cell(1).number().map(|bits| f32::from_bits(bits as u32)),
                known: rows.cell(2).number() == Some(1),
                name: rows.cell(3).text().map(str::to_owned),
                items: Some(
                    rows.cell(4).numbers().map(|number| number.map(|number| number as i32)).collect(),
                ),
                pairs: rows.cell(5).texts().map(str::to_owned).zip(second).collect(),
            }
        }
    }

    fn row() -> impl Strategy<Value = Row> {
        let text = || (0..9_usize).prop_map(|length| "x".repeat(length));
        let items = prop::collection::vec(prop::option::of(-9..9), 0..4);
        let pairs = prop::collection::vec((text(), prop::option::of(any::<i64>())), 0..3);
        let parts = (any::<u32>(), prop::option::of(-1.0..1.0_f32), any::<bool>());
        (parts, prop::option::of(text()), prop::option::of(items), pairs).prop_map(
            |((count, share, known), name, items, pairs)| Row { count, share, known, name, items, pairs },
        )
    }

    /// Writes a row group for each slice of rows.
    fn file(row_groups: &[&[Row]]) -> Arc<dyn FileReader> {
        let (schema, properties) = (parse_message_type(SCHEMA).unwrap(), WriterProperties::builder().build());
        let mut file = SerializedFileWriter::new(Vec::new(), schema.into(), properties.into()).unwrap();
        let mut row_group = RowGroup::of_schema(file.schema_descr());
        for rows in row_groups {
            for row in *rows {
                row.write(&mut row_group.columns);
                row_group.end_row().unwrap();
            }
            row_group.write(&mut file).unwrap();
        }
        crate::open(bytes::Bytes::from(file.into_inner().unwrap())).unwrap()
    }

    fn read(file: Arc<dyn FileReader>) -> Vec<Row> {
        let mut rows = Rows::new(file, 0..7);
        let read = std::iter::from_fn(|| rows.advance().unwrap().then(|| Row::read(&rows))).collect();
        assert!(!rows.advance().unwrap(), "the end stays the end");
        read
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]

        #[test]
        fn prop_rows_are_read_back(rows in prop::collection::vec(row(), 0..60), at in any::<prop::sample::Index>()) {
            let (first, second) = rows.split_at(at.index(rows.len() + 1));
            let mut expected = rows.clone();
            for row in &mut expected {
                row.items.get_or_insert_default();
            }
            prop_assert_eq!(read(file(&[first, second])), expected);
        }
    }

    #[test]
    fn rows_are_read_across_batches_and_pages() {
        let count = crate::PAGE_ROWS + BATCH_ROWS + 1;
        let rows: Vec<_> =
            (0..count as u32).map(|count| Row { count, items: Some(vec![]), ..Row::default() }).collect();
        assert_eq!(read(file(&[&rows])), rows);
        assert!(!Rows::new(file(&[&rows]), []).advance().unwrap());
    }
}
