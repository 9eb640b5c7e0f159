//! Static exchange evaluation: computes the material that a move gains if both sides then keep capturing on
//! the move's target square, least valuable man first, for as long as that pays.

use shakmaty::{Bitboard, Board, Chess, Color, Move, Position as _, Role, Square};

/// Whether the side to move can gain material by a capture or a promotion.
pub(super) fn has_tactics(position: &Chess) -> bool {
    let is_loud = |m: &Move| m.is_capture() || m.is_promotion();
    position.legal_moves().into_iter().filter(is_loud).any(|m| gain(position, m) > 0)
}

/// The value of a man in pawns. A king is worth far more than any other man.
fn value(role: Role) -> i32 {
    match role {
        Role::Pawn => 1,
        Role::Knight | Role::Bishop => 3,
        Role::Rook => 5,
        Role::Queen => 9,
        Role::King => 100,
    }
}

/// The material, in pawns, that a move gains for the side that makes it. Pins are ignored. If a pawn
/// recaptures on the last rank, its promotion is ignored as well.
fn gain(position: &Chess, m: Move) -> i32 {
    let (Some(from), to) = (m.from(), m.to()) else { return 0 };
    let standing = m.promotion().unwrap_or(m.role());
    let taken = m.capture().map_or(0, value) + value(standing) - value(m.role());
    let mut occupied = position.board().occupied();
    occupied.discard(from);
    if m.is_en_passant() {
        occupied.discard(Square::from_coords(to.file(), from.rank()));
    }
    taken - reply(position.board(), to, (!position.turn(), standing), occupied)
}

/// Returns the most material, in pawns, that the side to move can gain by capturing the man on `to`.
/// `standing` is the role of that man.
fn reply(board: &Board, to: Square, (turn, standing): (Color, Role), mut occupied: Bitboard) -> i32 {
    let attackers = board.attacks_to(to, turn, occupied) & occupied;
    let Some((role, from)) = least_valuable(board, attackers) else { return 0 };
    occupied.discard(from);
    let answered = reply(board, to, (!turn, role), occupied);
    // A capture that would lose material is not made. So a king never captures a protected man, because
    // losing the king would cost more than any capture gains.
    (value(standing) - answered).max(0)
}

fn least_valuable(board: &Board, attackers: Bitboard) -> Option<(Role, Square)> {
    Role::ALL.into_iter().find_map(|role| Some((role, (attackers & board.by_role(role)).first()?)))
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, fen::Fen, uci::UciMove};

    use super::*;

    fn board(fen: &str) -> Chess {
        fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap()
    }

    fn gain_of(fen: &str, uci: &str) -> i32 {
        let position = board(fen);
        let m = uci.parse::<UciMove>().unwrap().to_move(&position).unwrap();
        gain(&position, m)
    }

    #[test]
    fn exchanges_stop_where_they_do_not_pay() {
        // A rook takes a pawn. On the first board, the pawn is unguarded; on the second, another pawn guards
        // it.
        assert_eq!(gain_of("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "e1e5"), 1);
        assert_eq!(gain_of("1k1r4/1pp4p/p2p4/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "e1e5"), -4);
        // A knight takes a pawn. Each side also has a queen lined up behind another attacker: White behind a
        // rook, Black behind a bishop.
        assert_eq!(gain_of("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "d3e5"), -2);
        // A rook takes a pawn that a king guards. On the first board, the rook is guarded by another rook, so
        // the king may not recapture. On the second board, the king recaptures.
        assert_eq!(gain_of("8/8/8/4k3/3p4/3R4/3R4/4K3 w - - 0 1", "d3d4"), 1);
        assert_eq!(gain_of("8/8/8/4k3/3p4/3R4/8/4K3 w - - 0 1", "d3d4"), -4);
        // An en passant capture, a promotion to a queen that is then captured, and a promotion to a queen
        // that is safe.
        assert_eq!(gain_of("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6"), 1);
        assert_eq!(gain_of("3rk3/1P6/8/8/8/8/8/4K3 w - - 0 1", "b7b8q"), -1);
        assert_eq!(gain_of("4k3/1P6/8/8/8/8/8/4K3 w - - 0 1", "b7b8q"), 8);
    }

    #[test]
    fn quiet_and_loud_positions() {
        assert!(!has_tactics(&Chess::default()));
        // 1.e4 d5: taking the pawn gains nothing, because the queen recaptures.
        assert!(!has_tactics(&board("rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2")));
        // 1.e4 e5 2.Qh5 Nf6: the pawn on e5 hangs.
        assert!(has_tactics(&board("rnbqkb1r/pppp1ppp/5n2/4p2Q/4P3/8/PPPP1PPP/RNB1KBNR w KQkq - 2 3")));
    }
}
