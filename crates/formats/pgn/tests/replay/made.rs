//! Legal games made from numbers, and the many ways to write them down.

use shakmaty::{CastlingSide, Chess, Move, Position, Role, Square, san::SanPlus};

/// One move of a made game.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Made {
    pub(crate) san: SanPlus,
    pub(crate) mv: Move,
}

/// The legal game in which each number picks one of the moves there are.
pub(crate) fn game(picks: &[u16]) -> Vec<Made> {
    let mut position = Chess::default();
    let mut moves = Vec::new();
    for &pick in picks {
        let legal = position.legal_moves();
        if legal.is_empty() {
            break;
        }
        let mv = legal[usize::from(pick) % legal.len()];
        let san = SanPlus::from_move(position.clone(), mv);
        position.play_unchecked(mv);
        moves.push(Made { san, mv });
    }
    moves
}

/// The game in its usual spelling.
pub(crate) fn plain(moves: &[Made]) -> String {
    let sans: Vec<_> = moves.iter().map(|made| made.san.to_string()).collect();
    sans.join(" ")
}

/// The `way`-th accepted spelling of a move.
pub(crate) fn spelt(made: &Made, way: u8) -> String {
    match made.mv {
        Move::Castle { king, rook } => castling(CastlingSide::from_king_side(rook > king), way),
        Move::EnPassant { from, to } => {
            let suffix = ["", "e.p.", "ep", " e.p.", "+ ep"][usize::from(way) % 5];
            format!("{}{suffix}", squares(Role::Pawn, from, "x", to, way / 5))
        }
        Move::Normal { role, from, capture, to, promotion } => {
            let mark = if capture.is_some() { "x" } else { ["", "-"][usize::from(way) % 2] };
            let full = squares(role, from, mark, to, way / 2);
            format!("{full}{}{}", promoted(promotion, way / 4), check(way / 8))
        }
        Move::Put { .. } => unreachable!("standard chess has no drops"),
    }
}

fn castling(side: CastlingSide, way: u8) -> String {
    let o = ["O", "0", "o"][usize::from(way) % 3];
    let long = if side == CastlingSide::QueenSide { format!("-{o}") } else { String::new() };
    format!("{o}-{o}{long}{}", check(way / 3))
}

/// Writes the piece, both squares and the mark between them.
fn squares(role: Role, from: Square, mark: &str, to: Square, way: u8) -> String {
    let letter = match role {
        Role::Pawn => ["", "P"][usize::from(way) % 2].to_owned(),
        _ => role.upper_char().to_string(),
    };
    format!("{letter}{from}{mark}{to}")
}

fn promoted(role: Option<Role>, way: u8) -> String {
    let Some(role) = role else { return String::new() };
    let letter = if way.is_multiple_of(2) { role.upper_char() } else { role.char() };
    match way / 2 % 5 {
        0 => format!("={letter}"),
        1 => format!("/{letter}"),
        2 => format!("({letter})"),
        3 => format!("(={letter})"),
        _ => letter.to_string(),
    }
}

fn check(way: u8) -> &'static str {
    ["", "+", "#", "++", "!", "?!"][usize::from(way) % 6]
}
