//! The verdict on a game: accepted, filtered, or rejected for a reason.

use strum::{Display, IntoStaticStr, VariantArray};

use crate::{
    filter::Filter,
    input::Place,
    misspelling::Misspellings,
    tags::{decode, trim_start},
};

/// The reasons to reject a game, in order of precedence: the first that applies is reported.
#[derive(Clone, Copy, Debug, Display, Eq, Hash, IntoStaticStr, Ord, PartialEq, PartialOrd, VariantArray)]
#[strum(serialize_all = "kebab-case")]
pub enum Reason {
    /// Text before the first game of an input, such as mail headers or moves without tags.
    Fragment,
    /// A Variant tag with a variant whose rules are not those of chess.
    Variant,
    /// The game has more text, moves or tags than a single game may have.
    TooLarge,
    /// The game does not start from the start position.
    FromPosition,
    /// Neither the Result tag nor the movetext names a result.
    ResultUnknown,
    /// The Result tag and the movetext give different results, or one gives a result and the other is `*`.
    ResultMismatch,
    /// The game has no move.
    NoMoves,
    /// A move that is not legal.
    IllegalMove,
    /// A move in the text that matches more than one legal move.
    AmbiguousMove,
    /// Text in the movetext that is not a move, number, annotation, comment, variation or result.
    BadToken,
    /// A comment that is never closed in the game's text.
    UnclosedComment,
    /// Text in the tag section that is not a tag, or a FEN tag that does not give a position.
    InvalidTags,
}

/// Why a game was rejected, and an excerpt that helps the user find the place.
#[derive(Clone, Debug, Eq, PartialEq)]
#[must_use]
pub struct Rejection {
    /// The reason.
    pub reason: Reason,
    /// The ply of the move that failed, counting White's first move as 1; `None` if the reason is not about a
    /// move.
    pub ply: Option<u32>,
    /// The offending token, tag value or line, decoded as tag values are, at most
    /// [`Rejection::TEXT_CHARS_MAX`] characters.
    pub text: String,
}

impl Rejection {
    /// The maximum number of characters of offending text that are kept.
    pub const TEXT_CHARS_MAX: usize = 80;

    /// Creates a rejection for `reason`. `bytes` is the text that caused it; the rejection keeps only its
    /// first non-blank line.
    pub fn new(reason: Reason, ply: Option<u32>, bytes: &[u8]) -> Self {
        Self { reason, ply, text: excerpt(bytes) }
    }

    /// Creates a rejection for text that precedes the first game of an input.
    pub fn fragment(text: &[u8]) -> Self {
        Self::new(Reason::Fragment, None, text)
    }
}

/// The first non-blank line of `bytes`, decoded in the same way as tag values, and shortened.
#[must_use]
pub fn excerpt(bytes: &[u8]) -> String {
    const CHARS_MAX: usize = Rejection::TEXT_CHARS_MAX;
    let bytes = first_line(bytes);
    // A character takes at most four bytes, so `4 * CHARS_MAX` bytes contain at least `CHARS_MAX` characters.
    let bytes = bytes.get(..4 * CHARS_MAX).map_or(bytes, whole_characters);
    decode(bytes).chars().take(CHARS_MAX).collect()
}

/// Drops a UTF-8 character that is cut off at the end of `bytes`; otherwise, all of `bytes` would be read as
/// Windows-1252.
fn whole_characters(bytes: &[u8]) -> &[u8] {
    match std::str::from_utf8(bytes) {
        Err(error) if error.error_len().is_none() => &bytes[..error.valid_up_to()],
        _ => bytes,
    }
}

/// The first non-blank line of `text`, without its line break.
fn first_line(text: &[u8]) -> &[u8] {
    let line = trim_start(text);
    let end = memchr::memchr2(b'\n', b'\r', line).unwrap_or(line.len());
    &line[..end]
}

/// The verdict on one game.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Verdict {
    /// The game is counted.
    Accepted {
        /// The number of moves that were played, up to the ply limit.
        plies: u32,
        /// Whether a move that could not be played ended the game early (`keep-prefix`).
        cut: bool,
        /// The misspellings that were read leniently.
        misspellings: Misspellings,
    },
    /// A filter excluded the game, which is not an error.
    Filtered(Filter),
    /// The game is not counted; the rejection says why.
    Rejected(Rejection),
    /// The game is a copy of another game that is counted. The value is the place of that other game, or
    /// `None` if the other game is already in a table.
    Copy(Option<Place>),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_in_order_and_named_once() {
        assert!(Reason::VARIANTS.is_sorted());
        let names: Vec<_> = Reason::VARIANTS.iter().map(<&str>::from).collect();
        let mut unique = names.clone();
        unique.sort_unstable();
        unique.dedup();
        assert_eq!(unique.len(), names.len());
    }

    #[test]
    fn text_is_short_and_decoded() {
        let text = |bytes: &[u8]| Rejection::new(Reason::BadToken, None, bytes).text;
        assert_eq!(text(b"K\xf6nig"), "König");
        assert_eq!(text("é".repeat(1000).as_bytes()), "é".repeat(80));
        assert_eq!(text("€".repeat(1000).as_bytes()), "€".repeat(80), "cut at a whole character");
        assert_eq!(text(&[0xff; 1000]), "ÿ".repeat(80));
        assert_eq!(text(b"caf\xe9"), "café");
    }

    #[test]
    fn fragments_tell_their_first_line() {
        let rejection = Rejection::fragment(b"\r\n\xef\xbb\xbf  From: a\r\nTo: b\n");
        assert_eq!((rejection.reason, rejection.text.as_str()), (Reason::Fragment, "From: a"));
        assert_eq!(Rejection::fragment(b"").text, "");
    }
}
