//! Replaying allocates nothing a game and nothing a ply, once its buffers have grown.

#![expect(unsafe_code, reason = "a global allocator that counts")]

use std::{
    alloc::{GlobalAlloc, Layout, System},
    fs,
    sync::atomic::{AtomicU64, Ordering::Relaxed},
};

use pgn::{
    input::{LineEnds, games},
    replay::{CountingOptions, Replay},
    verdict::Verdict,
};

/// The system's allocator, with its calls counted.
struct Counting;

static CALLS: AtomicU64 = AtomicU64::new(0);

// SAFETY: every call goes to the system's allocator as it is.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        CALLS.fetch_add(1, Relaxed);
        // SAFETY: the caller keeps to the contract of `GlobalAlloc::alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the pointer came from `alloc` above, which asked the system's allocator with this layout.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Replays all games; how many were accepted.
fn replay_all(text: &[u8], replay: &mut Replay) -> u64 {
    let accepted = |game: &[u8]| u64::from(matches!(replay.game(game), Verdict::Accepted { .. }));
    games(text, LineEnds::of(text)).map(|game| game.text).map(accepted).sum()
}

#[test]
fn a_second_pass_over_the_sample_allocates_nothing() {
    let text = fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/sample.pgn")).unwrap();
    let mut replay = Replay::new(&CountingOptions { max_ply: 0, ..CountingOptions::default() }.into());
    let accepted = replay_all(&text, &mut replay);
    assert!(accepted >= 2000, "{accepted} games");
    let before = CALLS.load(Relaxed);
    assert_eq!(replay_all(&text, &mut replay), accepted);
    assert_eq!(CALLS.load(Relaxed) - before, 0, "allocations in {accepted} games");
}
