//! A table's folder in a store.
//!
//! A look-up reads only the parts of a file that it needs. A file that is to be read from beginning to end is
//! first copied, with a few large requests, to an unnamed temporary file, because it is read twice: to check
//! it, and then to decode it.

use std::{
    collections::BTreeMap,
    io,
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak},
};

use store::{Object, Url};

use super::{Version, check_length};
use crate::{Error, Result, ShardInfo, file_bytes::FileBytes};

/// How many files are kept open for look-ups; the one that was opened first is closed to make room for
/// another.
const KEPT_OPEN: usize = 8;

/// The objects below a URL.
#[derive(Debug)]
pub(crate) struct StoredVersion {
    url: Url,
    /// The copies that are currently being read, by file name.
    copies: Mutex<BTreeMap<String, Weak<FileBytes>>>,
    opened: Mutex<Vec<(String, Arc<FileBytes>)>>,
}

impl StoredVersion {
    pub(crate) fn new(url: Url) -> Self {
        Self { url, copies: Mutex::default(), opened: Mutex::default() }
    }

    fn path(&self) -> PathBuf {
        self.url.to_string().into()
    }

    fn object(&self, name: &str) -> Result<Object> {
        Ok(Object::open(&self.url.join(name)?)?)
    }

    fn copies(&self) -> MutexGuard<'_, BTreeMap<String, Weak<FileBytes>>> {
        self.copies.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn copy(&self, name: &str) -> Result<FileBytes> {
        let object = self.object(name)?;
        let copied = || -> io::Result<FileBytes> {
            let mut file = tempfile::tempfile()?;
            object.copy_to(&mut file)?;
            FileBytes::new(file)
        };
        copied().map_err(Error::io(&self.path().join(name)))
    }
}

impl Version for StoredVersion {
    fn is_local(&self) -> bool {
        false
    }

    fn read(&self, name: &str) -> Result<Vec<u8>> {
        Ok(store::get(&self.url.join(name)?)?)
    }

    fn open(&self, name: &str) -> Result<Arc<FileBytes>> {
        let mut opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, bytes)) = opened.iter().find(|(known, _)| known == name) {
            return Ok(Arc::clone(bytes));
        }
        let bytes = FileBytes::at(&self.path().join(name))?;
        if opened.len() == KEPT_OPEN {
            opened.remove(0);
        }
        opened.push((name.to_owned(), Arc::clone(&bytes)));
        Ok(bytes)
    }

    fn open_whole(&self, name: &str) -> Result<Arc<FileBytes>> {
        if let Some(copy) = self.copies().get(name).and_then(Weak::upgrade) {
            return Ok(copy);
        }
        let copy = Arc::new(self.copy(name)?);
        self.copies().insert(name.to_owned(), Arc::downgrade(&copy));
        Ok(copy)
    }

    fn open_parts(&mut self, shards: &[ShardInfo], _descriptors: u64) -> Result<()> {
        let there: BTreeMap<String, u64> = store::list(&self.url)?.into_iter().collect();
        shards.iter().try_for_each(|shard| {
            if let Some(bytes) = there.get(&shard.part) {
                return check_length(&self.path(), shard, *bytes);
            }
            let missing = io::Error::new(io::ErrorKind::NotFound, "there is no such object");
            Err(Error::Io { path: self.path().join(&shard.part), source: missing })
        })
    }

    fn part(&self, _index: u32, shard: &ShardInfo) -> Result<Arc<FileBytes>> {
        self.open(&shard.part)
    }

    fn whole_part(&self, _index: u32, shard: &ShardInfo) -> Result<Arc<FileBytes>> {
        self.open_whole(&shard.part)
    }
}
