//! Sends records between machines as an Arrow IPC stream (Arrow columnar format, "IPC streaming format").
//!
//! | column | type | meaning |
//! |---|---|---|
//! | `bucket` | int32 | the shard |
//! | `chunk` | int32 | the chunk that the run is made of |
//! | `seq` | int32 | number of the blob in its run's bucket, from 0; negative if the record is not a run |
//! | `run` | binary | the blob: segments of a run |
//!
//! Bucket 0 also contains two other kinds of records. A record with `seq` -1 contains a chunk's report.
//! The records with `seq` -2, -3 and so on contain the parts of a chunk's list of rejected games.
//!
//! `run` may also be sent as large binary, for engines that have only 64-bit offsets.

use std::{
    io::{BufRead, Read, Write},
    sync::Arc,
};

use arrow_array::{
    ArrayRef, BinaryArray, Int32Array, LargeBinaryArray, RecordBatch,
    builder::{BinaryBuilder, Int32Builder},
    cast::AsArray,
    types::Int32Type,
};
use arrow_ipc::writer::StreamWriter;
use arrow_schema::{ArrowError, DataType, Field, Schema};
use run::Result;

use super::{ClusterError, batches::Batches};

/// A batch ends once it has this many records or bytes.
const BATCH_RECORDS: usize = 64;
const BATCH_BYTES: usize = 1 << 20;

/// A record.
#[derive(Clone, Copy, Debug)]
pub(super) struct Record<'r> {
    pub(super) bucket: i32,
    pub(super) chunk: i32,
    pub(super) sequence: i32,
    pub(super) run: &'r [u8],
}

fn schema() -> Schema {
    let number = |name| Field::new(name, DataType::Int32, false);
    let run = Field::new("run", DataType::Binary, false);
    Schema::new(vec![number("bucket"), number("chunk"), number("seq"), run])
}

fn failed(error: ArrowError) -> ClusterError {
    let why = match error {
        // For any other error, the whole text is kept, because it also names the kind of error.
        ArrowError::IoError(_, source) => source.to_string(),
        ArrowError::ParseError(why) => why,
        other => other.to_string(),
    };
    ClusterError::Stream(why)
}

/// Writes records.
///
/// # Memory
///
/// Uses up to 3 MiB for a batch, and as much again while the batch is written.
pub(super) struct RecordWriter<W: Write> {
    stream: StreamWriter<W>,
    numbers: [Int32Builder; 3],
    runs: BinaryBuilder,
    bytes: usize,
}

impl<W: Write> RecordWriter<W> {
    pub(super) fn new(out: W) -> Result<Self> {
        let stream = StreamWriter::try_new(out, &schema()).map_err(failed)?;
        Ok(Self { stream, numbers: Default::default(), runs: BinaryBuilder::new(), bytes: 0 })
    }

    pub(super) fn push(&mut self, record: Record<'_>) -> Result<()> {
        let Record { bucket, chunk, sequence, run } = record;
        for (column, number) in self.numbers.iter_mut().zip([bucket, chunk, sequence]) {
            column.append_value(number);
        }
        self.runs.append_value(run);
        self.bytes += run.len();
        let is_full = self.bytes >= BATCH_BYTES || self.numbers[0].values_slice().len() == BATCH_RECORDS;
        if is_full { self.write_batch() } else { Ok(()) }
    }

    fn write_batch(&mut self) -> Result<()> {
        self.bytes = 0;
        let numbers = self.numbers.iter_mut().map(|column| Arc::new(column.finish()) as ArrayRef);
        let columns = numbers.chain([Arc::new(self.runs.finish()) as ArrayRef]).collect();
        let batch = RecordBatch::try_new(Arc::new(schema()), columns).map_err(failed)?;
        Ok(self.stream.write(&batch).map_err(failed)?)
    }

    /// Writes any remaining records and ends the stream.
    pub(super) fn finish(mut self) -> Result<()> {
        self.write_batch()?;
        Ok(self.stream.finish().map_err(failed)?)
    }
}

