//! Writing an experience file.

use std::path::Path;

use output::{Existing, OutputFile, Prepared};
use parquet::{arrow::ArrowWriter, file::metadata::KeyValue};
use position::{ExperienceKind, ExperienceRow};

use super::{
    checksum,
    columns::ColumnsBuilder,
    digest::{self, Digest},
    header::ExperienceHeader,
    schema,
};
use table::{Error, Result, storage::Sink};

/// Rows gathered before they are encoded.
const BATCH_ROWS: usize = 8192;

/// What was written.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct ExperienceStats {
    /// Rows of every kind but `seen`.
    pub rows: u64,
    /// Identities of games and records that taught.
    pub seen: u64,
}

/// Writes an experience file, rows ascending. It appears when [`finish`](Self::finish)
/// returns, and not otherwise.
///
/// # Memory
///
/// The columns of one row group (131,072 rows), encoded: a few megabytes.
pub struct ExperienceWriter {
    output: OutputFile,
    writer: ArrowWriter<Sink>,
    columns: ColumnsBuilder,
    digest: Digest,
    last: Option<(position::Key, position::PackedMove, ExperienceKind)>,
    stats: ExperienceStats,
}

impl ExperienceWriter {
    /// Begins a file of the present version at `path`; rows refer to the sources of `header` by their place
    /// there.
    ///
    /// # Errors
    ///
    /// [`Error::OutputExists`], [`Error::Io`].
    pub fn create(path: &Path, header: &ExperienceHeader, existing: Existing) -> Result<Self> {
        let header = &header.in_present_version();
        let mut output = OutputFile::create(path, existing).map_err(Error::output(path))?;
        let file = output.file().try_clone().map_err(Error::io(path))?;
        let options = schema::options(header).map_err(Error::parquet(path))?;
        let schema = schema::of(header).clone();
        let writer = ArrowWriter::try_new_with_options(Sink::new(file), schema, options)
            .map_err(Error::parquet(path))?;
        let columns = ColumnsBuilder::new(header);
        let digest = Digest::new(header);
        Ok(Self { output, writer, columns, digest, last: None, stats: ExperienceStats::default() })
    }

    /// Adds a row.
    ///
    /// # Errors
    ///
    /// [`Error::Io`] or [`Error::Parquet`] when a batch cannot be written.
    ///
    /// # Panics
    ///
    /// Panics if the row does not come after the one before, or names a source that the header does not have:
    /// a mistake of the caller.
    pub fn push(&mut self, row: &ExperienceRow) -> Result<()> {
        assert!(self.last < Some(row.id()), "experience rows ascend: {:?} after {:?}", row.id(), self.last);
        self.last = Some(row.id());
        self.columns.push(row);
        self.digest.push(row);
        match row.kind {
            ExperienceKind::Seen => self.stats.seen += 1,
            _ => self.stats.rows += 1,
        }
        if self.columns.rows() == BATCH_ROWS { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> Result<()> {
        let batch = self.columns.take();
        self.writer.write(&batch).map_err(Error::parquet(self.output.path()))
    }

    /// Completes the file and lets it appear.
    ///
    /// # Errors
    ///
    /// [`Error::Io`], [`Error::Parquet`], [`Error::OutputExists`] if the file has come to exist meanwhile.
    pub fn finish(self) -> Result<ExperienceStats> {
        let path = self.output.path().to_owned();
        let (stats, prepared) = self.prepare()?;
        prepared.publish().map_err(|error| Error::output(&path)(error.into()))?;
        Ok(stats)
    }

    /// Completes the file and waits until it is on disk.
    ///
    /// # Errors
    ///
    /// [`Error::Io`], [`Error::Parquet`].
    pub fn prepare(mut self) -> Result<(ExperienceStats, Prepared)> {
        self.flush()?;
        let Self { output, mut writer, digest, stats, .. } = self;
        let checksums =
            [(digest::METADATA_KEY, digest.digits()), (checksum::METADATA_KEY, checksum::ZEROS.to_owned())];
        for (key, digits) in checksums {
            writer.append_key_value_metadata(KeyValue::new(key.to_owned(), digits));
        }
        let path = output.path().to_owned();
        let sink = writer.into_inner().map_err(Error::parquet(&path))?;
        let sealed = sink.finish().and_then(|(file, _, digits)| checksum::seal(&file, &digits));
        sealed.map_err(Error::io(&path))?;
        Ok((stats, output.prepare().map_err(Error::output(&path))?))
    }
}
