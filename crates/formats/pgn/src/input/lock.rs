//! Locks for data that several workers share.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks `mutex`, even if it is poisoned. The thread that panicked has already reported the panic, and data
/// that this thread left inconsistent is not used again.
pub(crate) fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
