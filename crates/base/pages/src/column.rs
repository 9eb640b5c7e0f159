//! A column whose values are encoded as they are added.

use std::{fmt, io::Write};

use parquet::{
    basic::{Compression, Encoding},
    errors::Result,
    file::writer::SerializedRowGroupWriter,
    schema::types::ColumnDescPtr,
};

use crate::{
    Body, Bounds, ColumnChunk, DataPage,
    compressor::Scratch,
    levels::Levels,
    order::Order,
    values::{Values, width_in_bytes},
};

/// How the pages of a column are compressed.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Packing {
    /// Not at all.
    Bare,
    /// By replacing repetitions, and by the frequencies of what is left.
    Repetitions,
    /// By the frequencies of values alone, if there are few enough of them.
    Frequencies,
}

/// Numbers are encoded this many at a time, because finding out how a column is encoded takes longer than
/// encoding a number.
const WAITING: usize = 32;

/// The bounds of a page without numbers.
const NO_BOUNDS: (u64, u64) = (u64::MAX, 0);

/// A column of one row group. The caller ends a page after the same row in all columns.
///
/// # Memory
///
/// Uses four bytes for each value of the open page if it is in the dictionary, and its encoded length
/// otherwise; one byte for each level; and the finished pages.
pub struct Column {
    description: ColumnDescPtr,
    packing: Packing,
    /// Bounds are recorded only for whole numbers, and only if the caller asks for them.
    order: Option<Order>,
    /// The last numbers that were added, of which the first `waiting_count` are not in the fields below yet.
    waiting: [u64; WAITING],
    waiting_count: usize,
    values: Values,
    levels: Levels,
    /// The smallest and the largest number of the open page, mapped to codes.
    bounds: (u64, u64),
    pages: Vec<DataPage>,
}

impl Column {
    /// Creates an empty column. Its values are numbers, strings, or lists of these. If it `has_bounds`
    /// and no lists, the smallest and the largest whole number of every page are recorded.
    #[must_use]
    pub fn new(description: ColumnDescPtr, encoding: Encoding, packing: Packing, has_bounds: bool) -> Self {
        let is_list = description.max_rep_level() > 0;
        let order = Order::of(&description).filter(|_| has_bounds && !is_list);
        let levels = Levels::new(&description);
        let values = Values::new(encoding, &description);
        Self {
            description,
            packing,
            order,
            waiting: [0; WAITING],
            waiting_count: 0,
            values,
            levels,
            bounds: NO_BOUNDS,
            pages: Vec::new(),
        }
    }

    /// Adds a number: an integer, 0 or 1 for a truth value, or the bits of a floating-point number.
    #[inline]
    pub fn push(&mut self, number: u64) {
        self.waiting[self.waiting_count] = number;
        self.waiting_count += 1;
        if self.waiting_count == WAITING {
            self.encode_waiting();
        }
    }

    /// Encodes the numbers that are waiting, if there are any.
    #[inline]
    fn end_waiting(&mut self) {
        if self.waiting_count > 0 {
            self.encode_waiting();
        }
    }

    #[inline(never)]
    fn encode_waiting(&mut self) {
        let numbers = &self.waiting[..std::mem::take(&mut self.waiting_count)];
        self.levels.push(self.levels.highest, numbers.len());
        if let Some(order) = self.order {
            let codes = numbers.iter().map(|number| order.code(*number));
            let widen = |(smallest, largest): (u64, u64), code| (smallest.min(code), largest.max(code));
            self.bounds = codes.fold(self.bounds, widen);
        }
        self.values.extend(numbers);
    }

    /// Adds a string.
    #[inline]
    pub fn push_text(&mut self, text: &str) {
        self.levels.push(self.levels.highest, 1);
        self.values.push_text(text);
    }

    /// Adds the string that `code` stands for, which is written out only once, in the dictionary. A column
    /// has such codes for all its strings, or for none.
    #[inline]
    pub fn push_named(&mut self, code: u64, name: impl fmt::Display) {
        self.levels.push(self.levels.highest, 1);
        self.values.push_named(code, name);
    }

    /// Adds a null.
    ///
    /// # Panics
    ///
    /// Panics if the column has no nulls.
    #[inline]
    pub fn push_null(&mut self) {
        assert!(self.levels.highest > 0, "a null in a column without nulls");
        self.end_waiting();
        self.levels.push(0, 1);
    }

    /// Adds a number, or a null for `None`.
    ///
    /// # Panics
    ///
    /// Panics if `number` is `None` and the column has no nulls.
    #[inline]
    pub fn push_option(&mut self, number: Option<u64>) {
        match number {
            Some(number) => self.push(number),
            None => self.push_null(),
        }
    }

