//! The limits and folders of a sorter.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::{Error, Result, RunFolder};

/// How to sort: limits, folders, and how the result is divided.
///
/// These options do not affect the rows, only where and when the work is done.
#[derive(Clone, Debug)]
pub struct Options {
    /// The total memory, in bytes, that the sorter may hold, regardless of the number of threads.
    pub memory_bytes: u64,
    /// The maximum number of writers that may be open at once. It is also the maximum number of buckets that
    /// may be open at once while the result is read.
    pub threads: usize,
    /// The number of equal ranges of ids that the result is divided into; a power of two from 1 to 65,536.
    pub buckets: u32,
    /// The folder for run files without names. Because they have no names, none are left behind, no matter
    /// how the process ends.
    pub temp_dir: PathBuf,
    /// The folder that holds the runs as named files, so that another process can resume from them; with
    /// `None`, runs are temporary files without names.
    pub runs: Option<Arc<RunFolder>>,
    /// The maximum number of run files merged at once, at least 2. If there is not enough memory for this
    /// number, fewer are merged at once.
    pub fan_in: usize,
    /// The source of this sorter's runs, a number that the caller chooses. Every segment contains it.
    pub source: u64,
    /// Set by the caller to stop the sorter, which then fails with [`Error::Stopped`].
    pub stop: Arc<AtomicBool>,
}

impl Options {
    /// Options with one bucket, a fan-in of 256, source 0, and the system's directory for temporary files.
    #[must_use]
    pub fn new(memory_bytes: u64, threads: usize) -> Self {
        Self {
            memory_bytes,
            threads,
            buckets: 1,
            temp_dir: std::env::temp_dir(),
            runs: None,
            fan_in: 256,
            source: 0,
            stop: Arc::default(),
        }
    }

    pub(crate) fn check(&self) -> Result<()> {
        let wrong = |name, expected, got| Err(Error::Option { name, expected, got });
        if !self.buckets.is_power_of_two() || self.buckets > 1 << 16 {
            return wrong("buckets", "a power of two from 1 to 65536", self.buckets.to_string());
        }
        if self.threads == 0 {
            return wrong("threads", "at least 1", self.threads.to_string());
        }
        if self.fan_in < 2 {
            return wrong("fan-in", "at least 2", self.fan_in.to_string());
        }
        Ok(())
    }
}
