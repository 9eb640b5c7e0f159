//! Writes an experience file.

use std::path::Path;

use output::{Existing, OutputFile, Prepared};
use parquet::file::{metadata::KeyValue, writer::SerializedFileWriter};
use position::{ExperienceKind, ExperienceRow};

use super::{
    checksum,
    digest::{self, Digest},
    header::ExperienceHeader,
    row_group::RowGroup,
    schema,
};
use table::{Error, Result, storage::Sink};

use crate::WrittenFile;

/// Writes an experience file from rows in ascending order. The file appears only when
/// [`finish`](Self::finish) returns.
///
/// # Memory
///
/// Holds the finished pages and the dictionaries of one row group (131,072 rows), and the open page of each
/// column.
pub struct ExperienceWriter {
    output: OutputFile,
    writer: SerializedFileWriter<Sink>,
    rows: RowGroup,
    digest: Digest,
    last: Option<(position::Key, position::PackedMove, ExperienceKind)>,
    written: WrittenFile,
}

impl ExperienceWriter {
    /// Begins a file of the current version at `path`; rows refer to the sources by their indexes in
    /// `header`.
    ///
    /// # Errors
    ///
    /// Fails with [`Error::OutputExists`] if the file exists and must not be replaced, and with [`Error::Io`]
    /// or [`Error::Parquet`] if it cannot be created.
    pub fn create(path: &Path, header: &ExperienceHeader, existing: Existing) -> Result<Self> {
        let header = &header.in_present_version();
        let mut output = OutputFile::create(path, existing).map_err(Error::output(path))?;
        let file = output.file().try_clone().map_err(Error::io(path))?;
        let writer = schema::writer(Sink::new(file), header).map_err(Error::parquet(path))?;
        let rows = RowGroup::new(header, &writer);
        let digest = Digest::new(header);
        Ok(Self { output, writer, rows, digest, last: None, written: WrittenFile::default() })
    }

    /// Adds a row.
    ///
    /// # Errors
    ///
    /// Fails with [`Error::Io`] or [`Error::Parquet`] if a row group cannot be written.
    ///
    /// # Panics
    ///
    /// Panics if the row does not come after the previous row, or refers to a source that the header does not
    /// have.
    pub fn push(&mut self, row: &ExperienceRow) -> Result<()> {
        assert!(self.last < Some(row.id()), "experience rows ascend: {:?} after {:?}", row.id(), self.last);
        self.last = Some(row.id());
        self.rows.push(row).map_err(Error::parquet(self.output.path()))?;
        self.digest.push(row);
        self.written.rows += u64::from(row.kind != ExperienceKind::Seen);
        if self.rows.encoded.is_full() { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> Result<()> {
        self.rows.encoded.write(&mut self.writer).map_err(Error::parquet(self.output.path()))
    }

    /// Completes the file and renames it to its path.
    ///
    /// # Errors
    ///
    /// Fails with [`Error::OutputExists`] if the file now exists and must not be replaced, and with
    /// [`Error::Io`] or [`Error::Parquet`] if it cannot be written.
    pub fn finish(self) -> Result<WrittenFile> {
        let path = self.output.path().to_owned();
        let (written, prepared) = self.prepare()?;
        prepared.publish().map_err(|error| Error::output(&path)(error.into()))?;
        Ok(written)
    }

    /// Completes the file and waits until it is on disk.
    ///
    /// # Errors
    ///
    /// Fails with [`Error::Io`] or [`Error::Parquet`] if the file cannot be written.
    pub fn prepare(mut self) -> Result<(WrittenFile, Prepared)> {
        self.flush()?;
        let Self { output, mut writer, digest, written, .. } = self;
        let checksums =
            [(digest::METADATA_KEY, digest.digits()), (checksum::METADATA_KEY, checksum::ZEROS.to_owned())];
        for (key, digits) in checksums {
            writer.append_key_value_metadata(KeyValue::new(key.to_owned(), digits));
        }
        let path = output.path().to_owned();
        let sink = writer.into_inner().map_err(Error::parquet(&path))?;
        let sealed = sink.finish().and_then(|(file, _, digits)| checksum::seal(&file, &digits));
        sealed.map_err(Error::io(&path))?;
        Ok((written, output.prepare().map_err(Error::output(&path))?))
    }
}
