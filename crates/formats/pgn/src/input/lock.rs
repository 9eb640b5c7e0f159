//! Locks of what several workers share.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks, also after a panic: the thread that panicked has reported it, and what it left half done is not
/// used again.
pub(crate) fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
