//! The columns of a file: their types, and what they mean.
//!
//! A single list of columns determines the schema and the encodings, and is written into every file as
//! `tabia.columns`.

use std::sync::Arc;

use pages::Packing;
use parquet::{
    basic::{ConvertedType, Encoding, LogicalType, Repetition, TimeUnit, Type as PhysicalType},
    errors::ParquetError,
    file::{
        metadata::{KeyValue, SortingColumn},
        properties::{WriterProperties, WriterPropertiesPtr},
    },
    schema::types::{ColumnDescPtr, Type, TypePtr},
};
use serde_json::json;

use table::{CREATED_BY, KEY_SCHEME};

use crate::{Error, FORMAT_VERSION, KeyType};

/// The types of values in a file.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum ColumnKind {
    /// A position's key, signed or unsigned according to [`KeyType`].
    Key,
    U16,
    I16,
    I32,
    I64,
    F32,
    F64,
    Text,
    /// Days since 1970-01-01.
    Date,
    /// Milliseconds since midnight.
    Time,
    /// A list of non-null strings.
    Texts,
    /// A list of non-null unsigned 16-bit numbers.
    U16s,
    /// A list of 32-bit integers, whose items may be null.
    I32s,
    /// A list of 32-bit floats, whose items may be null.
    F32s,
}

/// How a column's values are laid out in pages. Pages record the smallest and the largest number if they are
/// laid out as dictionaries or deltas.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Layout {
    /// A dictionary, compressed with zstd. For values that repeat.
    Dictionary,
    /// A dictionary, compressed by the frequencies of its values, without page bounds. For values that repeat
    /// on every page, in an order that looks random.
    Scattered,
    /// A dictionary without compression. For values that repeat, but in an order that zstd cannot exploit.
    BareDictionary,
    /// Deltas without compression. For ascending or small numbers.
    Deltas,
    /// The plain values without compression or page bounds. For values that hardly ever repeat and whose bits
    /// look random.
    Bare,
    /// Lengths and bytes, stored separately and compressed with zstd. For strings that hardly ever repeat but
    /// have parts in common.
    Text,
}

/// A column: name, type and meaning.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Column {
    pub(crate) name: &'static str,
    pub(crate) kind: ColumnKind,
    pub(crate) layout: Layout,
    /// What null means; `None` if the column has no nulls.
    pub(crate) null: Option<&'static str>,
    /// The unit of the values.
    pub(crate) unit: &'static str,
    pub(crate) meaning: &'static str,
}

/// A kind of file.
pub(crate) struct Spec {
    /// The name of the folder, such as `moves` or `positions`.
    pub(crate) file: &'static str,
    pub(crate) columns: Vec<Column>,
    /// The rows are sorted by this many of the first columns, in ascending order, with nulls first.
    pub(crate) sorted_by: u32,
    pub(crate) key_type: KeyType,
    /// Names of columns that are left out.
    pub(crate) without: Vec<String>,
    /// Entries that the caller adds to the file's key-value metadata.
    pub(crate) metadata: Vec<(String, String)>,
}

