//! Reads the batches of an Arrow IPC stream. Each batch's metadata is checked against its body before
//! decoding, because arrow-ipc panics if a buffer extends beyond the body.

use std::{
    collections::HashMap,
    io::{self, ErrorKind, Read},
    sync::Arc,
};

use arrow_array::RecordBatch;
use arrow_ipc::{Buffer, Message, convert::try_fb_to_schema, reader::read_record_batch, root_as_message};
use arrow_schema::{ArrowError, DataType, SchemaRef};

/// The continuation marker, which precedes the length of a message (Arrow columnar format, "Encapsulated
/// message format").
const CONTINUATION: i32 = -1;

/// Reads the batches of one stream.
///
/// # Memory
/// One batch.
pub(super) struct Batches<R> {
    input: R,
    /// The columns of every batch.
    pub(super) schema: SchemaRef,
}

impl<R: Read> Batches<R> {
    /// Reads the schema.
    pub(super) fn begin(mut input: R) -> Result<Self, ArrowError> {
        let metadata = metadata(&mut input)?.ok_or_else(|| damaged("it is empty"))?;
        let message = parsed(&metadata)?;
        let schema = message.header_as_schema().ok_or_else(|| damaged("it does not begin with a schema"))?;
        let schema = Arc::new(try_fb_to_schema(schema)?);
        if let Some(other) = schema.fields().iter().find(|field| widths(field.data_type()).is_empty()) {
            let name = other.name();
            return Err(ArrowError::ParseError(format!("column `{name}` has the wrong type")));
        }
        bytes(&mut input, message.bodyLength())?;
        Ok(Self { input, schema })
    }

    /// The next batch; `None` at the end of the stream.
    pub(super) fn next_batch(&mut self) -> Result<Option<RecordBatch>, ArrowError> {
        let Some(metadata) = metadata(&mut self.input)? else { return Ok(None) };
        let message = parsed(&metadata)?;
        let batch = message.header_as_record_batch().ok_or_else(|| damaged("a message is not a batch"))?;
        let within = 0..=message.bodyLength();
        let body = bytes(&mut self.input, message.bodyLength())?;
        let is_whole = |(buffer, width): (&Buffer, &i64)| {
            let end = buffer.offset().checked_add(buffer.length());
            let is_within = within.contains(&buffer.offset()) && within.contains(&buffer.length());
            is_within && end.is_some_and(|end| within.contains(&end)) && buffer.length() % width == 0
        };
        let widths = self.schema.fields().iter().flat_map(|field| widths(field.data_type()));
        if !batch.buffers().into_iter().flatten().zip(widths).all(is_whole) {
            return Err(damaged("a buffer is not within its batch"));
        }
        // A record takes more than one byte, so a batch cannot have more records than bytes.
        if !batch.nodes().into_iter().flatten().all(|node| within.contains(&node.length())) {
            return Err(damaged("a batch is too short for its records"));
        }
        if batch.nodes().into_iter().flatten().any(|node| node.null_count() != 0) {
            return Err(damaged("a value is missing"));
        }
        let (schema, version) = (Arc::clone(&self.schema), message.version());
        read_record_batch(&body.into(), batch, schema, &HashMap::new(), None, &version).map(Some)
    }
}

/// Returns the item sizes, in bytes, of the buffers that make up a column of this type. Returns an empty
/// slice if a stream of runs cannot have a column of this type.
fn widths(kind: &DataType) -> &'static [i64] {
    match kind {
        DataType::Int32 => &[1, 4],
        DataType::Binary => &[1, 4, 1],
        DataType::LargeBinary => &[1, 8, 1],
        _ => &[],
    }
}

fn damaged(why: &str) -> ArrowError {
    ArrowError::ParseError(why.to_owned())
}

fn parsed(metadata: &[u8]) -> Result<Message<'_>, ArrowError> {
    root_as_message(metadata).map_err(|error| ArrowError::ParseError(error.to_string()))
}

/// Reads the metadata of the next message. Returns `None` at the end of the stream, which may lack an end
/// mark.
fn metadata(input: &mut impl Read) -> Result<Option<Vec<u8>>, ArrowError> {
    let length = match number(input) {
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => return Ok(None),
        Ok(CONTINUATION) => number(input)?,
        // Arrow versions before 0.15 wrote no continuation marker, so this number is already the length.
        length => length?,
    };
    Ok(if length == 0 { None } else { Some(bytes(input, length.into())?) })
}

fn number(input: &mut impl Read) -> io::Result<i32> {
    let mut bytes = [0; 4];
    input.read_exact(&mut bytes)?;
    Ok(i32::from_le_bytes(bytes))
}

/// Reads this many bytes. Memory is allocated only as the bytes arrive, so a damaged length cannot cause a
/// huge allocation.
fn bytes(input: &mut impl Read, length: i64) -> Result<Vec<u8>, ArrowError> {
    let length = u64::try_from(length).map_err(|_| damaged("a length is negative"))?;
    let mut bytes = Vec::new();
    input.take(length).read_to_end(&mut bytes)?;
    if bytes.len() as u64 == length { Ok(bytes) } else { Err(damaged("it ends within a message")) }
}
