//! An open file of a table, on disk or in a store, which any number of readers can read at once.

use std::{
    fs::File,
    io::{self, BufReader, Read},
    ops::Range,
    os::unix::fs::FileExt,
    path::Path,
    sync::Arc,
};

use parquet::{
    errors::{ParquetError, Result},
    file::reader::{ChunkReader, Length},
};
use store::Object;

use crate::Error;

/// An open file of a table, or an experience file. Clones share the file's offset, so reads never rely on it
/// and always pass their own.
#[derive(Clone, Debug)]
pub struct FileBytes {
    from: Source,
    bytes: u64,
}

/// Reads a file from an offset to its end.
#[derive(Debug)]
pub struct ReadFrom {
    from: Source,
    offset: u64,
}

#[derive(Clone, Debug)]
enum Source {
    File(Arc<File>),
    Object(Arc<Object>),
    /// Part of an object, held in memory and beginning at offset `start`; the rest of the object is never
    /// read.
    Held {
        bytes: bytes::Bytes,
        start: u64,
    },
}

/// The maximum number of bytes of an object that are held in memory.
const HELD_BYTES_MAX: u64 = 4 << 20;

impl FileBytes {
    /// The bytes of `file`, up to its current length.
    ///
    /// # Errors
    ///
    /// Fails if the length cannot be determined.
    pub fn new(file: File) -> io::Result<Self> {
        let bytes = file.metadata()?.len();
        Ok(Self { from: Source::File(Arc::new(file)), bytes })
    }

    /// The bytes of the file at `path`, or of the object if it is a URL.
    pub(crate) fn at(path: &Path) -> crate::Result<Arc<Self>> {
        match store::url_of(path)? {
            Some(url) => Ok(Arc::new(Self::of_object(Object::open(&url)?))),
            None => File::open(path).and_then(Self::new).map(Arc::new).map_err(Error::io(path)),
        }
    }

    /// The bytes of an object, requested range by range.
    fn of_object(object: Object) -> Self {
        let bytes = object.bytes();
        Self { from: Source::Object(Arc::new(object)), bytes }
    }

    /// Returns the same file, prepared for many reads within `range`. If the file is an object, the whole
    /// range is requested at once, which is faster than a request for each read. A range that is too long to
    /// hold in memory is not requested in advance.
    pub(crate) fn holding(self: &Arc<Self>, range: Range<u64>) -> Result<Arc<Self>> {
        let length = range.end.saturating_sub(range.start);
        if matches!(self.from, Source::File(_)) || length > HELD_BYTES_MAX {
            return Ok(self.clone());
        }
        let bytes = self.get_bytes(range.start, length as usize)?;
        Ok(Arc::new(Self { from: Source::Held { bytes, start: range.start }, bytes: self.bytes }))
    }

    /// Bytes of the file.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.bytes
    }

    /// A reader that begins at byte `offset`.
    #[must_use]
    pub fn read_from(&self, offset: u64) -> ReadFrom {
        ReadFrom { from: self.from.clone(), offset }
    }
}

impl Read for ReadFrom {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = match &self.from {
            Source::File(file) => file.read_at(buffer, self.offset)?,
            Source::Object(object) => object.read_at(buffer, self.offset)?,
            Source::Held { bytes, start } => {
                let from = self.offset.checked_sub(*start).and_then(|from| usize::try_from(from).ok());
                from.and_then(|from| bytes.get(from..)).unwrap_or_default().read(buffer)?
            }
        };
        self.offset += read as u64;
        Ok(read)
    }
}

impl Length for FileBytes {
    fn len(&self) -> u64 {
        self.bytes
    }
}

impl ChunkReader for FileBytes {
    type T = BufReader<ReadFrom>;

    fn get_read(&self, start: u64) -> Result<Self::T> {
        Ok(BufReader::new(self.read_from(start)))
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<bytes::Bytes> {
        // The length is checked first, so that a damaged length does not cause a huge allocation.
        if start.checked_add(length as u64).is_none_or(|end| end > self.bytes) {
            let bytes = self.bytes;
            return Err(ParquetError::EOF(format!(
                "cannot read {length} bytes at byte {start}: the file has only {bytes} bytes"
            )));
        }
        let mut buffer = vec![0; length];
        self.read_from(start).read_exact(&mut buffer)?;
        Ok(buffer.into())
    }
}
