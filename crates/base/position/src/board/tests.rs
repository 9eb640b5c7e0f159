//! Tests keys and steps against Polyglot's published values and shakmaty's full hash.

use proptest::prelude::*;

use shakmaty::{FromSetup as _, Move, PositionError, attacks};

use super::*;
use crate::Placement;

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

/// The two en passant rules differ if the capturing pawn is pinned. Polyglot hashes the file.
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

/// Start positions close to promotions, castling on both sides and en passant.
const STARTS: [&str; 9] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/pPp2pPp/8/3pP3/3Pp3/8/PpP2PpP/R3K2R w KQkq d6 0 1",
    "r3k2r/pbppqpb1/1n2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    // En passant uncovers a rook along the rank or a bishop on the diagonal, or is the only answer to a
    // check.
    "8/8/8/K2pP2r/8/8/8/7k w - d6 0 1",
    "8/7b/8/4Pp2/4K3/8/8/7k w - f6 0 1",
    "8/8/3k4/2pP4/1K6/8/8/8 w - c6 0 1",
    // There are many pieces of one kind: ambiguity, pins, promotions with checks.
    "QQQ5/8/7k/N2N3N/8/1N3N2/4r3/4K2R w K - 0 1",
    "4k2r/PPP3P1/8/1b6/8/8/ppp3pp/R3K2R w KQk - 0 1",
];

/// The SANs tested on a board: that of each legal move, wrong variants of it, and every role to every
/// square.
fn candidates(position: &Chess) -> Vec<San> {
    let moves = position.legal_moves();
    let mut sans: Vec<San> = moves.iter().map(|&m| San::from_move(position, m)).collect();
    sans.extend([San::Castle(CastlingSide::KingSide), San::Castle(CastlingSide::QueenSide), San::Null]);
    for &m in &moves {
        let (from, to) = (m.from().unwrap(), m.to());
        let hints = [
            (Some(from.file()), None),
            (None, Some(from.rank())),
            (Some(from.file()), Some(from.rank())),
            (Some(File::A), None),
        ];
        for (file, rank) in hints {
            sans.extend(sans_to(m.role(), file, rank, to));
        }
    }
    for to in Square::ALL {
        sans.extend(Role::ALL.into_iter().flat_map(|role| sans_to(role, None, None, to)));
    }
    sans
}

fn sans_to(role: Role, file: Option<File>, rank: Option<Rank>, to: Square) -> impl Iterator<Item = San> {
    [false, true].into_iter().flat_map(move |capture| {
        [None, Some(Role::Queen), Some(Role::Knight), Some(Role::King)].map(|promotion| San::Normal {
            role,
            file,
            rank,
            capture,
            to,
            promotion,
        })
    })
}

/// Asserts that every candidate is legal, ambiguous or illegal as in shakmaty.
fn assert_verdicts(board: &Board, position: &Chess) {
    let fen = Fen::from_position(position, EnPassantMode::PseudoLegal);
    for san in candidates(position) {
        let wanted = san.to_move(position).map(PackedMove::pack);
        let mut played = board.clone();
        let got = played.play_san(&san).map(|ply| ply.mv);
        assert_eq!(got, wanted, "{san} in {fen}");
        assert!(got.is_ok() || played.key() == board.key(), "{san} moves something in {fen}");
    }
}

/// Plays a move on both boards, and asserts that key and step are shakmaty's.
fn play_both(board: &mut Board, position: &mut Chess, m: Move) {
    let (before, mover) = (board.key(), board.turn());
    let ply = board.play_san(&San::from_move(position, m)).unwrap();
    position.play_unchecked(m);
    assert_eq!(board.key(), Key::of(position), "{m:?}");
    assert_eq!(ply.step.child(before, ply.mv), board.key(), "{m:?}");
    assert_eq!((ply.step.mover(), ply.step.role()), (mover, Some(m.role())), "{m:?}");
}

