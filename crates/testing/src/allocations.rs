//! Counts what a test program allocates.

#![expect(unsafe_code, reason = "a global allocator that counts")]

use std::{
    alloc::{GlobalAlloc, Layout, System},
    sync::atomic::{AtomicU64, Ordering::Relaxed},
};

/// A `#[global_allocator]` that counts a program's allocations and passes them on to the system's allocator.
#[derive(Debug, Default)]
pub struct CountingAllocator {
    calls: AtomicU64,
}

impl CountingAllocator {
    /// An allocator that has not been called yet.
    #[must_use]
    pub const fn new() -> Self {
        Self { calls: AtomicU64::new(0) }
    }

    /// The number of allocations so far, on all threads.
    pub fn calls(&self) -> u64 {
        self.calls.load(Relaxed)
    }
}

// SAFETY: passes every call unchanged to the system's allocator.
unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        self.calls.fetch_add(1, Relaxed);
        // SAFETY: the caller upholds the contract of `GlobalAlloc::alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the pointer came from `alloc` above, which called the system's allocator with this layout.
        unsafe { System.dealloc(pointer, layout) }
    }
}