    /// Adds a string, or a null for `None`.
    ///
    /// # Panics
    ///
    /// Panics if `text` is `None` and the column has no nulls.
    #[inline]
    pub fn push_text_option(&mut self, text: Option<&str>) {
        match text {
            Some(text) => self.push_text(text),
            None => self.push_null(),
        }
    }

    /// Adds a list of numbers, or nulls.
    pub fn push_numbers(&mut self, items: impl Iterator<Item = Option<u64>>) {
        let values = &mut self.values;
        self.levels.push_list(items, |number| values.extend(&[number]));
    }

    /// Adds a list of strings, each with its code; see [`push_named`](Self::push_named).
    pub fn push_names(&mut self, items: impl Iterator<Item = (u64, impl fmt::Display)>) {
        let values = &mut self.values;
        self.levels.push_list(items.map(Some), |(code, name)| values.push_named(code, name));
    }

    /// Ends the page after `rows` rows.
    ///
    /// # Errors
    ///
    /// Fails if the page cannot be compressed.
    pub fn end_page(&mut self, rows: usize) -> Result<()> {
        self.end_waiting();
        self.levels.end_run();
        let values = self.levels.count().unwrap_or_else(|| self.values.count());
        let nulls = values - self.values.count();
        let mut page = Vec::new();
        self.levels.take(&mut page);
        let in_bytes = self.packing != Packing::Bare && self.values.fit_in_bytes();
        let encoding = self.values.take(&mut page, in_bytes);
        let mut body = match self.packing {
            Packing::Bare => Body::plain(page),
            Packing::Frequencies if in_bytes => Scratch::with(|scratch| scratch.compressor.entropy(&page))?,
            _ => Scratch::with(|scratch| scratch.compressor.matches(&page))?,
        };
        // The page is kept until the row group ends.
        body.bytes.shrink_to_fit();
        let bounds = std::mem::replace(&mut self.bounds, NO_BOUNDS);
        let bounds = (bounds != NO_BOUNDS).then_some(bounds);
        self.pages.push(DataPage { body, encoding, rows, values, nulls, bounds });
        Ok(())
    }

