//! Ends the process with a message and exit code 1 when the system has no more memory. Returns large blocks
//! to the system when they are freed.
//!
//! Rust's libraries abort the process when memory runs out, and stable Rust has no hook to report it better.
//! The binary's allocator is therefore the system's allocator with one check added. A process that ends here
//! leaves the same files as one that is killed: no half-written file has its final name.

use std::{
    alloc::{GlobalAlloc, Layout, System},
    fmt,
    io::{self, Write as _},
    panic, process,
    sync::atomic::{AtomicBool, Ordering::Relaxed},
    thread,
    time::Duration,
};

#[global_allocator]
static SYSTEM: OrExit = OrExit;

/// The system's allocator, which ends the process if an allocation fails.
struct OrExit;

#[expect(unsafe_code, reason = "a global allocator is unsafe to write; this one passes every call on")]
// SAFETY: every call is passed on to the system's allocator, with the caller's arguments and guarantees.
unsafe impl GlobalAlloc for OrExit {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller guarantees what the system's allocator needs.
        given(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        given(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, bytes: usize) -> *mut u8 {
        // SAFETY: as above.
        given(unsafe { System.realloc(memory, layout, bytes) }, bytes)
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(memory, layout) }
    }
}

/// Blocks of at least this many bytes are each mapped separately. Frequently allocated blocks are smaller.
#[cfg(target_env = "gnu")]
const MAPPED_BYTES_LEAST: libc::c_int = 2 << 20;

/// Free memory at the end of a heap is returned to the system when there is at least this much of it.
///
/// A buffer that is freed and allocated again a moment later would otherwise be returned each time, and the
/// system would have to clear its pages again. The GNU allocator starts with 128 KiB and raises that number
/// by itself, but not once a program has set the threshold above (mallopt(3)).
#[cfg(target_env = "gnu")]
const TRIMMED_BYTES_LEAST: libc::c_int = 8 << 20;

/// Makes the allocator return large blocks to the system as soon as they are freed.
///
/// By default, the GNU allocator raises its threshold for such blocks to the size of the largest one freed so
/// far, up to 32 MiB. The allocator takes smaller blocks from heaps, one for each thread. Free memory between
/// two used blocks of a heap is not returned to the system. With very long games, such free memory makes up a
/// third to a half of the memory that the process uses.
pub(crate) fn return_large_blocks() {
    #[cfg(target_env = "gnu")]
    #[expect(unsafe_code, reason = "the allocator has no other interface")]
    // SAFETY: each call changes a number within the allocator, under its own lock.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, MAPPED_BYTES_LEAST);
        libc::mallopt(libc::M_TRIM_THRESHOLD, TRIMMED_BYTES_LEAST);
    }
}

#[inline]
fn given(memory: *mut u8, bytes: usize) -> *mut u8 {
    if memory.is_null() {
        exit(format_args!("{bytes} bytes"));
    }
    memory
}

/// The messages with which libraries panic when an allocation fails, each with a description of the memory
/// that was requested. zstd requests memory for its objects, and the standard library requests a signal stack
/// for each new thread.
const REFUSED: [(&str, &str); 3] = [
    ("zstd returned null pointer", "memory for zstd"),
    ("failed to allocate an alternative stack", "memory for a thread"),
    ("failed to set up alternative stack guard page", "memory for a thread"),
];

/// Makes the process end with the usual message and exit code for a lack of memory if a library panics
/// because an allocation failed. A panic that becomes an error is not printed.
pub(crate) fn end_where_libraries_have_none() {
    let others = panic::take_hook();
    panic::set_hook(Box::new(move |panic| {
        let text = panic.payload_as_str().unwrap_or_default();
        if let Some((_, what)) = REFUSED.iter().find(|(refused, _)| text.contains(refused)) {
            exit(format_args!("{what}"));
        }
        if !pages::is_guarded() {
            others(panic);
        }
    }));
}

/// Reports what the system refused, without allocating memory, and ends the process.
#[cold]
fn exit(what: fmt::Arguments<'_>) -> ! {
    static IS_SAID: AtomicBool = AtomicBool::new(false);
    while IS_SAID.swap(true, Relaxed) {
        // Another thread is already printing the message and will end the process.
        thread::sleep(Duration::from_secs(1));
    }
    let mut message = [0; 200];
    let mut rest = &mut message[..];
    // Errors are ignored: the buffer is large enough, and if standard error is closed, nothing can be
    // reported.
    writeln!(
        rest,
        "tabia: out of memory: the system refused {what}; give a smaller --memory or fewer --threads, or allow the process more (ulimit -v)"
    )
    .ok();
    let left = rest.len();
    io::stderr().write_all(&message[..message.len() - left]).ok();
    process::exit(1)
}
