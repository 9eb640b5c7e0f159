//! Puts batches that threads make in any order into the order of their numbers.

use std::{collections::BTreeMap, sync::PoisonError};

use crate::sync::{Condvar, Mutex, MutexGuard};

/// A taker behind a lock, and the batches whose turn has not come.
///
/// The thread that queues the batch whose turn it is passes this batch to the taker, with the early batches
/// that follow it. This thread never waits, so the turn always moves on until the work is aborted.
pub(super) struct Turns<B, T> {
    state: Mutex<State<B, T>>,
    /// Signalled when the turn moves on, or the work is aborted.
    moved: Condvar,
}

struct State<B, T> {
    taker: T,
    /// Batches that came before their turn, by number.
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

    /// Puts a batch into the queue, and calls `give` with each batch whose turn has come. Waits while the
    /// batch is `ahead` or more places behind the one whose turn it is. Returns `Ok(false)` if the work is
    /// aborted; it is aborted when `give` fails.
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
            // A taker that failed gets no further batch.
            state.is_aborted |= given.is_err();
            self.moved.notify_all();
            given?;
        }
    }

    /// Aborts the work because a thread has failed. All threads that wait return.
    pub(super) fn abort(&self) {
        self.lock().is_aborted = true;
        self.moved.notify_all();
    }

    /// Returns the taker, once all batches have been put into the queue.
    pub(super) fn into_taker(self) -> T {
        self.state.into_inner().unwrap_or_else(PoisonError::into_inner).taker
    }

    /// A poisoned lock means that a taker panicked: the work is then aborted, and the taker gets no further
    /// batch.
    fn lock(&self) -> MutexGuard<'_, State<B, T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
