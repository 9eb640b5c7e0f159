//! Keys and steps against Polyglot's published values and against shakmaty's full hash.

use proptest::prelude::*;

use super::*;

/// Polyglot's published test positions (`book_format.html`): moves from the start, key.
const POLYGLOT_KEYS: [(&str, u64); 9] = [
    ("", 0x463b_9618_1691_fc9c),
    ("e4", 0x823c_9b50_fd11_4196),
    ("e4 d5", 0x0756_b944_61c5_0fb0),
    ("e4 d5 e5", 0x662f_afb9_65db_29d4),
    ("e4 d5 e5 f5", 0x22a4_8b5a_8e47_ff78),
    ("e4 d5 e5 f5 Ke2", 0x652a_607c_a3f2_42c1),
    ("e4 d5 e5 f5 Ke2 Kf7", 0x00fd_d303_c946_bdd9),
    ("a4 b5 h4 b4 c4", 0x3c81_23ea_7b06_7637),
    ("a4 b5 h4 b4 c4 bxc3 Ra3", 0x5c3f_9b82_9b27_9560),
];

#[test]
fn keys_are_polyglots() {
    for (moves, key) in POLYGLOT_KEYS {
        let mut board = Board::start();
        for san in moves.split_whitespace() {
            board.play_san(&San::from_ascii(san.as_bytes()).unwrap()).unwrap();
        }
        assert_eq!(board.key(), Key(key), "after {moves:?}");
    }
}

/// Where the capture is pinned the two en passant rules part; Polyglot hashes the file all the same.
#[test]
fn pinned_en_passant_is_hashed() {
    let board = Board::from_fen("4r1k1/8/8/3pP3/8/8/8/4K3 w - d6 0 1").unwrap();
    assert_eq!(board.key(), Key(0x7ddd_0eef_bfc8_435a));
}

#[test]
fn failed_san_leaves_the_board_alone() {
    let mut board = Board::start();
    let error = board.play_san(&San::from_ascii(b"Ke2").unwrap()).unwrap_err();
    assert_eq!(error, SanError::IllegalSan);
    assert_eq!(board.key(), Key::START);
}

/// Starts that reach promotions, castling on both sides and en passant soon.
const STARTS: [&str; 9] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/pPp2pPp/8/3pP3/3Pp3/8/PpP2PpP/R3K2R w KQkq d6 0 1",
    "r3k2r/pbppqpb1/1n2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    // En passant that uncovers a rook along the rank, a bishop on the diagonal, and a check that only it answers.
    "8/8/8/K2pP2r/8/8/8/7k w - d6 0 1",
    "8/7b/8/4Pp2/4K3/8/8/7k w - f6 0 1",
    "8/8/3k4/2pP4/1K6/8/8/8 w - c6 0 1",
    // Pieces of a kind by the dozen: ambiguity, pins, promotions beside checks.
    "QQQ5/8/7k/N2N3N/8/1N3N2/4r3/4K2R w K - 0 1",
    "4k2r/PPP3P1/8/1b6/8/8/ppp3pp/R3K2R w KQk - 0 1",
];

/// Every SAN worth trying on a board: each legal move's own, and wrong ones of its kind.
fn candidates(position: &Chess) -> Vec<San> {
    let moves = position.legal_moves();
    let mut sans: Vec<San> = moves.iter().map(|&m| San::from_move(position, m)).collect();
    for &m in &moves {
        if let San::Normal { role, capture, to, promotion, .. } = San::from_move(position, m) {
            let from = m.from().unwrap();
            for (file, rank) in
                [(None, None), (Some(from.file()), None), (None, Some(from.rank())), (Some(File::A), None)]
            {
                for capture in [capture, !capture] {
                    for promotion in [promotion, None, Some(Role::Queen), Some(Role::King)] {
                        sans.push(San::Normal { role, file, rank, capture, to, promotion });
                    }
                }
            }
        }
    }
    sans.extend([San::Castle(CastlingSide::KingSide), San::Castle(CastlingSide::QueenSide), San::Null]);
    sans
}

proptest! {
    #[test]
    fn prop_every_verdict_and_key_is_shakmatys(start in 0usize..STARTS.len(), choices in prop::collection::vec(any::<u16>(), 1..60)) {
        let mut board = Board::from_fen(STARTS[start]).unwrap();
        let mut position = board.position();
        for choice in choices {
            for san in candidates(&position) {
                let wanted = san.to_move(&position).map(PackedMove::pack);
                let got = board.clone().play_san(&san).map(|ply| ply.mv);
                prop_assert_eq!(got, wanted, "{} in {:?}", san, board);
            }
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            let m = moves[usize::from(choice) % moves.len()];
            let (before, mover) = (board.key(), board.turn());
            let ply = board.play_san(&San::from_move(&position, m)).unwrap();
            position.play_unchecked(m);
            prop_assert_eq!(board.key(), Key::of(&position));
            prop_assert_eq!(Key::of(&board.position()), Key::of(&position));
            prop_assert_eq!(ply.step.child(before, ply.mv), board.key(), "{:?}", m);
            prop_assert_eq!(ply.step.mover(), mover);
        }
    }
}
