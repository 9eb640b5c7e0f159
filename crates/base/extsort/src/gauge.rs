//! Keeps track of the memory that buffers hold.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The number of bytes in use now, and the maximum so far.
#[derive(Debug, Default)]
pub(crate) struct Gauge {
    current_bytes: AtomicU64,
    peak_bytes: AtomicU64,
}

impl Gauge {
    pub(crate) fn add(&self, bytes: u64) {
        let now = self.current_bytes.fetch_add(bytes, Relaxed) + bytes;
        self.peak_bytes.fetch_max(now, Relaxed);
    }

    pub(crate) fn subtract(&self, bytes: u64) {
        self.current_bytes.fetch_sub(bytes, Relaxed);
    }

    pub(crate) fn peak_bytes(&self) -> u64 {
        self.peak_bytes.load(Relaxed)
    }

    /// Adds `bytes` to the memory in use, until the returned lease is dropped.
    pub(crate) fn lease(self: &Arc<Self>, bytes: u64) -> Lease {
        self.add(bytes);
        Lease { gauge: Arc::clone(self), bytes }
    }
}

/// A number of bytes that a [`Gauge`] counts as in use until this value is dropped.
#[derive(Debug)]
pub(crate) struct Lease {
    gauge: Arc<Gauge>,
    bytes: u64,
}

impl Lease {
    /// Moves all bytes into a new lease and leaves this one empty.
    pub(crate) fn take(&mut self) -> Self {
        Self { gauge: Arc::clone(&self.gauge), bytes: std::mem::take(&mut self.bytes) }
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        self.gauge.subtract(self.bytes);
    }
}
