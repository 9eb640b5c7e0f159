//! A column whose values are encoded as they are added.

use std::{fmt, io::Write};

use parquet::{
    basic::{Compression, Encoding, Type as PhysicalType},
    errors::Result,
    file::writer::SerializedRowGroupWriter,
    schema::types::ColumnDescPtr,
};

use crate::{
    BYTE_INDICES, Body, Bounds, ColumnChunk, DataPage, add_levels, byte_page, compressor::Scratch,
    delta::Deltas, interner::Interner, packed_page, width_of,
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

/// The order of numbers, for bounds.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Order {
    /// The order of numbers without a sign.
    Unsigned,
    /// The order of numbers with a sign.
    Signed,
}

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
    /// Bounds are recorded only for numbers, and only if their order is given.
    order: Option<Order>,
    values: Values,
    levels: Levels,
    /// The smallest and the largest number of the open page, mapped to codes.
    bounds: (u64, u64),
    pages: Vec<DataPage>,
}

/// The values of the open page.
enum Values {
    Dictionary { interner: Interner, indices: Vec<u32>, width: usize },
    Deltas(Deltas),
    Plain { bytes: Vec<u8>, count: usize, width: usize },
    Texts { lengths: Deltas, bytes: Vec<u8> },
}

/// The levels of the open page, one byte each. A column without nulls and lists has none.
#[derive(Default)]
struct Levels {
    definition: Vec<u8>,
    repetition: Vec<u8>,
    /// The last level of a column without lists, and how often it was added since another one. These levels
    /// are not in `definition` yet, because many columns have only values, or nothing but nulls.
    run: (u8, usize),
    highest: u8,
    /// The level of a list that has no items.
    empty: u8,
    is_list: bool,
}

impl Bounds for (Order, usize) {
    fn value(&self, code: u64) -> Vec<u8> {
        let (order, width) = *self;
        order.code(code).to_le_bytes()[..width].to_owned()
    }
}

impl Order {
    /// Maps a number to a code, or a code to its number.
    #[inline]
    fn code(self, number: u64) -> u64 {
        number ^ if self == Order::Signed { 1 << 63 } else { 0 }
    }
}

impl Column {
    /// Creates an empty column. Its values are numbers, strings, or lists of these. `order` says whether
    /// bounds are recorded, and in which order numbers are.
    #[must_use]
    pub fn new(
        description: ColumnDescPtr,
        encoding: Encoding,
        packing: Packing,
        order: Option<Order>,
    ) -> Self {
        let width = width_in_bytes(&description);
        let levels = Levels::new(&description);
        let values = Values::new(encoding, width);
        Self { description, packing, order, values, levels, bounds: NO_BOUNDS, pages: Vec::new() }
    }

    /// Adds a number: an integer, or the bits of a floating-point number.
    #[inline]
    pub fn push(&mut self, number: u64) {
        self.levels.push(self.levels.highest);
        if let Some(order) = self.order {
            let code = order.code(number);
            self.bounds = (self.bounds.0.min(code), self.bounds.1.max(code));
        }
        self.values.push(number);
    }

    /// Adds a string.
    #[inline]
    pub fn push_text(&mut self, text: &str) {
        self.levels.push(self.levels.highest);
        self.values.push_text(text);
    }

    /// Adds the string that `code` stands for, which is written out only once, in the dictionary. A column
    /// has such codes for all its strings, or for none.
    #[inline]
    pub fn push_named(&mut self, code: u64, name: impl fmt::Display) {
        self.levels.push(self.levels.highest);
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
        self.levels.push(0);
    }

