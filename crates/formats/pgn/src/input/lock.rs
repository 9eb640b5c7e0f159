//! Locks for data that several workers share.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Takes a lock, even after a panic: the thread that panicked has reported it, and data that it left in an
/// inconsistent state is not used again.
pub(crate) fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
