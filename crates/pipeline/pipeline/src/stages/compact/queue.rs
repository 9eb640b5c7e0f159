//! A queue for pieces that several threads make from shards and a single thread takes in the order of the
//! shards.

use std::{collections::VecDeque, sync::PoisonError};

use crate::sync::{Condvar, Mutex, MutexGuard};

/// Pieces of shards. Makers start shards in order, and each works on one shard at a time. A single taker
/// receives the pieces, shard after shard.
///
/// A thread that must wait does so on `changed`, and does not hold the lock while it waits. So a maker that
/// fails can always take the lock and wake all threads.
///
/// # Memory
///
/// At most `pieces_max` pieces wait at any time. If none of them belongs to the shard whose turn it is, one
/// piece of that shard may be added to them. So the maker of that shard never waits for other makers, and
/// some thread can always proceed.
pub(crate) struct ShardQueue<T> {
    state: Mutex<State<T>>,
    /// Signalled at every change of state that a thread may be waiting for.
    changed: Condvar,
    shards: u32,
    pieces_max: usize,
}

struct State<T> {
    /// The first shard that no maker has begun.
    next: u32,
    /// The shards that have been started but not fully taken. The taker takes pieces from the first of these
    /// shards.
    begun: VecDeque<ShardPieces<T>>,
    /// The number of waiting pieces in all shards.
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

    /// Begins the next shard and returns its number, or `None` if no shard is left or the work is stopped.
    pub(crate) fn begin(&self) -> Option<u32> {
        let mut state = self.lock();
        if state.is_stopped || state.next == self.shards {
            return None;
        }
        state.next += 1;
        state.begun.push_back(ShardPieces { pieces: VecDeque::new(), is_whole: false });
        Some(state.next - 1)
    }

    /// Adds the next piece of a shard that the caller has begun. Blocks while too many pieces are waiting.
    /// Returns `false` if the work is stopped.
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

    /// Marks a shard that the caller has begun as complete.
    pub(crate) fn end(&self, shard: u32) {
        let mut state = self.lock();
        let place = state.place(shard);
        state.begun[place].is_whole = true;
        self.changed.notify_all();
    }

    /// Waits for the next piece in the order of the shards; `None` after the last piece or if the work is
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
                    // The taker moves on to the next shard. The maker of that shard may be waiting for its
                    // turn.
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