    /// Adds a list of numbers, or nulls.
    pub fn push_numbers(&mut self, items: impl Iterator<Item = Option<u64>>) {
        let values = &mut self.values;
        self.levels.push_list(items, |number| values.push(number));
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

/// The length in bytes of a number in PLAIN encoding.
fn width_in_bytes(description: &ColumnDescPtr) -> usize {
    match description.physical_type() {
        PhysicalType::INT32 | PhysicalType::FLOAT => 4,
        _ => 8,
    }
}

impl Values {
    fn new(encoding: Encoding, width: usize) -> Self {
        match encoding {
            Encoding::DELTA_BINARY_PACKED => Values::Deltas(Deltas::new()),
            Encoding::DELTA_LENGTH_BYTE_ARRAY => Values::Texts { lengths: Deltas::new(), bytes: Vec::new() },
            Encoding::PLAIN => Values::Plain { bytes: Vec::new(), count: 0, width },
            _ => Values::Dictionary { interner: Interner::new(), indices: Vec::new(), width },
        }
    }

    #[inline]
    fn push(&mut self, number: u64) {
        match self {
            Values::Dictionary { interner, indices, width } => indices.push(interner.number(number, *width)),
            _ => self.push_elsewhere(number),
        }
    }

    /// Adds a number to a column without a dictionary.
    fn push_elsewhere(&mut self, number: u64) {
        match self {
            Values::Deltas(deltas) => deltas.push(number),
            Values::Plain { bytes, count, width } => {
                bytes.extend_from_slice(&number.to_le_bytes()[..*width]);
                *count += 1;
            }
            Values::Dictionary { .. } | Values::Texts { .. } => {
                unreachable!("a number in a column of strings")
            }
        }
    }

    #[inline]
    fn push_text(&mut self, text: &str) {
        match self {
            Values::Dictionary { interner, indices, .. } => indices.push(interner.text(text)),
            Values::Texts { lengths, bytes } => {
                lengths.push(text.len() as u64);
                bytes.extend_from_slice(text.as_bytes());
            }
            Values::Deltas(_) | Values::Plain { .. } => unreachable!("a string in a column of numbers"),
        }
    }

    #[inline]
    fn push_named(&mut self, code: u64, name: impl fmt::Display) {
        match self {
            Values::Dictionary { interner, indices, .. } => indices.push(interner.named(code, name)),
            _ => unreachable!("a code in a column without a dictionary"),
        }
    }

    /// The number of values, without nulls.
    fn count(&self) -> usize {
        match self {
            Values::Dictionary { indices, .. } => indices.len(),
            Values::Deltas(Deltas { count, .. }) | Values::Plain { count, .. } => *count,
            Values::Texts { lengths, .. } => lengths.count,
        }
    }

    /// Whether the dictionary is so small that an index fits in a byte. The indices of two values are
    /// smaller as bits.
    fn fit_in_bytes(&self) -> bool {
        matches!(self, Values::Dictionary { interner, .. } if (3..=BYTE_INDICES).contains(&interner.count()))
    }

    /// Appends the encoded values to a page, with a byte for each index if `in_bytes`, and removes them.
    /// Returns their encoding.
    fn take(&mut self, page: &mut Vec<u8>, in_bytes: bool) -> Encoding {
        if self.count() == 0 {
            // Without values, a page needs no dictionary, and the column may have none.
            return Encoding::PLAIN;
        }
        match self {
            Values::Dictionary { interner, indices, .. } => {
                if in_bytes {
                    let indices: Vec<_> = indices.iter().map(|index| *index as u8).collect();
                    byte_page(&indices, page);
                } else {
                    let width = width_of(interner.count() as u64 - 1);
                    packed_page(indices, u64::from, width, page);
                }
                indices.clear();
                Encoding::RLE_DICTIONARY
            }
            Values::Deltas(deltas) => {
                deltas.take(page);
                Encoding::DELTA_BINARY_PACKED
            }
            Values::Plain { bytes, count, .. } => {
                page.append(bytes);
                *count = 0;
                Encoding::PLAIN
            }
            Values::Texts { lengths, bytes } => {
                lengths.take(page);
                page.append(bytes);
                Encoding::DELTA_LENGTH_BYTE_ARRAY
            }
        }
    }
}

impl Levels {
    fn new(description: &ColumnDescPtr) -> Self {
        let highest = description.max_def_level().cast_unsigned() as u8;
        let is_list = description.max_rep_level() > 0;
        // The levels above that of an empty list say that there is an item, and that it is not null.
        let above = 1 + u8::from(description.self_type().is_optional());
        Self { highest, is_list, empty: highest.saturating_sub(above), ..Self::default() }
    }

    #[inline]
    fn push(&mut self, level: u8) {
        if level != self.run.0 {
            self.end_run();
            self.run.0 = level;
        }
        self.run.1 += 1;
    }

    #[cold]
    fn end_run(&mut self) {
        let (level, count) = (self.run.0, std::mem::take(&mut self.run.1));
        if self.highest > 0 {
            self.definition.resize(self.definition.len() + count, level);
        }
        if self.is_list {
            self.repetition.resize(self.definition.len(), 0);
        }
    }

    fn push_list<T>(&mut self, items: impl Iterator<Item = Option<T>>, mut push: impl FnMut(T)) {
        self.end_run();
        let start = self.definition.len();
        for item in items {
            self.definition.push(self.highest - u8::from(item.is_none()));
            item.into_iter().for_each(&mut push);
        }
        if self.definition.len() == start {
            self.definition.push(self.empty);
        }
        self.repetition.push(0);
        self.repetition.resize(self.definition.len(), 1);
    }

    /// The number of values, including nulls; `None` if there are no levels.
    fn count(&self) -> Option<usize> {
        (self.highest > 0).then_some(self.definition.len())
    }

    /// Appends the levels to a page, and removes them.
    fn take(&mut self, page: &mut Vec<u8>) {
        if self.is_list {
            add_levels(&self.repetition, 1, page);
        }
        if self.highest > 0 {
            add_levels(&self.definition, self.highest, page);
        }
        self.repetition.clear();
        self.definition.clear();
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
        let mut column = Column::new(description, encoding, packing, None);
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

    /// A third of all values are null; few values are distinct, or nearly all.
    fn numbers() -> impl Strategy<Value = Vec<Option<i64>>> {
        let number = prop_oneof![Just(None), (-2..2_i64).prop_map(Some), any::<i64>().prop_map(Some)];
        prop::collection::vec(number, 0..400)
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
                let read = rows_read(field, &rows, page_rows, |column, row| match row {
                    Some(number) => column.push(number.cast_unsigned()),
                    None => column.push_null(),
                });
                prop_assert_eq!(read, printed(&rows, print));
            }
        }

        #[test]
        fn prop_strings_are_read_back(rows in prop::collection::vec(prop::option::of("[a-c]{0,9}"), 0..200)) {
            let print = |row: &Option<String>| row.as_ref().map_or("null".to_owned(), |text| format!("{text:?}"));
            for encoding in [Encoding::DELTA_LENGTH_BYTE_ARRAY, Encoding::RLE_DICTIONARY] {
                let field = ("optional binary a (STRING);", encoding, Packing::Repetitions);
                let read = rows_read(field, &rows, 50, |column, row| match row {
                    Some(text) => column.push_text(text),
                    None => column.push_null(),
                });
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
