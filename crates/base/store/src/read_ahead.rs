//! Reads an object at any offset, with few requests.

use std::{
    ops::Range,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread,
};

use bytes::Bytes;

pub(crate) use crate::windows::Limits;
use crate::{
    Error, Url,
    remote::{Identity, Source},
    windows::{FetchState, Windows},
};

#[cfg(test)]
mod tests;

/// An object that is read through windows.
pub(crate) struct ReadAhead(Arc<Shared>);

struct Shared {
    source: Arc<dyn Source>,
    url: Url,
    /// The version of the object that was opened.
    identity: Identity,
    /// The lock is never held while a request runs.
    windows: Mutex<Windows>,
    /// Notified when a window has been filled or abandoned.
    settled: Condvar,
}

impl ReadAhead {
    pub(crate) fn new(source: Arc<dyn Source>, url: Url, identity: Identity, limits: Limits) -> Self {
        let windows = Mutex::new(Windows::new(identity.bytes, limits));
        Self(Arc::new(Shared { source, url, identity, windows, settled: Condvar::new() }))
    }

    /// Reads bytes at offset `at` and returns their number, which is 0 only at the end or if the buffer is
    /// empty.
    pub(crate) fn read_at(&self, buffer: &mut [u8], at: u64) -> Result<usize, Error> {
        if buffer.is_empty() || at >= self.0.identity.bytes {
            return Ok(0);
        }
        let (bytes, ahead) = self.0.bytes_at(at, buffer.len())?;
        if let Some(range) = ahead {
            let reserved = WindowClaim { shared: Arc::clone(&self.0), range };
            // If a range cannot be fetched ahead, no error is reported, because the range is fetched again
            // when it is read.
            let fetch = move || drop(reserved.fetch());
            let _ = thread::Builder::new().name("read ahead".into()).spawn(fetch);
        }
        buffer[..bytes.len()].copy_from_slice(&bytes);
        Ok(bytes.len())
    }

    /// Fetches a range of the object without keeping it.
    pub(crate) fn fetch(&self, range: &Range<u64>) -> Result<Bytes, Error> {
        self.0.fetch(range)
    }
}

impl Shared {
    fn windows(&self) -> MutexGuard<'_, Windows> {
        self.windows.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns at most `wanted` bytes from offset `at`, and the range to fetch ahead if there is one.
    fn bytes_at(self: &Arc<Self>, at: u64, wanted: usize) -> Result<(Bytes, Option<Range<u64>>), Error> {
        let mut windows = self.windows();
        loop {
            match windows.find(at, wanted) {
                FetchState::Ready(bytes) => return Ok((bytes, windows.begin_ahead(at))),
                FetchState::Pending => {
                    windows = self.settled.wait(windows).unwrap_or_else(PoisonError::into_inner);
                }
                FetchState::Absent => {
                    let reserved = WindowClaim { shared: Arc::clone(self), range: windows.begin(at, wanted) };
                    drop(windows);
                    let bytes = reserved.fetch()?;
                    let mut windows = self.windows();
                    // This call marks the bytes as read. Its result is not used, since other readers may
                    // already have dropped the window.
                    let _ = windows.find(at, wanted);
                    return Ok((bytes.slice(..wanted.min(bytes.len())), windows.begin_ahead(at)));
                }
            }
        }
    }

    /// Fetches a whole range of the version that was opened.
    fn fetch(&self, range: &Range<u64>) -> Result<Bytes, Error> {
        let (bytes, identity) = match self.source.read(&self.url, range.clone()) {
            Ok(answer) => answer,
            // If the object has become shorter, the server refuses a range beyond its end at the first
            // attempt. The version is therefore requested only if there was a single attempt. If there were
            // several attempts, the server is down and could not report the version either.
            Err(error @ Error::Failed { attempts: 1, .. }) => return Err(self.changed().unwrap_or(error)),
            Err(error) => return Err(error),
        };
        let wanted = range.end - range.start;
        if identity != self.identity {
            Err(self.changed_to(&identity))
        } else if bytes.len() as u64 != wanted {
            let (got, start) = (bytes.len(), range.start);
            let reason = format!("expected {wanted} bytes from byte {start} on, but got {got}");
            Err(Error::Failed { url: self.url.to_string(), done: "read", reason, attempts: 1 })
        } else {
            Ok(bytes)
        }
    }

    /// The error if the object has been replaced. `None` if the object is unchanged, or if the store does not
    /// report the object's version.
    fn changed(&self) -> Option<Error> {
        let identity = self.source.identify(&self.url).ok()?;
        (identity != self.identity).then(|| self.changed_to(&identity))
    }

    fn changed_to(&self, identity: &Identity) -> Error {
        let reason = format!("it was {}, and is {identity}", self.identity);
        Error::Changed { url: self.url.to_string(), reason }
    }
}

/// A window that is being fetched. If this value is dropped before the window is filled, the window is
/// abandoned, so that no reader waits for it in vain.
struct WindowClaim {
    shared: Arc<Shared>,
    range: Range<u64>,
}

impl WindowClaim {
    fn fetch(self) -> Result<Bytes, Error> {
        let bytes = self.shared.fetch(&self.range)?;
        self.shared.windows().fill(&self.range, bytes.clone());
        Ok(bytes)
    }
}

impl Drop for WindowClaim {
    fn drop(&mut self) {
        self.shared.windows().abandon(&self.range);
        self.shared.settled.notify_all();
    }
}
