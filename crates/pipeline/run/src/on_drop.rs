//! Work to be done when a thread ends, even if it panics.

/// Runs a closure when dropped, even during a panic. After success, `std::mem::forget` can be called on this
/// value, so that the closure never runs.
pub struct OnDrop<F: Fn()>(pub F);

impl<F: Fn()> Drop for OnDrop<F> {
    fn drop(&mut self) {
        (self.0)();
    }
}
