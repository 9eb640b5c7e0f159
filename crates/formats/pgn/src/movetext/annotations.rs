//! The comments and annotation signs between two moves.

use std::ops::Range;

use super::{marks, skip};

/// A comment or sign that annotates a move.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Annotation<'t> {
    /// The text of a comment, without braces or semicolon.
    Comment(&'t [u8]),
    /// `$n`; `None` if `n` is above 255, because larger numbers have no meaning.
    Nag(Option<u8>),
    /// One or more of `!` and `?`, such as `!?`.
    Suffix(&'t [u8]),
    /// An evaluation sign such as `+/=`.
    Glyph(&'t [u8]),
}

/// The annotations in a gap between two tokens of a movetext. Variations are skipped, along with everything
/// inside them.
pub(crate) fn annotations(text: &[u8], gap: Range<usize>) -> impl Iterator<Item = Annotation<'_>> {
    skip::found(text, gap, read)
}

/// The annotation that begins at `at`, if any, and the offset at which to continue reading.
fn read(text: &[u8], at: usize, line_end: u8) -> (Option<Annotation<'_>>, usize) {
    let run =
        |from: usize, is: fn(&u8) -> bool| from + text[from..].iter().take_while(|byte| is(byte)).count();
    match text[at] {
        b'{' => {
            let end = skip::comment(text, at).unwrap_or(text.len());
            let inside = text[at + 1..end].strip_suffix(b"}").unwrap_or(&text[at + 1..end]);
            (Some(Annotation::Comment(inside)), end)
        }
        b';' => {
            let end = skip::line(text, at, line_end);
            (Some(Annotation::Comment(&text[at + 1..end])), end)
        }
        b'%' if at == 0 || text[at - 1] == line_end => (None, skip::line(text, at, line_end)),
        b'(' => (None, skip::variation(text, at, line_end).unwrap_or(text.len())),
        b'$' => {
            let end = run(at + 1, u8::is_ascii_digit);
            let number = std::str::from_utf8(&text[at + 1..end]).ok().and_then(|digits| digits.parse().ok());
            (Some(Annotation::Nag(number)), end)
        }
        b'!' | b'?' => {
            let end = run(at, |byte| matches!(byte, b'!' | b'?'));
            (Some(Annotation::Suffix(&text[at..end])), end)
        }
        _ => match marks::glyph(text, at) {
            0 => (None, at + 1),
            length => (Some(Annotation::Glyph(&text[at..at + length])), at + length),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::{Annotation::*, *};

    #[test]
    fn all_annotations_of_a_move_come_in_order() {
        let text = b"e4!? $14 {a} (d4!! {b} ; )\n (x)) +/= ; {c}\n%$1\n1... $999 e5";
        let found: Vec<_> = annotations(text, 2..text.len() - 2).collect();
        let expected =
            [Suffix(b"!?"), Nag(Some(14)), Comment(b"a"), Glyph(b"+/="), Comment(b" {c}\n"), Nag(None)];
        assert_eq!(found, expected);
    }
}
