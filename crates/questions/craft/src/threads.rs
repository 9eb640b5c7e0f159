//! Makes pools of threads.

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::{Error, Result};

/// A pool of `threads` threads.
///
/// # Errors
///
/// Fails if the system cannot start a thread.
pub(crate) fn pool(threads: usize) -> Result<ThreadPool> {
    Ok(ThreadPoolBuilder::new().num_threads(threads).build().map_err(Error::from)?)
}