/// Plays the chosen moves, and tests all candidates in each position.
fn play_together(position: &mut Chess, choices: &[u16]) -> Board {
    let mut board = Board::at(position);
    assert_verdicts(&board, position);
    for &choice in choices {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        play_both(&mut board, position, moves[usize::from(choice) % moves.len()]);
        assert_verdicts(&board, position);
    }
    board
}

/// Random positions of a few pieces, most of them sliders, with many checks, pins and captures en passant.
fn any_position() -> impl Strategy<Value = Chess> {
    let pieces = prop::collection::vec((0..64u32, any::<bool>(), 0..9usize), 0..20);
    let kings = (0..64u32, 0..64u32);
    (pieces, kings, any::<bool>(), any::<bool>(), prop::option::of(0..8u32)).prop_filter_map(
        "no legal position",
        |(pieces, kings, white, castles, ep_file)| {
            let mut setup = Setup::empty();
            setup.turn = Color::from_white(white);
            for (square, white, role) in pieces {
                setup
                    .board
                    .set_piece_at(Square::new(square), MANY_SLIDERS[role].of(Color::from_white(white)));
            }
            if let Some(file) = ep_file {
                pass(&mut setup, File::new(file));
            }
            let kings = if castles { (4, 60) } else { kings };
            setup.board.set_piece_at(Square::new(kings.0), Role::King.of(Color::White));
            setup.board.set_piece_at(Square::new(kings.1), Role::King.of(Color::Black));
            if castles {
                rooks_at_home(&mut setup);
            }
            Chess::from_setup(setup, CastlingMode::Standard)
                .or_else(PositionError::ignore_invalid_ep_square)
                .or_else(PositionError::ignore_too_much_material)
                .ok()
        },
    )
}

const MANY_SLIDERS: [Role; 9] = [
    Role::Pawn,
    Role::Pawn,
    Role::Knight,
    Role::Bishop,
    Role::Bishop,
    Role::Rook,
    Role::Rook,
    Role::Queen,
    Role::Queen,
];

/// A pawn that has just passed two squares on a file.
fn pass(setup: &mut Setup, file: File) {
    let [start, passed, stop] =
        [Rank::Second, Rank::Third, Rank::Fourth].map(|rank| (!setup.turn).relative_rank(rank));
    setup.board.discard_piece_at(Square::from_coords(file, start));
    setup.board.discard_piece_at(Square::from_coords(file, passed));
    setup.board.set_piece_at(Square::from_coords(file, stop), Role::Pawn.of(!setup.turn));
    setup.ep_square = Some(Square::from_coords(file, passed));
}

fn rooks_at_home(setup: &mut Setup) {
    for (color, side) in RIGHTS {
        let square = Square::from_coords(rook_file(side), color.backrank());
        setup.board.set_piece_at(square, Role::Rook.of(color));
        setup.castling_rights.add(square);
    }
}

proptest! {
    #[test]
    fn prop_every_verdict_and_key_is_shakmatys(start in 0usize..STARTS.len(), choices in prop::collection::vec(any::<u16>(), 1..60)) {
        let mut position = Board::from_fen(STARTS[start]).unwrap().position();
        let board = play_together(&mut position, &choices);
        prop_assert_eq!(Key::of(&board.position()), Key::of(&position));
    }

    #[test]
    fn prop_any_position_is_played_as_shakmaty_plays_it(position in any_position(), choices in prop::collection::vec(any::<u16>(), 0..6)) {
        drop(play_together(&mut position.clone(), &choices));
    }
}

