//! Non-ASCII characters and their replacements in PGN.

use crate::{misspelling::Misspelling, tags::windows_1252};

/// Returns the end of the character at `at`. If the character has a replacement in PGN, also returns that
/// replacement and the kind of misspelling.
pub(super) fn sign(text: &[u8], at: usize) -> (usize, Option<(&'static str, Misspelling)>) {
    if text[at].is_ascii() {
        return (at + 1, None);
    }
    let (sign, len) = character(&text[at..]);
    (at + len, known(sign, len))
}

/// Returns the first character of `text` and its length in bytes. Valid UTF-8 is read as such, anything else
/// as Windows-1252.
fn character(text: &[u8]) -> (char, usize) {
    let utf_8 = (2..=4).find_map(|len| Some((std::str::from_utf8(text.get(..len)?).ok()?, len)));
    let found = utf_8.and_then(|(text, len)| Some((text.chars().next()?, len)));
    found.unwrap_or_else(|| (windows_1252(text[0]), 1))
}

/// The figurines are in the Unicode block of chess symbols; the evaluation signs are those of Chess
/// Informant.
fn known(sign: char, len: usize) -> Option<(&'static str, Misspelling)> {
    use Misspelling::{CaptureSigns, EvaluationSigns, Figurines, Typography};
    Some(match sign {
        '♔' | '♚' => ("K", Figurines),
        '♕' | '♛' => ("Q", Figurines),
        '♖' | '♜' => ("R", Figurines),
        '♗' | '♝' => ("B", Figurines),
        '♘' | '♞' => ("N", Figurines),
        '♙' | '♟' => ("P", Figurines),
        '×' => ("x", CaptureSigns),
        '±' => (" +/- ", EvaluationSigns),
        '∓' => (" -/+ ", EvaluationSigns),
        '⩲' => (" +/= ", EvaluationSigns),
        '⩱' => (" =/+ ", EvaluationSigns),
        '∞' => (" ~ ", EvaluationSigns),
        '‼' => ("!!", EvaluationSigns),
        '⁇' => ("??", EvaluationSigns),
        '⁈' => ("?!", EvaluationSigns),
        '⁉' => ("!?", EvaluationSigns),
        '□' | '⨀' | '⊙' | '○' | '⟳' | '↑' | '→' | '⇆' | '⇄' | '∆' | '△' | '▽' | '⌓' | '⊕' | '⨁' | '⯹'
        | '↔' | '≅' | '≈' => (" ", EvaluationSigns),
        '\u{2010}'..='\u{2015}' | '\u{2212}' => ("-", Typography),
        '\u{a0}' | '\u{2000}'..='\u{200b}' | '\u{202f}' | '\u{205f}' | '\u{2060}' | '\u{3000}' => {
            (" ", Typography)
        }
        // Variation selectors only say how to draw the figurine before them.
        '\u{fe0e}' | '\u{fe0f}' => ("", Typography),
        '…' => ("...", Typography),
        // The movetext reader accepts `½` in UTF-8, so only the single byte of Windows-1252 is replaced.
        '½' if len == 1 => ("½", Typography),
        _ => return None,
    })
}
