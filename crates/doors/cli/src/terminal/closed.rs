//! Whether standard output was closed when the process began.
//!
//! Before `main`, Rust's runtime opens `/dev/null` in place of a standard stream that is closed. Output would
//! then be lost without an error, so the function below checks the stream before the runtime starts.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

static CLOSED: AtomicBool = AtomicBool::new(false);

/// Whether standard output was closed when the process began; always false except on Linux.
pub(super) fn is_closed() -> bool {
    CLOSED.load(Relaxed)
}

#[cfg(target_os = "linux")]
extern "C" fn look() {
    let flags = rustix::io::fcntl_getfd(rustix::stdio::stdout());
    CLOSED.store(flags.is_err(), Relaxed);
}

#[cfg(target_os = "linux")]
#[expect(unsafe_code, reason = "only what the linker lists here runs before the runtime")]
// SAFETY: the section is a list of pointers to functions of this type, which the C library calls before
// `main`. The function only makes one system call and stores to an atomic, neither of which needs any
// initialization.
#[unsafe(link_section = ".init_array")]
#[used]
static LOOK: extern "C" fn() = look;
