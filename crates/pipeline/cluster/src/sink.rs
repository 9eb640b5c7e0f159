//! Writes the records of a map task into one stream for an engine, or into one file per bucket for machines
//! that share a folder.

use std::{
    fs::File,
    io::{self, BufReader, BufWriter, Read, Write},
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
    vec::IntoIter,
};

use fault::FileFault;
use output::{Existing, OutputFile, make_folder};
use run::Result;

use super::stream::{Record, RecordWriter};

/// Takes a record.
pub(super) type Push<'p> = dyn FnMut(Record<'_>) -> Result<()> + 'p;

/// A destination for the records of a map task. Several threads may write to it at once.
pub(super) trait RecordSink: Sync {
    /// Writes the records that `send` pushes: the records of a bucket, the report, or the pieces of the list
    /// of rejected games.
    fn write(&self, bucket: u32, of: &str, send: impl FnOnce(&mut Push<'_>) -> Result<()>) -> Result<()>;

    /// Completes the output.
    fn finish(self) -> Result<()>;
}

/// A single stream of all records, in any order.
pub(super) struct StreamSink<'o>(Mutex<RecordWriter<&'o mut (dyn Write + Send)>>);

impl<'o> StreamSink<'o> {
    pub(super) fn new(out: &'o mut (dyn Write + Send)) -> Result<Self> {
        Ok(Self(Mutex::new(RecordWriter::new(out)?)))
    }
}

impl RecordSink for StreamSink<'_> {
    fn write(&self, _: u32, _: &str, send: impl FnOnce(&mut Push<'_>) -> Result<()>) -> Result<()> {
        send(&mut |record| self.0.lock().unwrap_or_else(PoisonError::into_inner).push(record))
    }

    fn finish(self) -> Result<()> {
        self.0.into_inner().unwrap_or_else(PoisonError::into_inner).finish()
    }
}

/// A folder that contains a folder for each bucket, with one file for each chunk, such as
/// `00003/run-00017.arrow`. Files appear only when complete; a task that is run again writes the same file.
pub(super) struct FolderSink<'f> {
    pub(super) folder: &'f Path,
    pub(super) chunk: u32,
}

impl RecordSink for FolderSink<'_> {
    fn write(&self, bucket: u32, of: &str, send: impl FnOnce(&mut Push<'_>) -> Result<()>) -> Result<()> {
        let folder = of_bucket(self.folder, bucket);
        make_folder(&folder).map_err(FileFault::of("create", &folder))?;
        let path = folder.join(format!("{of}-{:05}.arrow", self.chunk));
        let failed = |source| FileFault::new("write", &path, source);
        let mut file = OutputFile::create(&path, Existing::Replace).map_err(failed)?;
        let mut writer = RecordWriter::new(BufWriter::new(file.file()))?;
        send(&mut |record| writer.push(record))?;
        writer.finish()?;
        Ok(file.finish().map_err(failed)?)
    }

    fn finish(self) -> Result<()> {
        Ok(())
    }
}

fn of_bucket(folder: &Path, bucket: u32) -> PathBuf {
    folder.join(format!("{bucket:05}"))
}

/// Returns a reader of all streams that map tasks wrote to `folder` for one bucket. The reader reads these
/// streams one after another.
///
/// # Errors
///
/// Fails with [`FileFault`] if the bucket's folder cannot be read.
pub fn streams_of(folder: &Path, bucket: u32) -> Result<impl io::BufRead + use<>> {
    let folder = of_bucket(folder, bucket);
    let failed = FileFault::of("read", &folder);
    let entries = folder.read_dir().map_err(&failed)?;
    let paths = entries.map(|entry| entry.map(|entry| entry.path())).collect::<io::Result<Vec<_>>>();
    let is_stream = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "arrow");
    let mut paths: Vec<_> = paths.map_err(&failed)?.into_iter().filter(is_stream).collect();
    paths.sort();
    Ok(BufReader::with_capacity(1 << 20, Files { left: paths.into_iter(), open: None }))
}

/// Files that are read one after another, so that only one is open at a time.
struct Files {
    left: IntoIter<PathBuf>,
    open: Option<File>,
}

impl Read for Files {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let read = self.open.as_mut().map_or(Ok(0), |file| file.read(buffer))?;
            if read > 0 || buffer.is_empty() {
                return Ok(read);
            }
            let Some(next) = self.left.next() else { return Ok(0) };
            self.open = Some(File::open(next)?);
        }
    }
}
