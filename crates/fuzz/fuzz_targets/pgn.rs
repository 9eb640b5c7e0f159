//! Any bytes as PGN: no panic, every game is either counted, filtered or rejected, and a game that counts by
//! strict reading counts alike by lenient reading.

#![no_main]

use libfuzzer_sys::fuzz_target;
use pgn::{
    input::{LineEnds, PieceKind, games},
    replay::{CountingOptions, Replay, TextOptions},
    verdict::Verdict,
};

fuzz_target!(|data: &[u8]| {
    let reader = |strict_san| {
        let text = TextOptions { strict_san, ..TextOptions::default() };
        Replay::new(&CountingOptions { from_position: true, text, ..CountingOptions::default() }.into())
    };
    let (mut replay, mut strict) = (reader(false), reader(true));
    for piece in games(data, LineEnds::of(data)).filter(|piece| piece.kind == PieceKind::Game) {
        let verdict = replay.game(piece.text);
        let counted = matches!(verdict, Verdict::Accepted { .. });
        assert_eq!(counted, replay.observations().len() > 0, "{verdict:?}");
        let strictly = strict.game(piece.text);
        if let Verdict::Accepted { .. } = strictly {
            assert_eq!(strictly, verdict);
            assert!(strict.observations().eq(replay.observations()));
        }
    }
});
