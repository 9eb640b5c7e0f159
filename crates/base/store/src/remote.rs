//! The interface to a bucket, which is the same for every kind of server.

use std::{fmt, ops::Range, path::Path, sync::Arc};

use bytes::Bytes;

use crate::{Error, Url};

/// The length and the version of an object, as the server reports them.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Identity {
    pub(crate) bytes: u64,
    /// The entity tag or, if the server has none, the time of the last change.
    pub(crate) version: String,
}

impl fmt::Display for Identity {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} bytes of version {}", self.bytes, self.version)
    }
}

/// A version of an object, as the server identified it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct ObjectVersion {
    pub(crate) tag: Option<String>,
    /// The number that Google's store assigns to each version.
    pub(crate) generation: Option<String>,
}

/// A source of objects. Every method blocks.
pub(crate) trait Source: Send + Sync {
    /// Returns the length and the version of an object.
    fn identify(&self, url: &Url) -> Result<Identity, Error>;

    /// Reads a range within the object. Returns the bytes of the range, and the object's length and version
    /// as reported in the server's answer.
    fn read(&self, url: &Url, range: Range<u64>) -> Result<(Bytes, Identity), Error>;
}

/// A bucket. Every method blocks.
pub(crate) trait Remote: Source {
    fn put_file(&self, local: &Path, url: &Url) -> Result<(), Error>;

    fn put_file_once(&self, local: &Path, url: &Url, xxh3: &str) -> Result<(), Error>;

    fn put(&self, url: &Url, bytes: Vec<u8>) -> Result<(), Error>;

    /// Writes an object if there is none yet; returns whether the object now consists of `bytes`.
    fn put_new(&self, url: &Url, bytes: Vec<u8>) -> Result<bool, Error>;

    fn get(&self, url: &Url) -> Result<Vec<u8>, Error>;

    /// Writes an object over its version `old`; returns whether the object now consists of `bytes`.
    fn put_over(&self, url: &Url, bytes: Vec<u8>, old: &ObjectVersion) -> Result<bool, Error>;

    fn version(&self, url: &Url) -> Result<Option<ObjectVersion>, Error>;

    /// Removes objects from this bucket, several at a time.
    fn delete(&self, urls: &[Url]) -> Result<(), Error>;

    fn list(&self, prefix: &Url) -> Result<Vec<(String, u64)>, Error>;
}

/// The client for `url`'s bucket.
#[cfg(feature = "object-store")]
pub(crate) fn remote_of(url: &Url) -> Result<Arc<dyn Remote>, Error> {
    crate::cloud::bucket_of(url)
}

/// Fails, since clients are not compiled in.
#[cfg(not(feature = "object-store"))]
pub(crate) fn remote_of(url: &Url) -> Result<Arc<dyn Remote>, Error> {
    Err(Error::NotBuilt(url.to_string()))
}