proptest! {
    #[test]
    fn prop_squares_name_the_moves_between_them(position in any_position(), is_capture in any::<bool>()) {
        let (board, legal) = (Board::at(&position), position.legal_moves());
        for (from, to) in Square::ALL.into_iter().flat_map(|from| Square::ALL.map(|to| (from, to))) {
            for promotion in [None, Some(Role::Queen), Some(Role::Knight)] {
                let fits = |m: &&Move| {
                    let lands = if let Move::Castle { king, rook } = m {
                        let side = CastlingSide::from_queen_side(rook < king);
                        [*rook, side.king_to(position.turn())].contains(&to)
                    } else {
                        m.to() == to
                    };
                    m.from() == Some(from) && lands && m.promotion() == promotion && (!is_capture || m.is_capture())
                };
                let wanted = legal.iter().find(fits).map(|&m| PackedMove::pack(m));
                let mut played = board.clone();
                let got = played.play_squares(from, to, is_capture, promotion).ok().map(|ply| ply.mv);
                prop_assert_eq!(got, wanted, "{}{} in {:?}", from, to, board);
                prop_assert!(got.is_some() || played.key() == board.key());
            }
        }
    }
}

/// The table is indexed by target first, so it must be symmetric.
#[test]
fn lines_are_shakmatys() {
    let tables = tables::tables();
    for from in Square::ALL {
        for to in Square::ALL {
            let between = attacks::between(from, to).0;
            assert_eq!(tables.between(from.into(), to.into()), between, "{from} {to}");
            let line = attacks::ray(from, to).0;
            let [straight, diagonal] = tables.lines(from.into(), to.into());
            let beyond = straight | diagonal;
            assert_eq!(beyond & !line, 0, "{from} {to}");
            assert_eq!(beyond & between, between, "{from} {to}");
            assert_eq!(beyond >> u32::from(to) & 1 == 1, line != 0 && from != to, "{from} {to}");
        }
    }
}

/// Compares [`Board::san_of`] with shakmaty for all sixteen bits. Castling as the king's two squares is no
/// move to it.
fn check_every_name(board: &Board, position: &Chess) {
    for bits in 0..1 << 15 {
        let mv = PackedMove(bits);
        let is_packed_so = mv.normalized(position) == mv;
        let expected = mv.unpack_with_san(position).filter(|_| is_packed_so).map(|(_, san)| san);
        assert_eq!(board.san_of(mv), expected, "{bits:#06x} in {board:?}");
    }
    assert_eq!(board.san_of(PackedMove(0x8000 | 0x031c)), None);
}

/// Compares a placement's board with that of shakmaty's position.
fn check_placement(position: &Chess) {
    let board = Board::of_placement(&Placement::of(position), position.turn(), Key::of(position)).unwrap();
    let expected = Board::at(position);
    assert_eq!((board.key, board.pieces, board.mailbox), (expected.key, expected.pieces, expected.mailbox));
    assert_eq!(
        (board.rights, board.en_passant, board.sensitive),
        (expected.rights, expected.en_passant, expected.sensitive)
    );
    check_every_name(&board, position);
}

#[test]
fn names_of_moves_are_shakmatys() {
    for fen in STARTS {
        check_placement(&Board::from_fen(fen).unwrap().position());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn prop_placements_are_shakmatys_positions(position in any_position()) {
        check_placement(&position);
    }

    /// Two planes change on one square, mostly to no legal position. Both must agree about that.
    #[test]
    fn prop_what_is_no_position_is_none_for_both(position in any_position(), square in 0..64u32, codes in prop::collection::vec(0..16u64, 4)) {
        for (at, code) in codes.into_iter().enumerate() {
            let (mut placement, square) = (Placement::of(&position), (square + 21 * at as u32) % 64);
            for (bit, plane) in placement.0.iter_mut().enumerate() {
                *plane = *plane & !(1 << square) | (code >> bit & 1) << square;
            }
            let expected = placement.position(position.turn()).map(|position| Key::of(&position));
            let board = Board::of_placement(&placement, position.turn(), expected.unwrap_or_default());
            prop_assert_eq!(board.map(|board| board.hashed_in_full()), expected, "{:?} {}", placement, square);
        }
    }
}
