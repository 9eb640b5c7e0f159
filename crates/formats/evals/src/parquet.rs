//! Converts the evaluations in a Parquet file to comma-separated values.

use std::{
    fmt::{self, Write as _},
    fs::File,
    io::{self, Read},
    iter,
};

use pages::{Cell, Rows};
use parquet::{
    basic::{ConvertedType, LogicalType, Type as PhysicalType},
    errors::ParquetError,
    schema::types::ColumnDescriptor,
};
use pgn::{Error, input::Input};

use crate::text::AsText;

const MAGIC: &[u8; 4] = b"PAR1";

/// The number of rows whose text is made at a time.
const BATCH_ROWS: usize = 1024;

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
    let other = |why| Error::NotEvals { name: input.name().into(), why };
    let reader = pages::open(file).map_err(|error| other(error.to_string()))?;
    let columns = reader.metadata().file_metadata().schema_descr().columns().to_vec();
    if let Some(column) = columns.iter().find(|column| !is_read(column)) {
        let (name, kind) = (&column.path().parts()[0], type_name(column));
        let why =
            format!("its column `{name}` has the type {kind}, but only text and whole numbers can be read");
        return Err(other(why));
    }
    let names: Vec<_> = columns.iter().map(|column| column.name()).collect();
    let names = names.join(",") + "\n";
    let kinds: Vec<_> = columns.iter().map(|column| Kind::of(column)).collect();
    let mut rows = Rows::new(reader, 0..columns.len());
    let batches = iter::from_fn(move || next_text(&mut rows, &kinds).map_err(io::Error::other).transpose());
    Ok(Input::stream(input.name(), AsText::new(names, batches)))
}

/// Whether a column is read: one of strings, of whole numbers, or of nothing but nulls.
fn is_read(column: &ColumnDescriptor) -> bool {
    let is_plain = matches!(
        column.logical_type_ref(),
        None | Some(LogicalType::Integer(_) | LogicalType::String | LogicalType::Unknown)
    );
    let is_value = match (column.physical_type(), column.converted_type()) {
        (PhysicalType::BYTE_ARRAY, converted) => converted == ConvertedType::UTF8,
        (PhysicalType::INT32 | PhysicalType::INT64, converted) => !matches!(
            converted,
            ConvertedType::DATE
                | ConvertedType::DECIMAL
                | ConvertedType::TIME_MILLIS
                | ConvertedType::TIME_MICROS
                | ConvertedType::TIMESTAMP_MILLIS
                | ConvertedType::TIMESTAMP_MICROS
        ),
        _ => false,
    };
    is_plain && is_value && column.path().parts().len() == 1
}

/// The name of a type, as far as a reader needs it to find the column that is meant.
fn type_name(column: &ColumnDescriptor) -> String {
    match (column.logical_type_ref(), column.converted_type()) {
        _ if column.path().parts().len() > 1 => "LIST or STRUCT".to_owned(),
        (Some(logical), _) => format!("{logical:?}").split('(').next().unwrap_or_default().to_owned(),
        (None, ConvertedType::NONE) => column.physical_type().to_string(),
        (None, converted) => converted.to_string(),
    }
}

/// How the values of a column are written.
enum Kind {
    /// A whole number is written as sixteen hexadecimal digits.
    Key,
    Signed,
    Unsigned,
    Text,
}

impl Kind {
    fn of(column: &ColumnDescriptor) -> Self {
        match column.converted_type() {
            _ if column.physical_type() == PhysicalType::BYTE_ARRAY => Kind::Text,
            _ if column.name() == "key" => Kind::Key,
            ConvertedType::UINT_64 => Kind::Unsigned,
            _ => Kind::Signed,
        }
    }

    /// Appends a value; nothing is written for a null.
    fn write(&self, cell: &Cell<'_>, text: &mut String) -> fmt::Result {
        if let Kind::Text = self {
            return text.write_str(cell.text().unwrap_or_default());
        }
        cell.number().map_or(Ok(()), |number| match self {
            Kind::Key => write!(text, "{number:016x}"),
            Kind::Unsigned => write!(text, "{number}"),
            Kind::Signed | Kind::Text => write!(text, "{}", number.cast_signed()),
        })
    }
}

