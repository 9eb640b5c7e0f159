//! Evaluations and words that comment on a move outside braces.

/// Evaluation marks of chess periodicals typed in ASCII; of marks that begin alike the longer one comes
/// first.
const GLYPHS: [&[u8]; 10] = [b"+/-", b"-/+", b"+/=", b"=/+", b"+-", b"-+", b"+=", b"=+", b"=", b"~"];

/// The length of the evaluation mark at `at`, or 0.
pub(super) fn glyph(text: &[u8], at: usize) -> usize {
    GLYPHS.iter().find(|glyph| text[at..].starts_with(glyph)).map_or(0, |glyph| glyph.len())
}

/// The length of the word at `at` that says a capture was en passant, or 0.
pub(super) fn word(text: &[u8], at: usize) -> usize {
    let rest = &text[at..];
    match rest {
        [b'e', b'.', b'p', b'.', ..] => 4,
        [b'e', b'p', next, ..] if next.is_ascii_alphanumeric() => 0,
        [b'e', b'p', ..] => 2,
        _ => 0,
    }
}
