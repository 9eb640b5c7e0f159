//! Any bytes as PGN: no panic, and every game is either counted, filtered or rejected.

#![no_main]

use libfuzzer_sys::fuzz_target;
use pgn::{
    input::{LineEnds, PieceKind, games},
    replay::{CountingOptions, Replay},
    verdict::Verdict,
};

fuzz_target!(|data: &[u8]| {
    let mut replay = Replay::new(&CountingOptions { from_position: true, ..CountingOptions::default() }.into());
    for piece in games(data, LineEnds::of(data)).filter(|piece| piece.kind == PieceKind::Game) {
        let verdict = replay.game(piece.text);
        let counted = matches!(verdict, Verdict::Accepted { .. });
        assert_eq!(counted, replay.observations().len() > 0, "{verdict:?}");
    }
});
