//! The parts of a plain move.

use shakmaty::{CastlingSide, File, Rank, Role, Square, san::San};

use super::Bytes;

/// A plain move other than castling.
pub(crate) struct PlainMove {
    pub(crate) role: Role,
    /// The file that the piece comes from, if the text states it.
    pub(crate) file: Option<File>,
    /// The rank that the piece comes from, if the text states it.
    pub(crate) rank: Option<Rank>,
    pub(crate) capture: bool,
    pub(crate) to: Square,
}

impl From<PlainMove> for San {
    fn from(PlainMove { role, file, rank, capture, to }: PlainMove) -> Self {
        San::Normal { role, file, rank, capture, to, promotion: None }
    }
}

/// Reads the castling move from byte `start` up to byte `end` of a window.
pub(super) fn castling(bytes: &Bytes, start: usize, end: usize) -> San {
    let long = end - usize::from(is_check_mark(bytes.at(end - 1))) - start > "O-O".len();
    San::Castle(if long { CastlingSide::QueenSide } else { CastlingSide::KingSide })
}

/// Reads the plain move, other than castling, from byte `start` up to byte `end` of a window.
#[expect(
    clippy::inline_always,
    reason = "so that the move, taken apart again at once, is never put together"
)]
#[inline(always)]
pub(super) fn moved(bytes: &Bytes, start: usize, end: usize) -> PlainMove {
    let end = end - usize::from(is_check_mark(bytes.at(end - 1)));
    let role = ROLES[usize::from(bytes.at(start) & 127)];
    let capture = bytes.at(end.wrapping_sub(3)) == b'x';
    let from = start + usize::from(role != Role::Pawn)..end - 2 - usize::from(capture);
    let (file, rank) = if from.is_empty() { (None, None) } else { hints(bytes, from) };
    let to = bytes.at(end - 1).wrapping_sub(b'1') << 3 | bytes.at(end - 2).wrapping_sub(b'a') & 7;
    PlainMove { role, file, rank, capture, to: Square::new(u32::from(to & 63)) }
}

/// The file and the rank that the piece comes from; each is `None` if the text does not state it.
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

#[inline]
fn is_check_mark(byte: u8) -> bool {
    matches!(byte, b'+' | b'#')
}

/// The piece that moves, looked up by the move's first character.
const ROLES: [Role; 128] = {
    let mut roles = [Role::Pawn; 128];
    roles[b'K' as usize] = Role::King;
    roles[b'Q' as usize] = Role::Queen;
    roles[b'R' as usize] = Role::Rook;
    roles[b'B' as usize] = Role::Bishop;
    roles[b'N' as usize] = Role::Knight;
    roles
};
