//! Puts batches back in the order of their numbers. Threads may finish the batches in any order.

use std::{collections::BTreeMap, sync::PoisonError};

use crate::sync::{Condvar, Mutex, MutexGuard};

/// A consumer behind a lock, and the batches that are waiting for their turn.
///
/// The consumer gets batches in the order of their numbers. A thread that queues the batch with the next
/// number passes this batch to the consumer, followed by the batches with the numbers directly after it if
/// they are already queued. A thread that has the next batch never waits, so the consumer continues to get
/// batches unless the work is aborted.
pub(super) struct Turns<B, T> {
    state: Mutex<State<B, T>>,
    /// Signalled when the consumer has taken a batch, or when the work is aborted.
    moved: Condvar,
}

struct State<B, T> {
    taker: T,
    /// Batches that were queued before their turn, indexed by number.
    early: BTreeMap<u64, B>,
    /// The number of the batch whose turn it is.
    next: u64,
    is_aborted: bool,
}

impl<B, T> Turns<B, T> {
    pub(super) fn new(taker: T) -> Self {
        let state = State { taker, early: BTreeMap::new(), next: 0, is_aborted: false };
        Self { state: Mutex::new(state), moved: Condvar::new() }
    }

    /// Blocks while `ahead` or more batches with lower numbers have not been given to the consumer. Then
    /// queues the batch, and calls `give` with every batch whose turn has come. Returns `Ok(false)` if the
    /// work has been aborted, for example because `give` has failed.
    pub(super) fn put<E>(
        &self,
        (number, batch): (u64, B),
        ahead: u64,
        mut give: impl FnMut(&mut T, B) -> Result<(), E>,
    ) -> Result<bool, E> {
        let mut state = self.lock();
        while !state.is_aborted && number >= state.next + ahead {
            state = self.moved.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        if state.is_aborted {
            return Ok(false);
        }
        state.early.insert(number, batch);
        loop {
            let next = state.next;
            let Some(batch) = state.early.remove(&next) else { return Ok(true) };
            state.next += 1;
            let given = give(&mut state.taker, batch);
            // A consumer that has failed receives no more batches.
            state.is_aborted |= given.is_err();
            self.moved.notify_all();
            given?;
        }
    }

    /// Aborts the work because a thread has failed, and lets all waiting threads return.
    pub(super) fn abort(&self) {
        self.lock().is_aborted = true;
        self.moved.notify_all();
    }

    /// Returns the consumer. All batches must have been queued before.
    pub(super) fn into_taker(self) -> T {
        self.state.into_inner().unwrap_or_else(PoisonError::into_inner).taker
    }

    /// If the lock is poisoned, the consumer has panicked. The work is then aborted, and the consumer
    /// receives no more batches.
    fn lock(&self) -> MutexGuard<'_, State<B, T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
