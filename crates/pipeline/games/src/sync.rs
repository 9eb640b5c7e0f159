//! The locks that the queues between threads use. The tests in
//! `crates/pipeline/pipeline/tests/interleavings.rs` compile the same queues with the locks of a model
//! checker instead.

pub(crate) use std::sync::{Condvar, Mutex, MutexGuard};
