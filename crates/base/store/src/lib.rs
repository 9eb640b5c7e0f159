//! Files in object stores, by URL: `s3://`, `gs://`, `az://`.
//!
//! A [`Url`] names an object. [`Object`] reads an object at any offset, with few requests; [`put_file`],
//! [`put_file_once`], [`put`], [`put_new`], [`put_over`], [`get`], [`version`], [`delete`], [`delete_all`],
//! [`list`] and [`exists`] do what their names say. All of these calls block.
//!
//! The clients are compiled only with the feature `object-store`; without it, every operation fails with
//! [`Error::NotBuilt`]. Credentials, endpoints and regions come only from the environment, and no message
//! contains them. The variables are `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, `AWS_REGION`,
//! `AWS_ENDPOINT_URL`, `AWS_ALLOW_HTTP`, `GOOGLE_SERVICE_ACCOUNT`, `AZURE_STORAGE_ACCOUNT_NAME`,
//! `AZURE_STORAGE_ACCOUNT_KEY`, and the other variables that the crate `object_store` reads. Without
//! credentials, the machine's role is used.
//!
//! # Flow
//!
//! 1. The bucket's client is created when the bucket is first used, and is kept until the process ends.
//! 2. [`Object::open`] asks the store for the object's length and version. Each later answer must be for the
//!    same version.
//! 3. [`Object::read_at`] returns bytes from windows of the object; sequential readers get larger and larger
//!    windows.
//! 4. Stores guarantee that a written object appears complete or not at all.
//!
//! # Example
//!
//! ```
//! let url: store::Url = "s3://games/2013/lichess.pgn".parse()?;
//! assert_eq!(url.file_name(), Some("lichess.pgn"));
//! assert_eq!(url.parent().unwrap().join("kingbase.pgn")?.to_string(), "s3://games/2013/kingbase.pgn");
//! assert!(!store::is_url("games/2013/lichess.pgn"));
//! # Ok::<(), store::Error>(())
//! ```

#[cfg(feature = "object-store")]
mod cloud;
mod error;
mod object;
mod read_ahead;
#[cfg(feature = "object-store")]
mod reason;
mod remote;
#[cfg(test)]
mod testing;
mod url;
mod windows;

use std::path::Path;

pub use error::Error;
pub use object::Object;
pub use remote::ObjectVersion;
use remote::remote_of;
pub use url::{Scheme, Url, is_url, url_of};

/// Copies the file `local` to `url`. The object appears complete at the end, or not at all. An existing
/// object is replaced.
///
/// # Memory
///
/// Holds a few parts of at least 8 MiB each in memory.
///
/// # Errors
///
/// Fails if the file cannot be read or is truncated during the copy, or if the store refuses the object.
pub fn put_file(local: &Path, url: &Url) -> Result<(), Error> {
    remote_of(url)?.put_file(local, url)
}

/// Copies the file `local` to `url`, unless an earlier call has already written an object with the same
/// length and checksum there. The checksum is stored with the object.
///
/// A small file is sent with a condition: the store writes the object only if there is none yet. A large file
/// is sent in parts, and `object_store` cannot complete such an upload conditionally. The object is therefore
/// checked before and after the upload, and all writers of a URL must write the same bytes.
///
/// # Memory
///
/// As [`put_file`].
///
/// # Errors
///
/// Fails with [`Error::Different`] if a different object is there; otherwise, fails with the same errors as
/// [`put_file`].
pub fn put_file_once(local: &Path, url: &Url, xxh3: &str) -> Result<(), Error> {
    remote_of(url)?.put_file_once(local, url, xxh3)
}

/// Writes `bytes` to `url`. The object appears complete or not at all. An existing object is replaced.
///
/// # Errors
///
/// Fails if the store refuses the object.
pub fn put(url: &Url, bytes: Vec<u8>) -> Result<(), Error> {
    remote_of(url)?.put(url, bytes)
}

/// Writes `bytes` to `url` if there is no object yet. Returns `true` if the object now consists of `bytes`,
/// whether this attempt or an earlier one wrote it. If several writers try at once, the store decides which
/// of them wins.
///
/// # Errors
///
/// Fails if the store refuses the object for any reason other than that an object already exists.
pub fn put_new(url: &Url, bytes: Vec<u8>) -> Result<bool, Error> {
    remote_of(url)?.put_new(url, bytes)
}

/// Reads all bytes of an object.
///
/// # Errors
///
/// Fails if there is no such object, or it cannot be read.
pub fn get(url: &Url) -> Result<Vec<u8>, Error> {
    remote_of(url)?.get(url)
}

/// The current version of the object at `url`; `None` if there is no object.
///
/// # Errors
///
/// Fails if the store does not answer.
pub fn version(url: &Url) -> Result<Option<ObjectVersion>, Error> {
    remote_of(url)?.version(url)
}

/// Writes `bytes` over the version `old` of an object. Returns whether the object now consists of `bytes`:
/// `false` means that another version had already replaced `old`. The object exists at every moment of the
/// replacement.
///
/// # Errors
///
/// Fails if the store refuses the object for any reason other than that `old` has been replaced.
pub fn put_over(url: &Url, bytes: Vec<u8>, old: &ObjectVersion) -> Result<bool, Error> {
    remote_of(url)?.put_over(url, bytes, old)
}

/// Removes an object. It is not an error if the object does not exist.
///
/// # Errors
///
/// Fails if the store cannot remove the object.
pub fn delete(url: &Url) -> Result<(), Error> {
    delete_all(std::slice::from_ref(url))
}

/// Removes objects from one bucket, several at a time. It is not an error if some of them do not exist.
///
/// # Errors
///
/// Fails if the store cannot remove one or more of the objects.
pub fn delete_all(urls: &[Url]) -> Result<(), Error> {
    urls.first().map_or(Ok(()), |first| remote_of(first)?.delete(urls))
}

/// Lists all objects below `prefix`, at any depth, sorted by name. Returns their names relative to `prefix`,
/// and their sizes in bytes. The list is empty if there are no objects.
///
/// # Errors
///
/// Fails if there is no such bucket, or listing it is not permitted.
pub fn list(prefix: &Url) -> Result<Vec<(String, u64)>, Error> {
    remote_of(prefix)?.list(prefix)
}

/// Whether there is an object at `url`. Objects that merely have `url` as a prefix do not count; see
/// [`list`].
///
/// # Errors
///
/// Fails if the store does not answer. If the bucket is missing, the result is `false`.
pub fn exists(url: &Url) -> Result<bool, Error> {
    match remote_of(url)?.identify(url) {
        Ok(_) => Ok(true),
        Err(Error::Missing { .. }) => Ok(false),
        Err(error) => Err(error),
    }
}

#[cfg(all(test, not(feature = "object-store")))]
mod tests {
    use super::*;

    #[test]
    fn every_url_is_refused_without_clients() {
        let url: Url = "s3://bucket/key".parse().unwrap();
        let refused = "s3://bucket/key: this tabia was built without support for object stores; build it with --features object-store";
        assert_eq!(Object::open(&url).unwrap_err().to_string(), refused);
        assert_eq!(get(&url).unwrap_err().to_string(), refused);
        assert_eq!(list(&url).unwrap_err().to_string(), refused);
        assert_eq!(exists(&url).unwrap_err().to_string(), refused);
        assert_eq!(put_file(Path::new("part"), &url).unwrap_err().to_string(), refused);
    }
}
