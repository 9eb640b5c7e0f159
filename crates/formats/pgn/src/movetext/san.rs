//! Reads one move in standard algebraic notation, in any spelling that has only one meaning.

use shakmaty::{CastlingSide, File, Rank, Role, Square, san::San};

use super::{bytes::is_sticky, marks};

/// Reads the move at `at`, unless it is castling; returns the move and the offset of its end.
#[inline]
pub(super) fn parse(text: &[u8], at: usize) -> Option<(San, usize)> {
    let (role, after_role) = match role(text, at) {
        Some(role) => (role, at + 1),
        None => (Role::Pawn, at),
    };
    if text.get(after_role) == Some(&b'@') {
        return drop(text, after_role, role);
    }
    let (from, capture, to, after_to) = squares(text, after_role)?;
    let (promotion, end) = match role {
        Role::Pawn => promotion(text, after_to, to),
        _ => (None, after_to),
    };
    let san = San::Normal { role, file: from.0, rank: from.1, capture, to, promotion };
    ended(text, check_marks(text, end)).map(|end| (san, end))
}

/// Whether all of `word` is one move.
pub(super) fn is_whole(word: &[u8]) -> bool {
    let read = castling(word, 0).or_else(|| parse(word, 0));
    read.is_some_and(|(_, end)| end == word.len())
}

/// Reads a castling move at `at`, written with the letter O or with zeros; returns the move and the offset of
/// its end.
pub(super) fn castling(text: &[u8], at: usize) -> Option<(San, usize)> {
    let o = |at: usize| matches!(text.get(at), Some(b'O' | b'o' | b'0'));
    let dash_o = |at: usize| text.get(at) == Some(&b'-') && o(at + 1);
    if !o(at) || !dash_o(at + 1) {
        return None;
    }
    let (side, end) =
        if dash_o(at + 3) { (CastlingSide::QueenSide, at + 5) } else { (CastlingSide::KingSide, at + 3) };
    let end = check_marks(text, end);
    let whole = text.get(end).is_none_or(|&byte| !is_sticky(byte));
    whole.then_some((San::Castle(side), end))
}

/// Reads a null move at `at`; returns the move and the offset of its end.
pub(super) fn null(text: &[u8], at: usize) -> Option<(San, usize)> {
    const SPELLINGS: [&[u8]; 5] = [b"--", b"Z0", b"null", b"0000", b"@@@@"];
    let spelling = SPELLINGS.iter().find(|spelling| text[at..].starts_with(spelling))?;
    let end = at + spelling.len();
    let whole = text.get(end).is_none_or(|&byte| byte == b':' || !is_sticky(byte));
    whole.then_some((San::Null, end))
}

/// Reads the piece drop whose `@` is at offset `at`; returns the move and the offset of its end.
fn drop(text: &[u8], at: usize, role: Role) -> Option<(San, usize)> {
    let to = square(text, at + 1).filter(|_| role != Role::King)?;
    ended(text, check_marks(text, at + 3)).map(|end| (San::Put { role, to }, end))
}

/// Returns `end`, unless the next byte makes the move unreadable. An en passant mark may follow.
fn ended(text: &[u8], end: usize) -> Option<usize> {
    let whole = text.get(end).is_none_or(|&byte| !is_sticky(byte)) || marks::word(text, end) > 0;
    whole.then_some(end)
}

type Squares = ((Option<File>, Option<Rank>), bool, Square, usize);

/// Returns the file and rank that the piece comes from, if stated, whether the move is a capture, the target
/// square, and where the text that was read ends. If there are a file and a rank but no square after them,
/// they are the target square.
fn squares(text: &[u8], at: usize) -> Option<Squares> {
    let from_file = file(text, at);
    let after_file = at + usize::from(from_file.is_some());
    let from_rank = rank(text, after_file);
    let after_rank = after_file + usize::from(from_rank.is_some());
    let (capture, mark) = match text.get(after_rank) {
        Some(b'x') => (true, 1),
        Some(b'-') => (false, 1),
        _ => (false, 0),
    };
    if let Some(to) = square(text, after_rank + mark) {
        return Some(((from_file, from_rank), capture, to, after_rank + mark + 2));
    }
    let to = Square::from_coords(from_file?, from_rank?);
    Some(((None, None), false, to, after_rank))
}

/// Reads the piece to which a pawn on `to` promotes; the text of the piece begins at `at`. Returns the piece
/// and the end of that text, or `None` and `at` if the text at `at` is not a piece.
fn promotion(text: &[u8], at: usize, to: Square) -> (Option<Role>, usize) {
    let piece = |byte: u8| match byte.to_ascii_uppercase() {
        b'Q' => Some(Role::Queen),
        b'R' => Some(Role::Rook),
        b'B' => Some(Role::Bishop),
        b'N' => Some(Role::Knight),
        _ => None,
    };
    let (letter, len) = match text[at..] {
        [b'=' | b'/', letter, ..] => (letter, 2),
        [b'(', letter, b')', ..] => (letter, 3),
        [b'(', b'=', letter, b')', ..] => (letter, 4),
        [letter, ref rest @ ..] if !rest.first().is_some_and(u8::is_ascii_alphanumeric) => {
            let last_rank = matches!(to.rank(), Rank::First | Rank::Eighth);
            (if last_rank { letter } else { 0 }, 1)
        }
        _ => (0, 0),
    };
    match piece(letter) {
        Some(role) => (Some(role), at + len),
        None => (None, at),
    }
}

/// The end of the signs for check and mate (`+` and `#`) that begin at `at`. A `+` that begins an evaluation
/// (`+-`) is not such a sign.
fn check_marks(text: &[u8], mut at: usize) -> usize {
    while matches!(text.get(at), Some(b'+' | b'#')) && marks::glyph(text, at) < 2 {
        at += 1;
    }
    at
}

fn role(text: &[u8], at: usize) -> Option<Role> {
    match text.get(at)? {
        b'K' => Some(Role::King),
        b'Q' => Some(Role::Queen),
        b'R' => Some(Role::Rook),
        b'B' => Some(Role::Bishop),
        b'N' => Some(Role::Knight),
        b'P' => Some(Role::Pawn),
        _ => None,
    }
}

fn file(text: &[u8], at: usize) -> Option<File> {
    let byte = *text.get(at)?;
    (b'a'..=b'h').contains(&byte).then(|| File::new(u32::from(byte - b'a')))
}

fn rank(text: &[u8], at: usize) -> Option<Rank> {
    let byte = *text.get(at)?;
    (b'1'..=b'8').contains(&byte).then(|| Rank::new(u32::from(byte - b'1')))
}

fn square(text: &[u8], at: usize) -> Option<Square> {
    Some(Square::from_coords(file(text, at)?, rank(text, at + 1)?))
}
