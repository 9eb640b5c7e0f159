//! Converts the evaluations in a Parquet file to comma-separated values.

use std::{
    fmt::Write as _,
    fs::File,
    io::{self, Read},
};

use arrow_array::{Array, RecordBatch, RecordBatchReader as _, cast::AsArray as _, downcast_integer_array};
use arrow_schema::{ArrowError, DataType};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use pgn::{Error, input::Input};

use crate::text::AsText;

const MAGIC: &[u8; 4] = b"PAR1";

/// Replaces a Parquet file by an input that supplies its rows as text, and returns any other input unchanged.
///
/// # Errors
///
/// Fails if the file cannot be read as Parquet.
pub(crate) fn as_text(input: Input) -> pgn::Result<Input> {
    let Some(path) = input.regular_file()? else { return Ok(input) };
    let refused = |source| Error::Read { path: path.into(), offset: 0, source };
    let mut file = File::open(path).map_err(refused)?;
    let mut magic = [0; MAGIC.len()];
    if file.read_exact(&mut magic).is_err() || &magic != MAGIC {
        return Ok(input);
    }
    let rows = ParquetRecordBatchReaderBuilder::try_new(file)
        .and_then(ParquetRecordBatchReaderBuilder::build)
        .map_err(|error| Error::NotEvals { name: input.name().into(), why: error.to_string() })?;
    let schema = rows.schema();
    if let Some(field) = schema.fields().iter().find(|field| !is_read(field.data_type())) {
        let (column, kind) = (field.name(), field.data_type());
        let why =
            format!("its column `{column}` has the type {kind}, but only text and whole numbers can be read");
        return Err(Error::NotEvals { name: input.name().into(), why });
    }
    let names: Vec<_> = schema.fields().iter().map(|field| field.name().as_str()).collect();
    let names = names.join(",") + "\n";
    let batches = rows.map(|batch| batch.and_then(|batch| text_of(&batch)).map_err(io::Error::other));
    Ok(Input::stream(input.name(), AsText::new(names, batches)))
}

/// Whether columns of this type are read. Columns that have only nulls have the type `Null`, and are read
/// too.
fn is_read(kind: &DataType) -> bool {
    kind.is_integer() || kind.is_string() || kind.is_null()
}

fn text_of(batch: &RecordBatch) -> Result<String, ArrowError> {
    let mut text = String::new();
    for row in 0..batch.num_rows() {
        for (number, column) in batch.columns().iter().enumerate() {
            if number > 0 {
                text.push(',');
            }
            if column.is_valid(row) {
                push(&mut text, column, row, batch.schema_ref().field(number).name() == "key")?;
            }
        }
        text.push('\n');
    }
    Ok(text)
}

/// Appends a value; if a key is a whole number, it is written as sixteen hexadecimal digits.
fn push(text: &mut String, column: &dyn Array, row: usize, is_key: bool) -> Result<(), ArrowError> {
    let written = downcast_integer_array!(
        column => if is_key {
            write!(text, "{:016x}", column.value(row))
        } else {
            write!(text, "{}", column.value(row))
        },
        DataType::Utf8 => text.write_str(column.as_string::<i32>().value(row)),
        DataType::LargeUtf8 => text.write_str(column.as_string::<i64>().value(row)),
        DataType::Utf8View => text.write_str(column.as_string_view().value(row)),
        _ => Ok(()),
    );
    written.map_err(|error| ArrowError::CastError(error.to_string()))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow_array::{ArrayRef, Float64Array, Int64Array, NullArray, StringArray, UInt64Array};
    use parquet::{arrow::ArrowWriter, basic::Compression, file::properties::WriterProperties};

    use super::*;

    #[test]
    fn rows_are_the_text_that_a_list_would_have() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("evals");
        let columns: [(&str, ArrayRef); 5] = [
            ("mate", Arc::new(NullArray::new(2))),
            ("key", Arc::new(UInt64Array::from(vec![0x463b_9618_1691_fc9c, 7]))),
            ("uci", Arc::new(StringArray::from(vec![Some("e2e4"), None]))),
            ("cp", Arc::new(Int64Array::from(vec![-3, 4]))),
            ("depth", Arc::new(Int64Array::from(vec![Some(9), None]))),
        ];
        let columns = columns.map(|(name, column)| (name, column, true));
        let batch = RecordBatch::try_from_iter_with_nullable(columns).unwrap();
        for compression in [Compression::SNAPPY, Compression::UNCOMPRESSED] {
            let properties = WriterProperties::builder().set_compression(compression).build();
            let file = File::create(&path).unwrap();
            let mut writer = ArrowWriter::try_new(file, batch.schema(), Some(properties)).unwrap();
            writer.write(&batch).unwrap();
            writer.close().unwrap();
            let mut text = String::new();
            let input = as_text(Input::file(&path)).unwrap();
            input.into_stream().unwrap().read_to_string(&mut text).unwrap();
            assert_eq!(text, "mate,key,uci,cp,depth\n,463b96181691fc9c,e2e4,-3,9\n,0000000000000007,,4,\n");
        }
        let columns: [(&str, ArrayRef); 2] =
            [("depth", Arc::new(Int64Array::from(vec![1]))), ("cp", Arc::new(Float64Array::from(vec![0.5])))];
        let batch = RecordBatch::try_from_iter(columns).unwrap();
        let mut writer = ArrowWriter::try_new(File::create(&path).unwrap(), batch.schema(), None).unwrap();
        writer.write(&batch).unwrap();
        writer.close().unwrap();
        let error = as_text(Input::file(&path)).unwrap_err().to_string();
        assert!(
            error.ends_with(
                "its column `cp` has the type Float64, but only text and whole numbers can be read"
            ),
            "{error}"
        );
        std::fs::write(&path, "PAR1 and nothing").unwrap();
        assert!(matches!(as_text(Input::file(&path)), Err(Error::NotEvals { .. })));
        std::fs::write(&path, "fen,cp,depth\n").unwrap();
        assert!(as_text(Input::file(&path)).unwrap().regular_file().unwrap().is_some());
    }
}
