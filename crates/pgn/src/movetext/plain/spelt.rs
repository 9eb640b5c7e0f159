//! What a plain move says.

use shakmaty::{CastlingSide, File, Rank, Role, Square, san::San};

use super::Bytes;

/// The move from byte `start` to `end` of a window, whose shape was found to be plain.
#[expect(
    clippy::inline_always,
    reason = "so that the move, taken apart again at once, is never put together"
)]
#[inline(always)]
pub(super) fn san(bytes: &Bytes, start: usize, end: usize) -> San {
    let end = end - usize::from(matches!(bytes.at(end - 1), b'+' | b'#'));
    let first = bytes.at(start);
    if first == b'O' {
        let long = end - start > "O-O".len();
        return San::Castle(if long { CastlingSide::QueenSide } else { CastlingSide::KingSide });
    }
    let role = ROLES[usize::from(first & 127)];
    let capture = bytes.at(end.wrapping_sub(3)) == b'x';
    let from = start + usize::from(role != Role::Pawn)..end - 2 - usize::from(capture);
    let (file, rank) = if from.is_empty() { (None, None) } else { hints(bytes, from) };
    let to = bytes.at(end - 1).wrapping_sub(b'1') << 3 | bytes.at(end - 2).wrapping_sub(b'a') & 7;
    San::Normal { role, file, rank, capture, to: Square::new(u32::from(to & 63)), promotion: None }
}

/// What is told of the square left.
#[inline]
fn hints(bytes: &Bytes, from: std::ops::Range<usize>) -> (Option<File>, Option<Rank>) {
    let (mut file, mut rank) = (None, None);
    for at in from {
        match bytes.at(at) {
            letter @ b'a'.. => file = Some(File::new(u32::from(letter - b'a') & 7)),
            digit => rank = Some(Rank::new(u32::from(digit.wrapping_sub(b'1')) & 7)),
        }
    }
    (file, rank)
}

/// What moves when a move begins with an ASCII character.
const ROLES: [Role; 128] = {
    let mut roles = [Role::Pawn; 128];
    roles[b'K' as usize] = Role::King;
    roles[b'Q' as usize] = Role::Queen;
    roles[b'R' as usize] = Role::Rook;
    roles[b'B' as usize] = Role::Bishop;
    roles[b'N' as usize] = Role::Knight;
    roles
};
