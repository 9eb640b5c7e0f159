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
    let (first, file, rank) = (byte(bytes, start), byte(bytes, end - 2), byte(bytes, end - 1));
    if first == b'O' {
        let long = end - start > "O-O".len();
        return San::Castle(if long { CastlingSide::QueenSide } else { CastlingSide::KingSide });
    }
    let (role, from) = if first >= b'a' { (Role::Pawn, start) } else { (piece(first), start + 1) };
    let capture = end > start + 3 && byte(bytes, end - 3) == b'x';
    let (from_file, from_rank) = hints(bytes, from, end - 2 - usize::from(capture));
    let to = rank.wrapping_sub(b'1') << 3 | file.wrapping_sub(b'a') & 7;
    let to = Square::new(u32::from(to & 63));
    San::Normal { role, file: from_file, rank: from_rank, capture, to, promotion: None }
}

/// What is told of the square left.
#[inline]
fn hints(bytes: &[u8; WINDOW_BYTES], from: usize, end: usize) -> (Option<File>, Option<Rank>) {
    let (mut file, mut rank) = (None, None);
    for at in from..end {
        match byte(bytes, at) {
            letter @ b'a'.. => file = Some(File::new(u32::from(letter - b'a') & 7)),
            digit => rank = Some(Rank::new(u32::from(digit.wrapping_sub(b'1')) & 7)),
        }
    }
    (file, rank)
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
