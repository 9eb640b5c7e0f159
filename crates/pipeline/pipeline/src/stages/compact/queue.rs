//! A queue for parts of shards. Several producer threads make the parts, and a single consumer thread takes
//! them in the order of the shards.

use std::{collections::VecDeque, sync::PoisonError};

use crate::sync::{Condvar, Mutex, MutexGuard};

/// A queue for parts of shards. Producers start the shards in ascending order, and each producer works on one
/// shard at a time. A single consumer receives the parts, shard after shard.
///
/// A thread that must wait does so on `changed`, and does not hold the lock while it waits. A producer that
/// fails can therefore always take the lock and wake all threads.
///
/// # Memory
///
/// At most `pieces_max` parts wait in the queue at any time, with one exception: if no part of the shard that
/// the consumer needs next is waiting, one part of that shard may be added beyond this limit. The producer of
/// that shard therefore never waits for other producers, and some thread can always proceed.
pub(crate) struct ShardQueue<T> {
    state: Mutex<State<T>>,
    /// Signalled at every change of state that a thread may be waiting for.
    changed: Condvar,
    shards: u32,
    pieces_max: usize,
}

struct State<T> {
    /// The first shard that no producer has started.
    next: u32,
    /// The shards that have been started, and from which the consumer has not yet taken all parts. The
    /// consumer takes parts from the first of these shards.
    begun: VecDeque<ShardPieces<T>>,
    /// The number of parts that wait in the queue, over all shards.
    waiting: usize,
    is_stopped: bool,
}

struct ShardPieces<T> {
    pieces: VecDeque<T>,
    is_whole: bool,
}

impl<T> State<T> {
    /// The index of `shard` in `begun`, which must contain it.
    fn place(&self, shard: u32) -> usize {
        self.begun.len() - (self.next - shard) as usize
    }
}

impl<T> ShardQueue<T> {
    pub(crate) fn new(shards: u32, pieces_max: usize) -> Self {
        let state = State { next: 0, begun: VecDeque::new(), waiting: 0, is_stopped: false };
        Self { state: Mutex::new(state), changed: Condvar::new(), shards, pieces_max }
    }

    /// Starts the next shard and returns its number, or `None` if no shard is left or the work is stopped.
    pub(crate) fn begin(&self) -> Option<u32> {
        let mut state = self.lock();
        if state.is_stopped || state.next == self.shards {
            return None;
        }
        state.next += 1;
        state.begun.push_back(ShardPieces { pieces: VecDeque::new(), is_whole: false });
        Some(state.next - 1)
    }

    /// Adds the next part of a shard that the caller has started. Blocks while the queue is full. Returns
    /// `false` if the work is stopped.
    pub(crate) fn push(&self, shard: u32, piece: T) -> bool {
        let mut state = self.lock();
        loop {
            if state.is_stopped {
                return false;
            }
            let place = state.place(shard);
            let is_awaited = place == 0 && state.begun[0].pieces.is_empty();
            if is_awaited || state.waiting < self.pieces_max {
                state.begun[place].pieces.push_back(piece);
                state.waiting += 1;
                self.changed.notify_all();
                return true;
            }
            state = self.wait(state);
        }
    }

    /// Marks a shard as complete. The caller must have started this shard.
    pub(crate) fn end(&self, shard: u32) {
        let mut state = self.lock();
        let place = state.place(shard);
        state.begun[place].is_whole = true;
        self.changed.notify_all();
    }

    /// Waits for the next part in the order of the shards; `None` after the last part or if the work is
    /// stopped.
    pub(crate) fn take(&self) -> Option<T> {
        let mut state = self.lock();
        loop {
            if state.is_stopped {
                return None;
            }
            if let Some(ShardPieces { pieces, is_whole }) = state.begun.front_mut() {
                if let Some(piece) = pieces.pop_front() {
                    state.waiting -= 1;
                    self.changed.notify_all();
                    return Some(piece);
                }
                if *is_whole {
                    state.begun.pop_front();
                    // The consumer moves on to the next shard. The producer of that shard may be waiting to
                    // add a part.
                    self.changed.notify_all();
                    continue;
                }
            } else if state.next == self.shards {
                return None;
            }
            state = self.wait(state);
        }
    }

    /// Stops the work because a thread has failed, and lets all waiting threads return.
    pub(crate) fn stop(&self) {
        self.lock().is_stopped = true;
        self.changed.notify_all();
    }

    /// Takes the lock even after a panic, since no thread panics while the state is inconsistent.
    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'q>(&self, state: MutexGuard<'q, State<T>>) -> MutexGuard<'q, State<T>> {
        self.changed.wait(state).unwrap_or_else(PoisonError::into_inner)
    }
}
