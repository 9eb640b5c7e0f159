//! Any bytes as PGN: no panic, and every game is either counted, filtered or rejected.

#![no_main]

use libfuzzer_sys::fuzz_target;
use pgn::{
    input::{LineEnds, PieceKind, games},
    replay::{Replay, ReplayOptions},
    verdict::Verdict,
};

fuzz_target!(|data: &[u8]| {
    let mut replay = Replay::new(&ReplayOptions { from_position: true, ..ReplayOptions::default() });
    for piece in games(data, LineEnds::of(data)).filter(|piece| piece.kind == PieceKind::Game) {
        let verdict = replay.game(piece.text);
        let counted = matches!(verdict, Verdict::Accepted { .. });
        assert_eq!(counted, replay.observations().len() > 0, "{verdict:?}");
    }
});
