//! Replaying allocates nothing a game and nothing a ply, once its buffers have grown.

use std::fs;

use pgn::{
    input::{LineEnds, games},
    replay::{CountingOptions, Replay},
    verdict::Verdict,
};
use testing::CountingAllocator;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator::new();

/// Replays all games; returns how many were accepted.
fn replay_all(text: &[u8], replay: &mut Replay) -> u64 {
    let accepted = |game: &[u8]| u64::from(matches!(replay.game(game), Verdict::Accepted { .. }));
    games(text, LineEnds::of(text)).map(|game| game.text).map(accepted).sum()
}

#[test]
fn a_second_pass_over_the_sample_allocates_nothing() {
    let text = fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../data/sample.pgn")).unwrap();
    let mut replay = Replay::new(&CountingOptions { max_ply: 0, ..CountingOptions::default() }.into());
    let accepted = replay_all(&text, &mut replay);
    assert!(accepted >= 2000, "{accepted} games");
    let before = ALLOCATOR.calls();
    assert_eq!(replay_all(&text, &mut replay), accepted);
    assert_eq!(ALLOCATOR.calls() - before, 0, "allocations in {accepted} games");
}