/// Reads all records of a stream, or of several streams, one after another.
///
/// # Memory
/// One batch.
pub(super) fn read_records(
    input: &mut dyn BufRead,
    mut each: impl FnMut(Record<'_>) -> Result<()>,
) -> Result<()> {
    loop {
        read_stream(&mut *input, &mut each)?;
        let rest = input.fill_buf().map_err(|error| failed(error.into()))?;
        if rest.is_empty() {
            return Ok(());
        }
    }
}

fn read_stream(input: impl Read, each: &mut impl FnMut(Record<'_>) -> Result<()>) -> Result<()> {
    let mut batches = Batches::begin(input).map_err(failed)?;
    let places = places(&batches.schema)?;
    while let Some(batch) = batches.next_batch().map_err(failed)? {
        let columns = Columns::of(&batch, places)?;
        for row in 0..columns.numbers[0].len() {
            let number = |column: usize| columns.numbers[column].value(row);
            let run = columns.runs.value(row);
            each(Record { bucket: number(0), chunk: number(1), sequence: number(2), run })?;
        }
    }
    Ok(())
}

/// The indexes of the columns, which may be in any order.
fn places(schema: &Schema) -> Result<[usize; 4], ClusterError> {
    let place = |name: &str| {
        schema.index_of(name).map_err(|_| ClusterError::Stream(format!("it has no column `{name}`")))
    };
    Ok([place("bucket")?, place("chunk")?, place("seq")?, place("run")?])
}

/// The columns of a batch.
struct Columns {
    numbers: [Int32Array; 3],
    runs: Runs,
}

enum Runs {
    Binary(BinaryArray),
    LargeBinary(LargeBinaryArray),
}

impl Runs {
    fn value(&self, row: usize) -> &[u8] {
        match self {
            Runs::Binary(runs) => runs.value(row),
            Runs::LargeBinary(runs) => runs.value(row),
        }
    }
}

impl Columns {
    fn of(batch: &RecordBatch, [bucket, chunk, sequence, run]: [usize; 4]) -> Result<Self, ClusterError> {
        let wrong = |name: &str| ClusterError::Stream(format!("column `{name}` has the wrong type"));
        let numbers = |place: usize| {
            let column = batch.column(place).as_primitive_opt::<Int32Type>();
            column.cloned().ok_or_else(|| wrong(batch.schema().field(place).name()))
        };
        let column = batch.column(run);
        let runs = match (column.as_binary_opt::<i32>(), column.as_binary_opt::<i64>()) {
            (Some(runs), _) => Runs::Binary(runs.clone()),
            (_, Some(runs)) => Runs::LargeBinary(runs.clone()),
            _ => return Err(wrong("run")),
        };
        Ok(Self { numbers: [numbers(bucket)?, numbers(chunk)?, numbers(sequence)?], runs })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A stream with a few records.
    fn stream() -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut writer = RecordWriter::new(&mut bytes).unwrap();
        for (number, run) in (0..).zip(["a run", "another run", ""]) {
            let run = run.as_bytes();
            writer.push(Record { bucket: number, chunk: 1, sequence: number, run }).unwrap();
        }
        writer.finish().unwrap();
        bytes
    }

    /// Returns how many records were read.
    fn read(bytes: &[u8]) -> Result<usize> {
        let mut records = 0;
        read_records(&mut &*bytes, |_| {
            records += 1;
            Ok(())
        })?;
        Ok(records)
    }

    /// If a task dies, an engine such as Spark may deliver the beginning of the task's stream, followed by
    /// another stream.
    #[test]
    fn a_stream_that_is_cut_before_another_is_an_error_and_no_panic() {
        let whole = stream();
        assert_eq!(read(&[&whole[..], &whole].concat()).unwrap(), 6);
        let whole_messages = (1..whole.len()).filter(|&end| {
            let records = read(&[&whole[..end], &whole].concat());
            records.is_ok_and(|records| records > 3)
        });
        assert!(whole_messages.count() < 16, "only without its mark of the end or a part of that");
    }

    #[test]
    fn a_bit_that_differs_is_an_error_or_another_record_and_no_panic() {
        let whole = stream();
        let errors = (0..8 * whole.len()).filter(|at| {
            let mut bytes = whole.clone();
            bytes[at / 8] ^= 1 << (at % 8);
            read(&bytes).is_err()
        });
        assert!(errors.count() > 100);
    }
}
