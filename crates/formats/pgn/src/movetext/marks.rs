//! Evaluation signs and words after a move, outside comments.

/// ASCII spellings of the evaluation signs that chess periodicals use. If one sign is a prefix of another,
/// the longer one is listed first.
const GLYPHS: [&[u8]; 10] = [b"+/-", b"-/+", b"+/=", b"=/+", b"+-", b"-+", b"+=", b"=+", b"=", b"~"];

/// The length of the evaluation sign at `at`, or 0.
pub(super) fn glyph(text: &[u8], at: usize) -> usize {
    GLYPHS.iter().find(|glyph| text[at..].starts_with(glyph)).map_or(0, |glyph| glyph.len())
}

/// The length of the en passant mark (such as `e.p.`) at `at`, or 0.
pub(super) fn word(text: &[u8], at: usize) -> usize {
    let rest = &text[at..];
    match rest {
        [b'e', b'.', b'p', b'.', ..] => 4,
        [b'e', b'p', next, ..] if next.is_ascii_alphanumeric() => 0,
        [b'e', b'p', ..] => 2,
        _ => 0,
    }
}
