//! One input, before it is opened.

use std::{
    fmt,
    fs::{self, File},
    io::{self, Read},
    ops::Range,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
    sync::Arc,
};

use crate::{
    Error, Result,
    input::stored::{Meter, RangeReader, ReadAt},
};

/// One input: a file, or a stream, which can be read only once.
#[must_use]
pub struct Input {
    name: String,
    pub(crate) origin: Origin,
    /// The range of stored bytes that is read; `None` if all are read.
    pub(crate) section: Option<Range<u64>>,
}

/// A file's length and modification time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp {
    /// Its length in bytes.
    pub bytes: u64,
    /// Seconds since 1970, and nanoseconds.
    pub modified: (i64, i64),
}

/// The source of an input's bytes.
pub(crate) enum Origin {
    File(PathBuf),
    Object { object: Arc<dyn ReadAt>, bytes: u64 },
    Stream(Box<dyn Read + Send>),
}

/// An input's bytes.
pub(super) enum InputBytes {
    /// Bytes that can be read at any offset, and how many there are.
    Stored(Arc<dyn ReadAt>, u64),
    /// Bytes that can be read only once.
    Stream(Box<dyn Read + Send>),
}

impl Input {
    /// Creates an input that reads a file, with the file's path as its name.
    pub fn file(path: impl Into<PathBuf>) -> Self {
        let path = path.into();
        Self { name: path.to_string_lossy().into_owned(), origin: Origin::File(path), section: None }
    }

    /// An object of `bytes` bytes that is stored elsewhere but is read like a file.
    pub fn object(name: impl Into<String>, object: Arc<dyn ReadAt>, bytes: u64) -> Self {
        Self { name: name.into(), origin: Origin::Object { object, bytes }, section: None }
    }

    /// A stream, which can be read only once, from its beginning.
    pub fn stream(name: impl Into<String>, stream: impl Read + Send + 'static) -> Self {
        Self { name: name.into(), origin: Origin::Stream(Box::new(stream)), section: None }
    }

    /// Restricts this file to the games that start in one of its [sections](super::sections).
    pub fn only(self, section: Range<u64>) -> Self {
        Self { section: Some(section), ..self }
    }

    /// Its name, as the caller wrote it; `-` for standard input.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The stored length of a regular file, or of the section of it that is read; `None` for a stream.
    pub(crate) fn stored_bytes(&self) -> Result<Option<u64>> {
        if let Some(section) = &self.section {
            return Ok(Some(section.end - section.start));
        }
        match &self.origin {
            Origin::Stream(_) => Ok(None),
            Origin::Object { bytes, .. } => Ok(Some(*bytes)),
            Origin::File(path) => {
                let meta = fs::metadata(path).map_err(|source| refused(path, source))?;
                Ok(meta.is_file().then_some(meta.len()))
            }
        }
    }

    /// The stamp that shows whether a regular file has changed; `None` for a stream.
    ///
    /// # Errors
    /// Fails if the file no longer exists.
    pub fn stamp(&self) -> Result<Option<Stamp>> {
        let Origin::File(path) = &self.origin else { return Ok(None) };
        let meta = fs::metadata(path).map_err(|source| refused(path, source))?;
        let stamp = Stamp { bytes: meta.len(), modified: (meta.mtime(), meta.mtime_nsec()) };
        Ok(meta.is_file().then_some(stamp))
    }

    /// The path of a regular file, which can be read again; `None` for anything else.
    ///
    /// # Errors
    /// Fails if the file no longer exists.
    pub fn regular_file(&self) -> Result<Option<&Path>> {
        let Origin::File(path) = &self.origin else { return Ok(None) };
        Ok(self.stored_bytes()?.map(|_| path.as_path()))
    }

    /// Returns a reader of the stored bytes that starts at the first byte.
    ///
    /// # Errors
    /// Fails if the file cannot be opened.
    pub fn into_stream(self) -> Result<Box<dyn Read + Send>> {
        match self.open()? {
            InputBytes::Stream(stream) => Ok(stream),
            InputBytes::Stored(file, bytes) => {
                Ok(Box::new(RangeReader::new(&file, 0, bytes, &Meter::new(&Arc::default()))))
            }
        }
    }

    /// Opens the input.
    pub(super) fn open(self) -> Result<InputBytes> {
        let path = match self.origin {
            Origin::Stream(stream) => return Ok(InputBytes::Stream(stream)),
            Origin::Object { object, bytes } => return Ok(InputBytes::Stored(object, bytes)),
            Origin::File(path) => path,
        };
        match File::open(&path).and_then(|file| Ok((file.metadata()?, file))) {
            Ok((meta, file)) if meta.is_file() => Ok(InputBytes::Stored(Arc::new(file), meta.len())),
            Ok((_, file)) => Ok(InputBytes::Stream(Box::new(file))),
            Err(source) => Err(refused(&path, source)),
        }
    }
}

impl fmt::Debug for Input {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Input").field(&self.name).finish()
    }
}

/// The error for a path that the system failed to read.
pub(super) fn refused(path: &Path, source: io::Error) -> Error {
    Error::Read { path: path.to_path_buf(), offset: 0, source }
}
