//! The locks that the queues between threads use. Tests compile those queues with the locks of a model
//! checker instead (`tests/interleavings.rs`).

pub(crate) use std::sync::{Condvar, Mutex, MutexGuard};
