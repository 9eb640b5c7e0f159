//! The few shapes that nearly all moves of real files have, read without looking at every possible spelling.
//!
//! `e4`, `exd5`, `Nf3`, `Nxf3`, `Nbd2`, `Nbxd2`, each with one check mark or none, and a blank behind. Whatever has another
//! shape is left to [`super::san`], which reads these too and to the same moves.

use shakmaty::{File, Role, Square, san::San};

/// What a byte can be in a move of a common shape: one of these, or a piece letter's role, or nothing (0).
const FILE: u8 = 0x10;
const RANK: u8 = 0x20;
const CHECK: u8 = 0x40;
const BLANK: u8 = 0x80;

const CLASSES: [u8; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = match byte as u8 {
            b'K' => Role::King as u8,
            b'Q' => Role::Queen as u8,
            b'R' => Role::Rook as u8,
            b'B' => Role::Bishop as u8,
            b'N' => Role::Knight as u8,
            b'a'..=b'h' => FILE,
            b'1'..=b'8' => RANK,
            b'+' | b'#' => CHECK,
            b' ' | b'\n' | b'\r' => BLANK,
            _ => 0,
        };
        byte += 1;
    }
    table
};

fn is(class: u8, byte: u8) -> bool {
    CLASSES[usize::from(byte)] == class
}

/// The role that a capital letter names; none but pawns do without one.
fn role(byte: u8) -> Option<Role> {
    let class = CLASSES[usize::from(byte)];
    if class < FILE { Role::try_from(u32::from(class)).ok() } else { None }
}

/// The longest move of a common shape: `Nbxd2+` and its blank.
const BYTES_MAX: usize = 7;

/// Where the blanks end that begin at `at`, and behind them a move number with its full stops, and blanks again.
#[inline]
pub(super) fn past_number(text: &[u8], at: usize) -> usize {
    let at = past_blanks(text, at);
    // Zeros and numbers without a full stop may be something else.
    if !matches!(text.get(at), Some(b'1'..=b'9')) {
        return at;
    }
    let mut end = at + 1;
    while matches!(text.get(end), Some(b'0'..=b'9')) {
        end += 1;
    }
    if text.get(end) != Some(&b'.') {
        return at;
    }
    while text.get(end) == Some(&b'.') {
        end += 1;
    }
    past_blanks(text, end)
}

fn past_blanks(text: &[u8], mut at: usize) -> usize {
    while matches!(text.get(at), Some(b' ' | b'\n' | b'\r')) {
        at += 1;
    }
    at
}

/// The move at `at` and its end, if it has a common shape and enough text behind it.
#[inline]
pub(super) fn parse(text: &[u8], at: usize) -> Option<(San, usize)> {
    let bytes = *text.get(at..)?.first_chunk::<BYTES_MAX>()?;
    let role = role(bytes[0]);
    let letter = usize::from(role.is_some());
    let (file, capture, target) =
        if is(RANK, bytes[letter + 1]) { (None, false, letter) } else { from(bytes, letter)? };
    let (to_file, to_rank) = (bytes[target], bytes[target + 1]);
    let mark = target + 2;
    let end = mark + usize::from(is(CHECK, bytes[mark]));
    if !(is(FILE, to_file) && is(RANK, to_rank) && is(BLANK, bytes[end])) {
        return None;
    }
    let to = Square::new(u32::from((to_rank - b'1') & 7) << 3 | u32::from((to_file - b'a') & 7));
    let san =
        San::Normal { role: role.unwrap_or(Role::Pawn), file, rank: None, capture, to, promotion: None };
    Some((san, at + end))
}

/// A file, an `x`, or both from byte `at` on, and where they end.
fn from(bytes: [u8; BYTES_MAX], at: usize) -> Option<(Option<File>, bool, usize)> {
    let file = is(FILE, bytes[at]).then(|| File::new(u32::from(bytes[at] - b'a')));
    let after = at + usize::from(file.is_some());
    let capture = bytes[after] == b'x';
    let target = after + usize::from(capture);
    (target > at).then_some((file, capture, target))
}

#[cfg(test)]
mod tests {
    use super::super::san;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn prop_reads_as_the_general_reader(text in "[KQNaefh1348x+#= Pe]{1,5}[a-h][1-8][+#=x ]{0,2}[ \\n]{0,6}") {
            if let Some(quick) = super::parse(text.as_bytes(), 0) {
                prop_assert_eq!(san::parse(text.as_bytes(), 0), Some(quick), "{}", text);
            }
        }

        #[test]
        fn prop_common_shapes_are_read(text in "([KQRBN](|[a-h])|[a-h]x)x?[a-h][1-8][+#]? {7}") {
            let doubled = text.contains("xx");
            prop_assert_eq!(super::parse(text.as_bytes(), 0).is_some(), !doubled, "{}", text);
        }
    }

    #[test]
    fn the_end_of_the_text_is_left_to_the_general_reader() {
        assert_eq!(super::parse(b"e4    ", 0), None);
        assert!(super::parse(b"e4     ", 0).is_some());
        assert!(super::parse(b"Nbxd2+ ", 0).is_some());
    }
}
