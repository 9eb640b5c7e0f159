//! What a plain move says.

use shakmaty::{CastlingSide, File, Rank, Role, Square, san::San};

use super::WINDOW_BYTES;

/// A byte of the window; places past its end do not occur.
#[inline]
fn byte(bytes: &[u8; WINDOW_BYTES], at: usize) -> u8 {
    bytes[at % WINDOW_BYTES]
}

/// The move from byte `start` to `end` of a window, whose shape was found to be plain.
#[inline]
pub(super) fn san(bytes: &[u8; WINDOW_BYTES], start: usize, end: usize) -> San {
    let end = end - usize::from(matches!(byte(bytes, end - 1), b'+' | b'#'));
    if !byte(bytes, end - 1).is_ascii_digit() {
        return uncommon(bytes, start, end);
    }
    moved(bytes, start, end, None)
}

/// Castling or a promotion.
#[cold]
fn uncommon(bytes: &[u8; WINDOW_BYTES], start: usize, end: usize) -> San {
    match (byte(bytes, start), end - start) {
        (b'O', 3) => San::Castle(CastlingSide::KingSide),
        (b'O', _) => San::Castle(CastlingSide::QueenSide),
        _ => moved(bytes, start, end - 2, Some(piece(byte(bytes, end - 1)))),
    }
}

/// A move to the square before byte `end`.
#[inline]
fn moved(bytes: &[u8; WINDOW_BYTES], start: usize, end: usize, promotion: Option<Role>) -> San {
    let first = byte(bytes, start);
    let is_pawn = first >= b'a';
    let from = start + usize::from(!is_pawn);
    let capture = end > start + 3 && byte(bytes, end - 3) == b'x';
    let (mut file, mut rank) = (None, None);
    for at in from..end - 2 - usize::from(capture) {
        match byte(bytes, at) {
            letter @ b'a'.. => file = Some(File::new(u32::from(letter - b'a') & 7)),
            digit => rank = Some(Rank::new(u32::from(digit.wrapping_sub(b'1')) & 7)),
        }
    }
    let to = (byte(bytes, end - 1) - b'1') << 3 | (byte(bytes, end - 2).wrapping_sub(b'a')) & 7;
    let role = if is_pawn { Role::Pawn } else { piece(first) };
    San::Normal { role, file, rank, capture, to: Square::new(u32::from(to & 63)), promotion }
}

/// The role that one of the letters K, Q, R, B, N names.
#[inline]
fn piece(letter: u8) -> Role {
    const ROLES: [Role; 32] = {
        let mut roles = [Role::Knight; 32];
        roles[b'K' as usize & 31] = Role::King;
        roles[b'Q' as usize & 31] = Role::Queen;
        roles[b'R' as usize & 31] = Role::Rook;
        roles[b'B' as usize & 31] = Role::Bishop;
        roles
    };
    ROLES[usize::from(letter & 31)]
}
