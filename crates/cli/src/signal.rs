//! Ctrl-C: the first asks the run to stop and clean up, the second ends the process at once.

use std::{
    io,
    sync::{Arc, atomic::AtomicBool},
};

use signal_hook::{consts::TERM_SIGNALS, flag};

const INTERRUPTED: i32 = 130;

/// A flag that the first SIGINT, SIGTERM or SIGQUIT sets.
pub(crate) fn interrupt_flag() -> io::Result<Arc<AtomicBool>> {
    let interrupt = Arc::new(AtomicBool::new(false));
    for &signal in TERM_SIGNALS {
        // In this order: the first signal finds the flag unset and sets it, the next one finds it set.
        flag::register_conditional_shutdown(signal, INTERRUPTED, Arc::clone(&interrupt))?;
        flag::register(signal, Arc::clone(&interrupt))?;
    }
    Ok(interrupt)
}
