//! The columns of experience files, and the settings with which Parquet writes them.

use std::{
    io::Write,
    sync::{Arc, LazyLock},
};

use arrow_schema::{DataType, Field, Fields, Schema};
use parquet::{
    arrow::ArrowSchemaConverter,
    basic::{Compression, Encoding},
    file::{
        metadata::{KeyValue, SortingColumn},
        properties::{EnabledStatistics, WriterProperties, WriterPropertiesPtr},
        writer::SerializedFileWriter,
    },
    schema::types::ColumnPath,
};

use super::header::{ExperienceHeader, METADATA_KEY};
use pages::{PAGE_ROWS, zstd_level};
use table::{CREATED_BY, ROW_GROUP_ROWS};

/// The columns of files without evaluations, in order.
static WITHOUT_EVALUATIONS: LazyLock<Arc<Schema>> = LazyLock::new(|| columns(false));

/// The columns of files that may have evaluations.
static WITH_EVALUATIONS: LazyLock<Arc<Schema>> = LazyLock::new(|| columns(true));

/// The columns of a file with this header.
pub(crate) fn of(header: &ExperienceHeader) -> &'static Arc<Schema> {
    if header.evaluations { &WITH_EVALUATIONS } else { &WITHOUT_EVALUATIONS }
}

fn columns(evaluations: bool) -> Arc<Schema> {
    let field = |name, data_type| Field::new(name, data_type, false);
    let nullable = |name, data_type| Field::new(name, data_type, true);
    let mut fields = vec![
        field("key", DataType::UInt64),
        field("move", DataType::UInt16),
        field("kind", DataType::Utf8),
        nullable("learn", DataType::Float32),
        field("learn_count", DataType::UInt32),
        field("own_wins", DataType::UInt32),
        field("own_draws", DataType::UInt32),
        field("own_losses", DataType::UInt32),
        nullable("user_value", DataType::UInt8),
        nullable("priority", DataType::UInt8),
        nullable("nag", DataType::UInt8),
        nullable("eval", DataType::Float32),
        nullable("depth", DataType::UInt16),
    ];
    if evaluations {
        fields.extend([nullable("mate", DataType::Int16), nullable("nodes", DataType::UInt64)]);
    }
    fields.push(field("sources", DataType::List(Arc::new(source_item()))));
    Arc::new(Schema::new(fields))
}

/// Returns the type of an item in the column `sources`.
pub(crate) fn source_item() -> Field {
    Field::new("item", DataType::Struct(source_fields()), false)
}

/// Returns the fields of an item in the column `sources`.
pub(crate) fn source_fields() -> Fields {
    Fields::from(vec![
        Field::new("source", DataType::Utf8, false),
        Field::new("lesson", DataType::Utf8, false),
        Field::new("count", DataType::UInt32, false),
        Field::new("last", DataType::Int32, true),
    ])
}

/// Creates a writer for a file that has this header.
pub(crate) fn writer<W: Write + Send>(
    sink: W,
    header: &ExperienceHeader,
) -> parquet::errors::Result<SerializedFileWriter<W>> {
    let schema = ArrowSchemaConverter::new().convert(of(header))?;
    SerializedFileWriter::new(sink, schema.root_schema_ptr(), properties(header)?)
}

fn properties(header: &ExperienceHeader) -> parquet::errors::Result<WriterPropertiesPtr> {
    let ascending = |column_idx| SortingColumn { column_idx, descending: false, nulls_first: true };
    let key = ColumnPath::from("key");
    let properties = WriterProperties::builder()
        .set_created_by(CREATED_BY.to_owned())
        .set_compression(Compression::ZSTD(zstd_level()?))
        .set_column_encoding(key.clone(), Encoding::DELTA_BINARY_PACKED)
        .set_column_dictionary_enabled(key, false)
        .set_data_page_row_count_limit(PAGE_ROWS)
        .set_max_row_group_row_count(Some(ROW_GROUP_ROWS))
        .set_statistics_enabled(EnabledStatistics::Page)
        .set_sorting_columns(Some(vec![ascending(0), ascending(1)]))
        .set_key_value_metadata(Some(vec![KeyValue::new(METADATA_KEY.to_owned(), header.to_json())]));
    Ok(properties.build().into())
}