impl ColumnKind {
    fn name(self, key_type: KeyType) -> &'static str {
        match self {
            ColumnKind::Key if key_type == KeyType::U64 => "UINT64",
            ColumnKind::Key | ColumnKind::I64 => "INT64",
            ColumnKind::U16 => "UINT16",
            ColumnKind::I16 => "INT16",
            ColumnKind::I32 => "INT32",
            ColumnKind::F32 => "FLOAT",
            ColumnKind::F64 => "DOUBLE",
            ColumnKind::Text => "STRING",
            ColumnKind::Date => "DATE",
            ColumnKind::Time => "TIME_MILLIS",
            ColumnKind::Texts => "LIST<STRING>",
            ColumnKind::U16s => "LIST<UINT16>",
            ColumnKind::I32s => "LIST<INT32>",
            ColumnKind::F32s => "LIST<FLOAT>",
        }
    }

    #[inline]
    pub(crate) fn is_integer(self) -> bool {
        matches!(
            self,
            ColumnKind::U16
                | ColumnKind::I16
                | ColumnKind::I32
                | ColumnKind::I64
                | ColumnKind::Date
                | ColumnKind::Time
        )
    }

    /// The kind of a list's items, and whether they may be null; `None` if this is not a list.
    fn item(self) -> Option<(ColumnKind, bool)> {
        match self {
            ColumnKind::Texts => Some((ColumnKind::Text, false)),
            ColumnKind::U16s => Some((ColumnKind::U16, false)),
            ColumnKind::I32s => Some((ColumnKind::I32, true)),
            ColumnKind::F32s => Some((ColumnKind::F32, true)),
            _ => None,
        }
    }

    /// The Parquet type of a value that is not a list.
    fn parquet(self, key_type: KeyType) -> (PhysicalType, Option<LogicalType>) {
        match self {
            ColumnKind::Key if key_type == KeyType::U64 => {
                (PhysicalType::INT64, Some(LogicalType::integer(64, false)))
            }
            ColumnKind::Key | ColumnKind::I64 => (PhysicalType::INT64, None),
            ColumnKind::U16 | ColumnKind::U16s => {
                (PhysicalType::INT32, Some(LogicalType::integer(16, false)))
            }
            ColumnKind::I16 => (PhysicalType::INT32, Some(LogicalType::integer(16, true))),
            ColumnKind::I32 | ColumnKind::I32s => (PhysicalType::INT32, None),
            ColumnKind::F32 | ColumnKind::F32s => (PhysicalType::FLOAT, None),
            ColumnKind::F64 => (PhysicalType::DOUBLE, None),
            ColumnKind::Text | ColumnKind::Texts => (PhysicalType::BYTE_ARRAY, Some(LogicalType::String)),
            ColumnKind::Date => (PhysicalType::INT32, Some(LogicalType::Date)),
            ColumnKind::Time => (PhysicalType::INT32, Some(LogicalType::time(false, TimeUnit::MILLIS))),
        }
    }
}

impl Column {
    /// A column whose values repeat and are never null.
    pub(crate) const fn new(
        name: &'static str,
        kind: ColumnKind,
        unit: &'static str,
        meaning: &'static str,
    ) -> Self {
        Self { name, kind, layout: Layout::Dictionary, null: None, unit, meaning }
    }

    /// The same column with a different layout.
    pub(crate) const fn laid_out(self, layout: Layout) -> Self {
        Self { layout, ..self }
    }

    /// The same column, but nullable; `meaning` says what a null means.
    pub(crate) const fn null(self, meaning: &'static str) -> Self {
        Self { null: Some(meaning), ..self }
    }

    /// The column in the Parquet schema.
    fn field(&self, key_type: KeyType) -> Result<TypePtr, ParquetError> {
        let Some((item, has_nulls)) = self.kind.item() else {
            return primitive(self.name, (self.kind, self.null.is_some()), key_type);
        };
        let item = primitive("element", (item, has_nulls), key_type)?;
        let items = Type::group_type_builder("list").with_repetition(Repetition::REPEATED);
        let items = Arc::new(items.with_fields(vec![item]).build()?);
        let list = Type::group_type_builder(self.name)
            .with_repetition(repetition(self.null.is_some()))
            .with_converted_type(ConvertedType::LIST)
            .with_logical_type(Some(LogicalType::List))
            .with_fields(vec![items]);
        Ok(Arc::new(list.build()?))
    }

    /// Encodes the column's values as its layout says.
    pub(crate) fn encoder(&self, description: ColumnDescPtr) -> pages::Column {
        let encoding = match self.layout {
            Layout::Dictionary | Layout::Scattered | Layout::BareDictionary => Encoding::RLE_DICTIONARY,
            Layout::Deltas => Encoding::DELTA_BINARY_PACKED,
            Layout::Bare => Encoding::PLAIN,
            Layout::Text => Encoding::DELTA_LENGTH_BYTE_ARRAY,
        };
        let packing = match self.layout {
            Layout::Dictionary | Layout::Text => Packing::Repetitions,
            Layout::Scattered => Packing::Frequencies,
            Layout::BareDictionary | Layout::Deltas | Layout::Bare => Packing::Bare,
        };
        // In columns with these layouts, every page contains values from the whole range, so page bounds
        // could never rule out a page.
        let has_bounds = !matches!(self.layout, Layout::Scattered | Layout::Bare | Layout::Text);
        pages::Column::new(description, encoding, packing, has_bounds)
    }

