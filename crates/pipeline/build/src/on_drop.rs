//! What is done however a thread leaves.

/// Runs a closure when dropped, also while the thread panics; `std::mem::forget` where all went well.
pub(crate) struct OnDrop<F: Fn()>(pub(crate) F);

impl<F: Fn()> Drop for OnDrop<F> {
    fn drop(&mut self) {
        (self.0)();
    }
}
