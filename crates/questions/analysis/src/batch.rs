//! Gathers rows into columns.

use std::{fmt::Write as _, sync::Arc};

use arrow_array::{
    ArrayRef, ArrowPrimitiveType, RecordBatch,
    builder::{
        ArrayBuilder, Date32Builder, Float32Builder, Float64Builder, Int16Builder, Int32Builder,
        Int64Builder, ListBuilder, PrimitiveBuilder, StringBuilder, Time32MillisecondBuilder, UInt16Builder,
        UInt64Builder,
    },
};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use position::Key;

use crate::{
    KeyType,
    column::{ColumnKind, Spec},
    games::GameMove,
};

/// One value in a row. The variant must match the kind of its column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Cell<'c> {
    Null,
    Key(Key),
    Integer(i64),
    Real(f64),
    Text(&'c str),
    /// Moves, which are written as UCI strings or as packed 16-bit numbers, depending on the column's kind.
    Moves(&'c [GameMove]),
    /// A list of numbers, in which unknown numbers are null.
    I32s(&'c [Option<i32>]),
    F32s(&'c [Option<f32>]),
}

impl<'c> Cell<'c> {
    /// A count. When the table was written, it was checked that counts fit into 63 bits.
    pub(crate) fn count(count: u64) -> Self {
        Cell::Integer(count.cast_signed())
    }

    /// The approximate maximum size of a string or list in bytes, including the offsets in a list of strings.
    #[inline]
    fn list_bytes(self) -> usize {
        match self {
            Cell::Text(text) => text.len(),
            Cell::Moves(moves) => moves.iter().map(|played| played.uci_bytes() + size_of::<u32>()).sum(),
            Cell::I32s(items) => items.len() * size_of::<i32>(),
            Cell::F32s(items) => items.len() * size_of::<f32>(),
            Cell::Null | Cell::Key(_) | Cell::Integer(_) | Cell::Real(_) => 0,
        }
    }

    pub(crate) fn integer(value: Option<impl Into<i64>>) -> Self {
        value.map_or(Cell::Null, |value| Cell::Integer(value.into()))
    }

    pub(crate) fn real(value: Option<f64>) -> Self {
        value.map_or(Cell::Null, Cell::Real)
    }

    pub(crate) fn text(value: Option<&'c str>) -> Self {
        value.map_or(Cell::Null, Cell::Text)
    }

    pub(crate) fn key(value: Option<Key>) -> Self {
        value.map_or(Cell::Null, Cell::Key)
    }
}

/// The values of one column. Trailing nulls are merely counted, because many columns contain nothing but
/// nulls.
struct ColumnValues {
    values: Values,
    nulls: usize,
}

enum Values {
    U64(UInt64Builder),
    U16(UInt16Builder),
    I16(Int16Builder),
    I32(Int32Builder),
    I64(Int64Builder),
    F32(Float32Builder),
    F64(Float64Builder),
    Text(StringBuilder),
    Date(Date32Builder),
    Time(Time32MillisecondBuilder),
    Texts(ListBuilder<StringBuilder>),
    U16s(ListBuilder<UInt16Builder>),
    I32s(ListBuilder<Int32Builder>),
    F32s(ListBuilder<Float32Builder>),
}

/// Rows as columns.
///
/// # Memory
///
/// A builder holds its values unencoded. The caller decides how many rows a builder gathers.
pub(crate) struct BatchBuilder {
    schema: SchemaRef,
    /// The columns; `None` for a column that is left out.
    columns: Vec<Option<ColumnValues>>,
    pub(crate) rows: usize,
    /// The approximate number of bytes that the gathered strings and lists take up.
    pub(crate) list_bytes: usize,
}

impl BatchBuilder {
    pub(crate) fn new(spec: &Spec) -> Self {
        let empty = |kind| ColumnValues { values: Values::new(kind, spec.key_type), nulls: 0 };
        let values = |column| spec.has(column).then(|| empty(column.kind));
        let mut columns: Vec<_> = spec.columns.iter().map(values).collect();
        let fields = spec.kept().zip(columns.iter_mut().flatten()).map(|(column, values)| {
            Field::new(column.name, values.take().data_type().clone(), column.null.is_some())
        });
        let schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
        Self { schema, columns, rows: 0, list_bytes: 0 }
    }

    pub(crate) fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    /// Adds a row: `write` must push its cells in the columns' order, one for each column, including those
    /// that are left out.
    ///
    /// # Panics
    ///
    /// Panics if `write` pushes more or fewer cells than there are columns, or a cell that does not fit its
    /// column.
    pub(crate) fn push(&mut self, write: impl FnOnce(&mut RowCells<'_>)) {
        let mut cells = RowCells { columns: self.columns.iter_mut(), list_bytes: 0 };
        write(&mut cells);
        assert!(cells.columns.next().is_none(), "a cell for every column");
        self.list_bytes += cells.list_bytes;
        self.rows += 1;
    }

    /// Takes the rows out.
    pub(crate) fn take(&mut self) -> Result<RecordBatch, ArrowError> {
        (self.rows, self.list_bytes) = (0, 0);
        let arrays = self.columns.iter_mut().flatten().map(ColumnValues::take).collect();
        RecordBatch::try_new(self.schema(), arrays)
    }
}

/// Receives the cells of a row. Each cell goes straight to its column. Gathering cells first would mean
/// copying them and matching on their kinds a second time.
pub(crate) struct RowCells<'b> {
    columns: std::slice::IterMut<'b, Option<ColumnValues>>,
    list_bytes: usize,
}

#[expect(clippy::inline_always, reason = "the kind of a cell is known where it is made")]
impl RowCells<'_> {
    // Where a cell is created, the compiler knows its variant of `Cell`. When this function is inlined there,
    // only the branches for columns that accept this variant remain. The compiler does not know the variants
    // of cells in an array, so functions that write many rows push cells one by one.
    #[inline(always)]
    pub(crate) fn push(&mut self, cell: Cell<'_>) {
        let Some(column) = self.columns.next() else { panic!("more cells than columns") };
        if let Some(column) = column {
            column.push(cell);
            self.list_bytes += cell.list_bytes();
        }
    }

    pub(crate) fn extend<const N: usize>(&mut self, cells: [Cell<'_>; N]) {
        for cell in cells {
            self.push(cell);
        }
    }
}

/// Adds a move's name without building a separate string.
fn push_uci(names: &mut StringBuilder, played: GameMove) {
    // Writing to a builder cannot fail.
    write!(names, "{}", played.uci()).ok();
    names.append_value("");
}

#[expect(clippy::inline_always, reason = "the kind of a cell is known where it is made")]
impl ColumnValues {
    #[inline(always)]
    fn push(&mut self, cell: Cell<'_>) {
        if matches!(cell, Cell::Null) {
            self.nulls += 1;
            return;
        }
        if self.nulls > 0 {
            self.write_nulls();
        }
        assert!(self.values.push(cell), "a column of another kind is given {cell:?}");
    }

    #[cold]
    fn write_nulls(&mut self) {
        self.values.push_nulls(std::mem::take(&mut self.nulls));
    }

    fn take(&mut self) -> ArrayRef {
        self.write_nulls();
        self.values.take()
    }
}

#[expect(clippy::inline_always, reason = "the kind of a cell is known where it is made")]
impl Values {
    fn new(kind: ColumnKind, key_type: KeyType) -> Self {
        match kind {
            ColumnKind::Key => match key_type {
                KeyType::U64 => Values::U64(UInt64Builder::new()),
                KeyType::I64 => Values::I64(Int64Builder::new()),
            },
            ColumnKind::U16 => Values::U16(UInt16Builder::new()),
            ColumnKind::I16 => Values::I16(Int16Builder::new()),
            ColumnKind::I32 => Values::I32(Int32Builder::new()),
            ColumnKind::I64 => Values::I64(Int64Builder::new()),
            ColumnKind::F32 => Values::F32(Float32Builder::new()),
            ColumnKind::F64 => Values::F64(Float64Builder::new()),
            ColumnKind::Text => Values::Text(StringBuilder::new()),
            ColumnKind::Date => Values::Date(Date32Builder::new()),
            ColumnKind::Time => Values::Time(Time32MillisecondBuilder::new()),
            ColumnKind::Texts => Values::Texts(list_of(DataType::Utf8, false)),
            ColumnKind::U16s => Values::U16s(list_of(DataType::UInt16, false)),
            ColumnKind::I32s => Values::I32s(list_of(DataType::Int32, true)),
            ColumnKind::F32s => Values::F32s(list_of(DataType::Float32, true)),
        }
    }

    /// Adds a value. Returns `false` without adding anything if the cell is null or does not fit the
    /// column.
    #[inline(always)]
    fn push(&mut self, cell: Cell<'_>) -> bool {
        match (self, cell) {
            (Values::U64(values), Cell::Key(key)) => values.append_value(key.0),
            (Values::I64(values), Cell::Key(key)) => values.append_value(key.0.cast_signed()),
            (Values::U16(values), Cell::Integer(value)) => values.append_value(value.cast_unsigned() as u16),
            (Values::I16(values), Cell::Integer(value)) => values.append_value(value as i16),
            (Values::I32(values), Cell::Integer(value)) => values.append_value(value as i32),
            (Values::Date(values), Cell::Integer(value)) => values.append_value(value as i32),
            (Values::Time(values), Cell::Integer(value)) => values.append_value(value as i32),
            (Values::I64(values), Cell::Integer(value)) => values.append_value(value),
            (Values::F32(values), Cell::Real(value)) => values.append_value(value as f32),
            (Values::F64(values), Cell::Real(value)) => values.append_value(value),
            (Values::Text(values), Cell::Text(text)) => values.append_value(text),
            (Values::Texts(values), Cell::Moves(moves)) => {
                for played in moves {
                    push_uci(values.values(), *played);
                }
                values.append(true);
            }
            (Values::U16s(values), Cell::Moves(moves)) => {
                values.append_value(moves.iter().map(|played| Some(played.packed.0)));
            }
            (Values::I32s(values), Cell::I32s(items)) => values.append_value(items.iter().copied()),
            (Values::F32s(values), Cell::F32s(items)) => values.append_value(items.iter().copied()),
            _ => return false,
        }
        true
    }

    fn push_nulls(&mut self, nulls: usize) {
        match self {
            Values::U64(values) => values.append_nulls(nulls),
            Values::U16(values) => values.append_nulls(nulls),
            Values::I16(values) => values.append_nulls(nulls),
            Values::I32(values) => values.append_nulls(nulls),
            Values::I64(values) => values.append_nulls(nulls),
            Values::F32(values) => values.append_nulls(nulls),
            Values::F64(values) => values.append_nulls(nulls),
            Values::Text(values) => values.append_nulls(nulls),
            Values::Date(values) => values.append_nulls(nulls),
            Values::Time(values) => values.append_nulls(nulls),
            Values::Texts(values) => values.append_nulls(nulls),
            Values::U16s(values) => values.append_nulls(nulls),
            Values::I32s(values) => values.append_nulls(nulls),
            Values::F32s(values) => values.append_nulls(nulls),
        }
    }

    fn take(&mut self) -> ArrayRef {
        match self {
            Values::U64(values) => taken(values),
            Values::U16(values) => taken(values),
            Values::I16(values) => taken(values),
            Values::I32(values) => taken(values),
            Values::I64(values) => taken(values),
            Values::F32(values) => taken(values),
            Values::F64(values) => taken(values),
            Values::Text(values) => {
                let next = StringBuilder::with_capacity(values.len(), values.values_slice().len());
                Arc::new(std::mem::replace(values, next).finish())
            }
            Values::Date(values) => taken(values),
            Values::Time(values) => taken(values),
            Values::Texts(values) => Arc::new(values.finish()),
            Values::U16s(values) => Arc::new(values.finish()),
            Values::I32s(values) => Arc::new(values.finish()),
            Values::F32s(values) => Arc::new(values.finish()),
        }
    }
}

fn list_of<B: ArrayBuilder + Default>(item: DataType, nullable: bool) -> ListBuilder<B> {
    ListBuilder::new(B::default()).with_field(Field::new("element", item, nullable))
}

/// Returns the gathered values, and reserves space for the same number of new values.
fn taken<T: ArrowPrimitiveType>(values: &mut PrimitiveBuilder<T>) -> ArrayRef {
    let next = PrimitiveBuilder::with_capacity(values.len());
    Arc::new(std::mem::replace(values, next).finish())
}
