//! Locks for data that several workers share.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Takes a lock, even if it is poisoned: the panic has been reported by its thread, and data that it left
/// inconsistent is not used again.
pub(crate) fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
