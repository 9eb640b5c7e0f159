//! Our board against shakmaty: the same result for every SAN, and the same key after every move, from the
//! board and from the step.

#![no_main]

use libfuzzer_sys::fuzz_target;
use position::{Board, Key, PackedMove};
use shakmaty::{CastlingSide, Chess, File, Position as _, Rank, Role, Square, san::San};

/// Start positions close to pins, promotions, castling and en passant.
const STARTS: [&str; 10] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/pPp2pPp/8/3pP3/3Pp3/8/PpP2PpP/R3K2R w KQkq d6 0 1",
    "r3k2r/pbppqpb1/1n2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "QQQ5/8/7k/N2N3N/8/1N3N2/4r3/4K2R w K - 0 1",
    "4k2r/PPP3P1/8/1b6/8/8/ppp3pp/R3K2R w KQk - 0 1",
    "8/8/8/K2pP2r/8/8/8/7k w - d6 0 1",
    "8/7b/8/4Pp2/4K3/8/8/7k w - f6 0 1",
    "4k3/4r3/8/b6b/1N1B1R2/r2QK2r/3NPN2/2b1q3 w - - 0 1",
    "2q1rk2/1P1P1P2/8/q1r5/1r1pPp2/8/2B3R1/4Q2K b - e3 0 1",
];

fuzz_target!(|data: &[u8]| {
    let Some((start, data)) = data.split_first() else { return };
    let Ok(mut board) = Board::from_fen(STARTS[usize::from(*start) % STARTS.len()]) else { return };
    let mut position = board.position();
    for bytes in data.chunks_exact(4) {
        let san = san([bytes[0], bytes[1], bytes[2], bytes[3]], &position);
        let (before, expected) = (board.key(), san.to_move(&position));
        let got = board.play_san(&san);
        assert_eq!(
            got.clone().map(|ply| ply.mv),
            expected.clone().map(PackedMove::pack),
            "{san} in {board:?}"
        );
        if let Ok(m) = expected {
            position.play_unchecked(m);
        }
        assert_eq!(board.key(), Key::of(&position));
        let after = got.map_or(before, |ply| ply.step.child(before, ply.mv));
        assert_eq!(after, board.key(), "the step of {san} to {board:?}");
    }
});

/// In half of the cases the SAN of a legal move, otherwise any syntactically valid SAN.
fn san(bytes: [u8; 4], position: &Chess) -> San {
    let legal = position.legal_moves();
    if bytes[0] & 1 == 0 && !legal.is_empty() {
        return San::from_move(position, legal[usize::from(bytes[1]) % legal.len()]);
    }
    if bytes[0] & 6 == 6 {
        return San::Castle(CastlingSide::from_king_side(bytes[1] & 1 == 0));
    }
    San::Normal {
        role: Role::ALL[usize::from(bytes[1] % 6)],
        file: (bytes[2] & 1 == 1).then(|| File::new(u32::from(bytes[2] >> 1 & 7))),
        rank: (bytes[2] & 16 == 16).then(|| Rank::new(u32::from(bytes[2] >> 5))),
        capture: bytes[0] & 8 == 8,
        to: Square::new(u32::from(bytes[3] & 63)),
        promotion: (bytes[0] & 16 == 16).then(|| Role::ALL[usize::from(bytes[0] >> 5) % 6]),
    }
}