    /// The memory that the finished pages and the dictionary take, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let pages: usize = self.pages.iter().map(|page| page.body.bytes.len()).sum();
        pages + if let Values::Dictionary { interner, .. } = &self.values { interner.bytes() } else { 0 }
    }

    /// Writes the finished pages to a row group, and removes them.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be written.
    pub fn finish<W: Write + Send>(&mut self, row_group: &mut SerializedRowGroupWriter<'_, W>) -> Result<()> {
        Scratch::with(|scratch| self.write(row_group, scratch))
    }

    fn write<W: Write + Send>(
        &mut self,
        row_group: &mut SerializedRowGroupWriter<'_, W>,
        Scratch { compressor, chunk }: &mut Scratch,
    ) -> Result<()> {
        let is_compressed = self.packing != Packing::Bare;
        let order = self.order.map(|order| (order, width_in_bytes(&self.description)));
        let bounds = order.as_ref().map(|order| order as &dyn Bounds);
        let mut chunk = ColumnChunk::new(&self.description, bounds, chunk);
        if let Values::Dictionary { interner, .. } = &mut self.values
            && interner.count() > 0
        {
            let plain = &interner.plain;
            let body = if is_compressed { compressor.matches(plain)? } else { Body::plain(plain.clone()) };
            chunk.add_dictionary(body, interner.count(), false)?;
            interner.clear();
        }
        self.pages.drain(..).try_for_each(|page| chunk.add_page(page))?;
        let codec = if is_compressed { compressor.codec() } else { Compression::UNCOMPRESSED };
        chunk.finish(row_group, codec)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use parquet::{
        file::{
            properties::WriterProperties,
            reader::{FileReader as _, SerializedFileReader},
            writer::SerializedFileWriter,
        },
        schema::parser::parse_message_type,
    };
    use proptest::prelude::*;

    use super::*;

    /// Writes a file with one column, ending a page after every `page_rows` of the rows that `push` adds, and
    /// returns each row as the library prints it.
    fn rows_read<T>(
        (field, encoding, packing): (&str, Encoding, Packing),
        rows: &[T],
        page_rows: usize,
        push: impl Fn(&mut Column, &T),
    ) -> Vec<String> {
        let schema = parse_message_type(&format!("message rows {{ {field} }}")).unwrap();
        let properties = Arc::new(WriterProperties::builder().build());
        let mut writer = SerializedFileWriter::new(Vec::new(), Arc::new(schema), properties).unwrap();
        let description = writer.schema_descr().column(0);
        let mut column = Column::new(description, encoding, packing, true);
        // The second row group must not contain anything of the first.
        for rows in rows.chunks(rows.len().div_ceil(2).max(1)) {
            for page in rows.chunks(page_rows) {
                for row in page {
                    push(&mut column, row);
                }
                column.end_page(page.len()).unwrap();
            }
            let mut row_group = writer.next_row_group().unwrap();
            column.finish(&mut row_group).unwrap();
            row_group.close().unwrap();
        }
        let file = bytes::Bytes::from(writer.into_inner().unwrap());
        let reader = SerializedFileReader::new(file).unwrap();
        reader.get_row_iter(None).unwrap().map(|row| row.unwrap().to_string()).collect()
    }

    fn printed<T>(rows: &[T], print: impl Fn(&T) -> String) -> Vec<String> {
        rows.iter().map(|row| format!("{{a: {}}}", print(row))).collect()
    }

    /// A third of all values are null, or so few that there are often more than [`WAITING`] numbers without a
    /// null between them; few values are distinct, or nearly all.
    fn numbers() -> impl Strategy<Value = Vec<Option<i64>>> {
        let number = |weight| {
            let few = (-2..2_i64).prop_map(Some);
            prop_oneof![1 => Just(None), weight => few, weight => any::<i64>().prop_map(Some)]
        };
        prop_oneof![Just(1), Just(20)]
            .prop_flat_map(move |weight| prop::collection::vec(number(weight), 0..400))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn prop_numbers_are_read_back(rows in numbers(), page_rows in 1..150_usize) {
            let print = |row: &Option<i64>| row.map_or("null".to_owned(), |number| number.to_string());
            let encodings = [Encoding::PLAIN, Encoding::DELTA_BINARY_PACKED, Encoding::RLE_DICTIONARY];
            let packings = [Packing::Bare, Packing::Repetitions, Packing::Frequencies];
            for (encoding, packing) in encodings.into_iter().flat_map(|encoding| packings.map(|packing| (encoding, packing))) {
                let field = ("optional int64 a;", encoding, packing);
                let read = rows_read(field, &rows, page_rows, |column, row| {
                    column.push_option(row.map(i64::cast_unsigned));
                });
                prop_assert_eq!(read, printed(&rows, print));
            }
        }

        #[test]
        fn prop_strings_are_read_back(rows in prop::collection::vec(prop::option::of("[a-c]{0,9}"), 0..200)) {
            let print = |row: &Option<String>| row.as_ref().map_or("null".to_owned(), |text| format!("{text:?}"));
            for encoding in [Encoding::DELTA_LENGTH_BYTE_ARRAY, Encoding::RLE_DICTIONARY] {
                let field = ("optional binary a (STRING);", encoding, Packing::Repetitions);
                let read = rows_read(field, &rows, 50, |column, row| column.push_text_option(row.as_deref()));
                prop_assert_eq!(read, printed(&rows, print));
            }
        }

        #[test]
        fn prop_lists_are_read_back(
            rows in prop::collection::vec(prop::option::of(prop::collection::vec(prop::option::of(-9..9_i32), 0..5)), 0..100),
        ) {
            let field = "optional group a (LIST) { repeated group list { optional int32 element; } }";
            let print = |row: &Option<Vec<Option<i32>>>| row.as_ref().map_or("null".to_owned(), |items| {
                let items = items.iter().map(|item| item.map_or("null".to_owned(), |item| item.to_string()));
                format!("[{}]", items.collect::<Vec<_>>().join(", "))
            });
            let read = rows_read((field, Encoding::RLE_DICTIONARY, Packing::Repetitions), &rows, 30, |column, row| {
                match row {
                    Some(items) => column.push_numbers(
                        items.iter().map(|item| item.map(|item| i64::from(item).cast_unsigned())),
                    ),
                    None => column.push_null(),
                }
            });
            prop_assert_eq!(read, printed(&rows, print));
        }
    }

    #[test]
    fn a_named_value_is_written_once() {
        let rows = [3, 1, 3, 3, 1];
        let field = ("required binary a (STRING);", Encoding::RLE_DICTIONARY, Packing::Frequencies);
        let read = rows_read(field, &rows, 5, |column, row| column.push_named(*row, format_args!("n{row}")));
        assert_eq!(read, printed(&rows, |row| format!("\"n{row}\"")));
        let field = "required group a (LIST) { repeated group list { required binary element (STRING); } }";
        let field = (field, Encoding::RLE_DICTIONARY, Packing::Repetitions);
        let read = rows_read(field, &rows, 2, |column, row| {
            column.push_names((0..*row).map(|code| (code, code.to_string())));
        });
        assert_eq!(read[..2], ["{a: [\"0\", \"1\", \"2\"]}", "{a: [\"0\"]}"]);
    }

    #[test]
    #[should_panic(expected = "a null in a column without nulls")]
    fn a_null_is_refused_where_there_are_none() {
        let field = ("required int32 a;", Encoding::PLAIN, Packing::Bare);
        rows_read(field, &[()], 1, |column, ()| column.push_null());
    }
}