    fn describe(&self, key_type: KeyType) -> serde_json::Value {
        json!({
            "name": self.name,
            "type": self.kind.name(key_type),
            "unit": self.unit,
            "null": self.null,
            "meaning": self.meaning,
        })
    }
}

impl Spec {
    /// Whether a column is in the file. The columns that rows are sorted by are never left out.
    pub(crate) fn has(&self, column: &Column) -> bool {
        let sorted_by = &self.columns[..self.sorted_by as usize];
        sorted_by.iter().any(|sorted| sorted.name == column.name)
            || !self.without.iter().any(|name| name == column.name)
    }

    /// The columns in the file.
    pub(crate) fn kept(&self) -> impl Iterator<Item = &Column> {
        self.columns.iter().filter(|column| self.has(column))
    }

    /// Whether `name` is a column that may be left out.
    pub(crate) fn can_do_without(&self, name: &str) -> bool {
        self.columns[self.sorted_by as usize..].iter().any(|column| column.name == name)
    }

    /// The schema of the file.
    pub(crate) fn schema(&self) -> Result<TypePtr, ParquetError> {
        let fields = self.kept().map(|column| column.field(self.key_type)).collect::<Result<_, _>>()?;
        Ok(Arc::new(Type::group_type_builder(self.file).with_fields(fields).build()?))
    }

    /// What the Parquet writer adds to the file's metadata. The same export always produces the same bytes.
    pub(crate) fn properties(&self) -> WriterPropertiesPtr {
        let properties = WriterProperties::builder()
            .set_created_by(CREATED_BY.to_owned())
            .set_sorting_columns(self.sorting_columns())
            .set_key_value_metadata(Some(self.key_values()));
        Arc::new(properties.build())
    }

    fn sorting_columns(&self) -> Option<Vec<SortingColumn>> {
        let column = |index: u32| SortingColumn {
            column_idx: index.cast_signed(),
            descending: false,
            nulls_first: true,
        };
        (self.sorted_by > 0).then(|| (0..self.sorted_by).map(column).collect())
    }

    fn key_values(&self) -> Vec<KeyValue> {
        let columns: Vec<_> = self.kept().map(|column| column.describe(self.key_type)).collect();
        let own = [
            ("format-version", FORMAT_VERSION.to_string()),
            ("file", self.file.to_owned()),
            ("key-scheme", KEY_SCHEME.to_owned()),
            ("key-type", self.key_type.to_string()),
            ("columns", serde_json::Value::from(columns).to_string()),
        ];
        let own = own.map(|(name, value)| KeyValue::new(format!("tabia.{name}"), value));
        let more = self.metadata.iter().map(|(name, value)| KeyValue::new(name.clone(), value.clone()));
        own.into_iter().chain(more).collect()
    }
}

/// Checks that each name in `without` is a column that may be left out of at least one of the files.
pub(crate) fn check_without(without: &[String], specs: &[&Spec]) -> Result<(), Error> {
    let unknown = without.iter().find(|name| !specs.iter().any(|spec| spec.can_do_without(name)));
    unknown.map_or(Ok(()), |name| {
        let mut all: Vec<_> =
            specs.iter().flat_map(|spec| &spec.columns[spec.sorted_by as usize..]).collect();
        all.sort_unstable_by_key(|column| column.name);
        all.dedup_by_key(|column| column.name);
        let all: Vec<_> = all.iter().map(|column| column.name).collect();
        let expected = "a column of these files that rows are not sorted by";
        let got = format!("`{name}`; they are {}", all.join(", "));
        Err(Error::Option { name: "a column to leave out", expected, got })
    })
}

fn primitive(
    name: &str,
    (kind, has_nulls): (ColumnKind, bool),
    key_type: KeyType,
) -> Result<TypePtr, ParquetError> {
    let (physical, logical) = kind.parquet(key_type);
    let builder = Type::primitive_type_builder(name, physical).with_repetition(repetition(has_nulls));
    Ok(Arc::new(builder.with_logical_type(logical).build()?))
}

fn repetition(has_nulls: bool) -> Repetition {
    if has_nulls { Repetition::OPTIONAL } else { Repetition::REQUIRED }
}
