//! Signals. The first Ctrl-C, or closing the terminal, asks the run to stop and clean up; the second ends the
//! process at once. A write past the file-size limit fails with an error that names the limit.

use std::{
    fs, io,
    sync::{Arc, atomic::AtomicBool},
};

use signal_hook::{
    consts::{SIGHUP, SIGXFSZ, TERM_SIGNALS},
    flag,
    iterator::Signals,
};

const INTERRUPTED: i32 = 130;

/// Returns a flag that is set by the first SIGINT, SIGTERM, SIGQUIT or SIGHUP. SIGHUP has no effect if the
/// process was started with SIGHUP ignored, as under `nohup`.
pub(crate) fn interrupt_flag() -> io::Result<Arc<AtomicBool>> {
    let interrupt = Arc::new(AtomicBool::new(false));
    for signal in interrupts() {
        // The order of these two calls matters: when a signal arrives, the first handler tests the flag, and
        // then the second handler sets it. The first signal finds the flag unset; the next one finds it set,
        // and ends the process.
        flag::register_conditional_shutdown(signal, INTERRUPTED, Arc::clone(&interrupt))?;
        flag::register(signal, Arc::clone(&interrupt))?;
    }
    Ok(interrupt)
}

/// Returns a function that waits for the first signal that asks a run to stop.
pub(crate) fn interrupt_waiter() -> io::Result<impl FnOnce() + Send + 'static> {
    interrupt_flag()?;
    let mut signals = Signals::new(interrupts())?;
    Ok(move || {
        signals.forever().next();
    })
}

/// The signals that ask a run to stop.
fn interrupts() -> impl Iterator<Item = i32> {
    let hangup = (!is_ignored(SIGHUP)).then_some(SIGHUP);
    TERM_SIGNALS.iter().copied().chain(hangup)
}

/// Makes a write past the file-size limit fail (EFBIG), by installing a signal handler that does nothing.
/// Without the handler, the signal would end the process without a message.
pub(crate) fn survive_file_size_limit() -> io::Result<()> {
    flag::register(SIGXFSZ, Arc::default()).map(drop)
}

/// Whether the process ignores a signal. A new process ignores the signals that its parent ignored.
fn is_ignored(signal: i32) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|digits| u64::from_str_radix(digits.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}
