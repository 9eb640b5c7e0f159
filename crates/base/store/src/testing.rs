//! An object in memory that counts its requests.

use std::{
    ops::Range,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

use bytes::Bytes;

use crate::{
    Error, Object, Url,
    read_ahead::Limits,
    remote::{Identity, Source},
};

/// The byte at an offset. No two ranges of 64 KiB are equal.
pub(crate) fn byte_at(at: u64) -> u8 {
    (at ^ at >> 8 ^ at >> 16) as u8
}

pub(crate) fn url() -> Url {
    "s3://bucket/games.pgn".parse().unwrap()
}

/// An object of a given length. Its methods that write fail.
pub(crate) struct Counted {
    pub(crate) bytes: Mutex<u64>,
    pub(crate) version: Mutex<String>,
    pub(crate) requests: Mutex<Vec<Range<u64>>>,
    /// The number of attempts after which reading fails; 0 if it does not fail.
    pub(crate) fails_after: AtomicUsize,
}

impl Counted {
    pub(crate) fn new(bytes: u64) -> Arc<Self> {
        Arc::new(Self {
            bytes: Mutex::new(bytes),
            version: Mutex::new("1".into()),
            requests: Mutex::default(),
            fails_after: AtomicUsize::new(0),
        })
    }

    pub(crate) fn open(self: &Arc<Self>, cores: u64) -> Object {
        Object::open_in(Arc::clone(self) as _, &url(), Limits::of_cores(cores)).unwrap()
    }

    pub(crate) fn requests(&self) -> Vec<Range<u64>> {
        self.requests.lock().unwrap().clone()
    }

    fn failed<T>(attempts: usize) -> Result<T, Error> {
        Err(Error::Failed { url: url().to_string(), done: "read", reason: "for the test".into(), attempts })
    }
}

impl Source for Counted {
    fn identify(&self, _url: &Url) -> Result<Identity, Error> {
        Ok(Identity { bytes: *self.bytes.lock().unwrap(), version: self.version.lock().unwrap().clone() })
    }

    fn read(&self, url: &Url, range: Range<u64>) -> Result<(Bytes, Identity), Error> {
        self.requests.lock().unwrap().push(range.clone());
        let identity = self.identify(url)?;
        match self.fails_after.load(Ordering::SeqCst) {
            0 if range.end <= identity.bytes => {}
            attempts => return Self::failed(attempts.max(1)),
        }
        Ok((range.map(byte_at).collect::<Vec<_>>().into(), identity))
    }
}
