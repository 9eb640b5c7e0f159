//! What a bucket is asked for, whatever serves it.

use std::{fmt, ops::Range, path::Path, sync::Arc};

use bytes::Bytes;

use crate::{Error, Url};

/// Length and version of an object, as the server reports them.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Identity {
    pub(crate) bytes: u64,
    /// The entity tag, or the time of the last change where the server has none.
    pub(crate) version: String,
}

impl fmt::Display for Identity {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} bytes of version {}", self.bytes, self.version)
    }
}

/// What objects are read from. Every method blocks.
pub(crate) trait Source: Send + Sync {
    /// Length and version of an object.
    fn identify(&self, url: &Url) -> Result<Identity, Error>;

    /// The bytes of a range, which the object has, and what the answer says of the object.
    fn read(&self, url: &Url, range: Range<u64>) -> Result<(Bytes, Identity), Error>;
}

/// A bucket. Every method blocks.
pub(crate) trait Remote: Source {
    fn put_file(&self, local: &Path, url: &Url) -> Result<(), Error>;

    fn put(&self, url: &Url, bytes: Vec<u8>) -> Result<(), Error>;

    fn get(&self, url: &Url) -> Result<Vec<u8>, Error>;

    /// Both are of this bucket.
    fn copy(&self, from: &Url, to: &Url) -> Result<(), Error>;

    fn delete(&self, url: &Url) -> Result<(), Error>;

    fn list(&self, prefix: &Url) -> Result<Vec<(String, u64)>, Error>;
}

/// The client of the bucket of `url`.
#[cfg(feature = "object-store")]
pub(crate) fn remote_of(url: &Url) -> Result<Arc<dyn Remote>, Error> {
    crate::cloud::bucket_of(url)
}

/// There is no client.
#[cfg(not(feature = "object-store"))]
pub(crate) fn remote_of(url: &Url) -> Result<Arc<dyn Remote>, Error> {
    Err(Error::NotBuilt { url: url.to_string() })
}
