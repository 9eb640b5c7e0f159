//! An open object.

use std::{
    io::{self, Write},
    sync::Arc,
};

use crate::{
    Error, Url,
    read_ahead::{Limits, ReadAhead},
    remote::{Source, remote_of},
};

/// How many bytes each request reads when a whole object is read.
const PIECE_BYTES: u64 = 8 << 20;

/// An object that several readers may read at once, each at any offset.
///
/// If a reader continues where it stopped, the fetched ranges grow to 8 MiB, and the next range is fetched in
/// advance. Each jump to another offset fetches 16 KiB, or more if the reader wants more. The client retries
/// requests when the server or the network fails. Every answer must be for the version that was opened, so
/// replacing the object makes reads fail.
///
/// # Memory
///
/// Holds up to 32 MiB of large ranges in memory on a machine with two cores, and up to 64 MiB on larger
/// machines. It also holds small ranges of less than 1 MiB each; there may be as many of them as large ones.
/// Each waiting reader adds the range that it is waiting for.
pub struct Object {
    url: Url,
    bytes: u64,
    version: String,
    windows: ReadAhead,
}

impl Object {
    /// Asks the store for the object's length and version, in one request.
    ///
    /// # Errors
    ///
    /// Fails if there is no such object, or reading it is not permitted.
    pub fn open(url: &Url) -> Result<Self, Error> {
        Self::open_in(remote_of(url)?, url, Limits::of_machine())
    }

    pub(crate) fn open_in(source: Arc<dyn Source>, url: &Url, limits: Limits) -> Result<Self, Error> {
        let identity = source.identify(url)?;
        let (bytes, version) = (identity.bytes, identity.version.clone());
        Ok(Self {
            url: url.clone(),
            bytes,
            version,
            windows: ReadAhead::new(source, url.clone(), identity, limits),
        })
    }

    /// Its length.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Its entity tag or, if the server has none, the time of its last change.
    #[must_use]
    pub fn version(&self) -> &str {
        &self.version
    }

    /// Reads bytes from offset `at` into `buffer`. Returns the number of bytes read, which is 0 only at the
    /// end of the object or if the buffer is empty. A short read does not mean the end.
    ///
    /// # Errors
    ///
    /// Fails if the range cannot be read, or the object has changed. The inner error is an [`Error`].
    pub fn read_at(&self, buffer: &mut [u8], at: u64) -> io::Result<usize> {
        Ok(self.windows.read_at(buffer, at)?)
    }

    /// Writes the whole object to `out`, one request after the other.
    ///
    /// # Memory
    ///
    /// Holds 8 MiB in memory while it copies, and frees it at the end.
    ///
    /// # Errors
    ///
    /// Fails in the same cases as [`read_at`](Self::read_at), or if `out` cannot be written.
    pub fn copy_to(&self, out: &mut impl Write) -> io::Result<()> {
        let mut at = 0;
        while at < self.bytes {
            let end = self.bytes.min(at + PIECE_BYTES);
            out.write_all(&self.windows.fetch(&(at..end))?)?;
            at = end;
        }
        Ok(())
    }
}

impl std::fmt::Debug for Object {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Object")
            .field("url", &self.url)
            .field("bytes", &self.bytes)
            .finish_non_exhaustive()
    }
}
