//! The columns of experience files, and what else Parquet says about them.

use std::io::Write;

use parquet::{
    errors::Result,
    file::{
        metadata::{KeyValue, SortingColumn},
        properties::{WriterProperties, WriterPropertiesPtr},
        writer::SerializedFileWriter,
    },
    schema::{parser::parse_message_type, types::Type},
};

use super::header::{ExperienceHeader, METADATA_KEY};
use table::CREATED_BY;

/// The columns that all files have before the column `sources`.
const ALL: &str = "
    required int64 key (INTEGER(64, false));
    required int32 move (INTEGER(16, false));
    required binary kind (STRING);
    optional float learn;
    required int32 learn_count (INTEGER(32, false));
    required int32 own_wins (INTEGER(32, false));
    required int32 own_draws (INTEGER(32, false));
    required int32 own_losses (INTEGER(32, false));
    optional int32 user_value (INTEGER(8, false));
    optional int32 priority (INTEGER(8, false));
    optional int32 nag (INTEGER(8, false));
    optional float eval;
    optional int32 depth (INTEGER(16, false));";

/// The columns that only files with evaluations have.
const EVALUATIONS: &str = "
    optional int32 mate (INTEGER(16, true));
    optional int64 nodes (INTEGER(64, false));";

const SOURCES: &str = "
    required group sources (LIST) {
        repeated group list {
            required group item {
                required binary source (STRING);
                required binary lesson (STRING);
                required int32 count (INTEGER(32, false));
                optional int32 last;
            }
        }
    }";

/// The columns of a file with this header.
pub(super) fn of(header: &ExperienceHeader) -> Result<Type> {
    let evaluations = if header.evaluations { EVALUATIONS } else { "" };
    parse_message_type(&format!("message arrow_schema {{ {ALL}{evaluations}{SOURCES} }}"))
}

/// Creates a writer for a file that has this header.
pub(super) fn writer<W: Write + Send>(sink: W, header: &ExperienceHeader) -> Result<SerializedFileWriter<W>> {
    SerializedFileWriter::new(sink, of(header)?.into(), properties(header))
}

fn properties(header: &ExperienceHeader) -> WriterPropertiesPtr {
    let ascending = |column_idx| SortingColumn { column_idx, descending: false, nulls_first: true };
    let properties = WriterProperties::builder()
        .set_created_by(CREATED_BY.to_owned())
        .set_sorting_columns(Some(vec![ascending(0), ascending(1)]))
        .set_key_value_metadata(Some(vec![KeyValue::new(METADATA_KEY.to_owned(), header.to_json())]));
    properties.build().into()
}
