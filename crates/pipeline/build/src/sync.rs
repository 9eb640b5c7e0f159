//! Locks as the queues between threads take them. Tests compile those queues with a model checker's in their
//! place (`tests/interleavings.rs`).

pub(crate) use std::sync::{Condvar, Mutex, MutexGuard};
