//! What tests of this crate share: a process that is killed at a chosen system call, a call that fails, a
//! kernel that cannot exchange names, and a file system without locks.

use std::{cell::Cell, io, path::Path};

thread_local! {
    /// Calls that still succeed. All later ones fail, as if the process were dead. With `None`, all
    /// succeed.
    static CALLS_LEFT: Cell<Option<u32>> = const { Cell::new(None) };
    /// How many calls succeed before the one call that fails.
    static CALLS_BEFORE_FAILURE: Cell<Option<u32>> = const { Cell::new(None) };
    static EXCHANGE_IS_MISSING: Cell<bool> = const { Cell::new(false) };
    static LOCKS_ARE_MISSING: Cell<bool> = const { Cell::new(false) };
}

/// Whether the call may happen.
pub(crate) fn point(call: &'static str) -> io::Result<()> {
    let before = CALLS_BEFORE_FAILURE.get();
    CALLS_BEFORE_FAILURE.set(before.and_then(|before| before.checked_sub(1)));
    if before == Some(0) {
        return Err(io::Error::other(format!("failed: {call}")));
    }
    match CALLS_LEFT.get() {
        None => Ok(()),
        Some(0) => Err(io::Error::other(format!("killed before {call}"))),
        Some(left) => {
            CALLS_LEFT.set(Some(left - 1));
            Ok(())
        }
    }
}

/// Runs `work` like a process that is killed after `calls` system calls. Returns whether it reached its end.
pub(crate) fn killed_after<T>(calls: u32, work: impl FnOnce() -> T) -> bool {
    CALLS_LEFT.set(Some(calls));
    drop(work());
    let left = CALLS_LEFT.take();
    left > Some(0)
}

/// Runs `work`; the call after `calls` others fails, but no later one does. Also returns whether that call
/// was reached.
pub(crate) fn failing_after<T>(calls: u32, work: impl FnOnce() -> T) -> (T, bool) {
    CALLS_BEFORE_FAILURE.set(Some(calls));
    let done = work();
    (done, CALLS_BEFORE_FAILURE.take().is_none())
}

pub(crate) fn exchange_is_missing() -> bool {
    EXCHANGE_IS_MISSING.get()
}

/// Runs `work` with a kernel that cannot exchange names.
pub(crate) fn without_exchange<T>(work: impl FnOnce() -> T) -> T {
    EXCHANGE_IS_MISSING.set(true);
    let done = work();
    EXCHANGE_IS_MISSING.set(false);
    done
}

pub(crate) fn locks_are_missing() -> bool {
    LOCKS_ARE_MISSING.get()
}

/// Runs `work` on a file system without locks.
pub(crate) fn without_locks<T>(work: impl FnOnce() -> T) -> T {
    LOCKS_ARE_MISSING.set(true);
    let done = work();
    LOCKS_ARE_MISSING.set(false);
    done
}

/// The names in a folder, sorted.
pub(crate) fn names(dir: &Path) -> Vec<String> {
    let mut names: Vec<_> =
        dir.read_dir().unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}