/// The text of the next rows; `None` after the last one.
fn next_text(rows: &mut Rows, kinds: &[Kind]) -> Result<Option<String>, ParquetError> {
    let mut text = String::new();
    for _ in 0..BATCH_ROWS {
        if !rows.advance()? {
            break;
        }
        for (column, kind) in kinds.iter().enumerate() {
            if column > 0 {
                text.push(',');
            }
            let Ok(()) = kind.write(&rows.cell(column), &mut text) else {
                unreachable!("a string takes any text")
            };
        }
        text.push('\n');
    }
    Ok((!text.is_empty()).then_some(text))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use pages::RowGroup;
    use parquet::{
        basic::Compression,
        data_type::{ByteArrayType, DataType, Int32Type, Int64Type},
        file::{
            properties::WriterProperties,
            writer::{SerializedFileWriter, SerializedRowGroupWriter},
        },
        schema::parser::parse_message_type,
    };

    use super::*;

    fn create(path: &Path, columns: &str, compression: Compression) -> SerializedFileWriter<File> {
        let schema = parse_message_type(&format!("message evals {{ {columns} }}")).unwrap();
        let properties = WriterProperties::builder().set_compression(compression).build();
        let file = File::create(path).unwrap();
        SerializedFileWriter::new(file, schema.into(), properties.into()).unwrap()
    }

    /// Writes a file to `path`; `write` adds its rows.
    fn write(path: &Path, columns: &str, write: impl FnOnce(&mut RowGroup)) {
        let mut file = create(path, columns, Compression::UNCOMPRESSED);
        let mut row_group = RowGroup::of_schema(file.schema_descr());
        write(&mut row_group);
        row_group.write(&mut file).unwrap();
        file.close().unwrap();
    }

    /// The file is written by the library, as other programs do, and not by our own pages.
    #[test]
    fn rows_are_the_text_that_a_list_would_have() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("evals");
        let columns = "
            optional int32 mate (UNKNOWN);
            required int64 key (INTEGER(64, false));
            optional binary uci (STRING);
            required int64 cp;
            optional int64 depth;";
        for compression in [Compression::SNAPPY, Compression::UNCOMPRESSED] {
            let mut file = create(&path, columns, compression);
            let mut row_group = file.next_row_group().unwrap();
            write_column::<Int32Type>(&mut row_group, &[], Some(&[0, 0]));
            write_column::<Int64Type>(&mut row_group, &[0x463b_9618_1691_fc9c, 7], None);
            write_column::<ByteArrayType>(&mut row_group, &["e2e4".into()], Some(&[1, 0]));
            write_column::<Int64Type>(&mut row_group, &[-3, 4], None);
            write_column::<Int64Type>(&mut row_group, &[9], Some(&[1, 0]));
            row_group.close().unwrap();
            file.close().unwrap();
            let mut text = String::new();
            let input = as_text(Input::file(&path)).unwrap();
            input.into_stream().unwrap().read_to_string(&mut text).unwrap();
            assert_eq!(text, "mate,key,uci,cp,depth\n,463b96181691fc9c,e2e4,-3,9\n,0000000000000007,,4,\n");
        }
    }

    fn write_column<T: DataType>(
        row_group: &mut SerializedRowGroupWriter<'_, File>,
        values: &[T::T],
        levels: Option<&[i16]>,
    ) {
        let mut column = row_group.next_column().unwrap().unwrap();
        column.typed::<T>().write_batch(values, levels, None).unwrap();
        column.close().unwrap();
    }

    #[test]
    fn other_files_are_refused_or_left_alone() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("evals");
        let list = "group pvs (LIST) { repeated group list { required int32 cp; } }";
        let fields = [
            ("double cp;", "cp` has the type DOUBLE"),
            ("int64 cp (TIMESTAMP(NANOS, true));", "cp` has the type Timestamp"),
            ("binary cp;", "cp` has the type BYTE_ARRAY"),
            (list, "pvs` has the type LIST or STRUCT"),
        ];
        for (field, why) in fields {
            let columns = format!("required int32 depth; required {field}");
            write(&path, &columns, |_| ());
            let error = as_text(Input::file(&path)).unwrap_err().to_string();
            assert!(
                error.ends_with(&format!("its column `{why}, but only text and whole numbers can be read")),
                "{error}"
            );
        }
        std::fs::write(&path, "PAR1 and nothing").unwrap();
        assert!(matches!(as_text(Input::file(&path)), Err(Error::NotEvals { .. })));
        std::fs::write(&path, "fen,cp,depth\n").unwrap();
        assert!(as_text(Input::file(&path)).unwrap().regular_file().unwrap().is_some());
    }

    #[test]
    fn damage_is_an_error_or_another_text_and_no_panic() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("evals");
        write(&path, "required int64 key; optional binary uci (STRING);", |row_group| {
            for (key, uci) in [(1, None), (2, Some("e2e4")), (7, Some("d2d4"))] {
                row_group.columns[0].push(key);
                row_group.columns[1].push_text_option(uci);
                row_group.end_row().unwrap();
            }
        });
        let bytes = std::fs::read(&path).unwrap();
        let errors = (0..8 * bytes.len()).filter(|at| {
            let mut damaged = bytes.clone();
            damaged[at / 8] ^= 1 << (at % 8);
            std::fs::write(&path, damaged).unwrap();
            let text = as_text(Input::file(&path)).and_then(Input::into_stream).map(io::read_to_string);
            !matches!(text, Ok(Ok(_)))
        });
        assert!(errors.count() > bytes.len());
    }
}
