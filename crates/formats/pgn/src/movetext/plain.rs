//! Reads plain movetext: numbers, and moves in their common spellings, separated by blanks (spaces and line
//! breaks). Such text is read in windows of 64 bytes.
//!
//! Nearly all movetext is plain. Each byte of a window becomes one bit in every set of [`Classes`], so all
//! tokens in the window are read at once. Another set has one bit for each token, which marks how far this
//! token has been read. To read one more byte of every token, this set is shifted by one and masked with a
//! class. So no branch depends on the text. A window ends where text stops being plain, and the byte-by-byte
//! reader takes over. That reader accepts plain movetext too, and finds the same moves in it.
//!
//! These spellings are plain: `1.` and `12...`, with or without a move after them; `e4`, `exd5`, `Nf3`,
//! `Nbd2`, `N1d2`, `Nb1d2`, and the same piece moves with `x`; `O-O`, `O-O-O`. A move may have one check
//! mark, and must be followed by a blank or by the end of the text.

mod classes;
mod spelt;

use shakmaty::san::San;

use crate::simd::{WINDOW_BYTES, classify};
use classes::Classes;
pub(crate) use spelt::PlainMove;

/// The moves of a window that have not been returned yet. Each set has one bit per byte of the window.
#[derive(Clone, Debug)]
pub(super) struct Window {
    bytes: Bytes,
    /// The offset of the window in the text.
    base: usize,
    /// The set of bytes at which a move starts.
    starts: u64,
    /// The set of blanks that directly follow a move.
    ends: u64,
    /// The set of bytes at which a castling move starts.
    castlings: u64,
    /// Whether the window stopped at text that is not plain.
    pub(super) stopped: bool,
}

/// Two halves: the first contains only blanks, the second the bytes of a window. A short window is padded
/// with blanks.
///
/// The blank half makes it possible to look up to 64 bytes back from the window without a branch.
#[derive(Clone, Debug)]
struct Bytes([[u8; WINDOW_BYTES]; 2]);

impl Bytes {
    const BLANK: Self = Self([[b' '; WINDOW_BYTES]; 2]);

    /// Copies and classifies the first bytes of `text`.
    #[inline]
    fn take(&mut self, text: &[u8]) -> Classes {
        let [_, bytes] = &mut self.0;
        if let Some(text) = text.first_chunk() {
            *bytes = *text;
            // The original is classified, not the copy. Loads from the copy would have to wait for the stores
            // before them, because the loads and the stores differ in size.
            return classify(text);
        }
        *bytes = [b' '; WINDOW_BYTES];
        bytes[..text.len()].copy_from_slice(text);
        classify(bytes)
    }

    /// Returns a byte of the window, or a blank if `index` has wrapped around below 0.
    #[inline]
    fn at(&self, index: usize) -> u8 {
        self.0.as_flattened()[index.wrapping_add(WINDOW_BYTES) % (2 * WINDOW_BYTES)]
    }
}

/// The plain movetext at the beginning of a window.
struct Plain {
    starts: u64,
    ends: u64,
    castlings: u64,
    /// The length of the plain movetext in bytes. Any text that follows is an incomplete token or is not
    /// plain.
    bytes: usize,
    stopped: bool,
}

impl Window {
    /// An empty window.
    pub(super) fn new() -> Self {
        Self { bytes: Bytes::BLANK, base: 0, starts: 0, ends: 0, castlings: 0, stopped: false }
    }

    /// Reads the text starting at `at`, where a token or a blank must start; returns the end of the plain
    /// movetext.
    pub(super) fn read(&mut self, text: &[u8], at: usize) -> usize {
        let rest = &text[at..];
        let plain = plain(&self.bytes.take(rest));
        (self.base, self.starts, self.ends) = (at, plain.starts, plain.ends);
        self.castlings = plain.castlings;
        self.stopped = plain.stopped;
        at + plain.bytes.min(rest.len())
    }

    /// Whether a move is left in the window, and the next move is not castling.
    #[inline]
    pub(super) fn has_move(&self) -> bool {
        self.next_start() & !self.castlings != 0
    }

    /// Takes the next move, which [must exist](Self::has_move); returns it with its start and end in the
    /// text.
    #[expect(clippy::inline_always, reason = "as the move it gives")]
    #[inline(always)]
    pub(super) fn take_move(&mut self) -> (PlainMove, usize, usize) {
        let (start, end) = self.take();
        (spelt::moved(&self.bytes, start, end), self.base + start, self.base + end)
    }

    /// Takes the next move if it is castling; returns it with its start and end in the text.
    pub(super) fn next_castling(&mut self) -> Option<(San, usize, usize)> {
        if self.next_start() & self.castlings == 0 {
            return None;
        }
        let (start, end) = self.take();
        Some((spelt::castling(&self.bytes, start, end), self.base + start, self.base + end))
    }

    /// A set that contains only the first byte of the next move; empty if no moves are left.
    #[inline]
    fn next_start(&self) -> u64 {
        self.starts & self.starts.wrapping_neg()
    }

    /// Removes the next move, which must exist; returns where it starts and ends in the window.
    #[inline]
    fn take(&mut self) -> (usize, usize) {
        let (start, end) = (self.starts.trailing_zeros() as usize, self.ends.trailing_zeros() as usize);
        self.starts &= self.starts.wrapping_sub(1);
        self.ends &= self.ends.wrapping_sub(1);
        (start, end)
    }

    /// Removes all remaining moves; returns their number.
    #[inline]
    pub(super) fn take_all(&mut self) -> u32 {
        let moves = self.starts.count_ones();
        (self.starts, self.ends) = (0, 0);
        moves
    }
}

/// Finds the plain movetext at the beginning of a window.
#[inline]
fn plain(of: &Classes) -> Plain {
    // The window starts with a token or a blank, so its first byte is treated as if it followed a blank.
    let after_blank = of.blank << 1 | 1;
    let numbers = after_blank & of.nonzero;
    // If the lowest bit of a run of ones is added to the run, the run is cleared and the bit just past it is
    // set. In `after_digits`, that bit stands for the byte after a number's digits; in `after_dots`, for the
    // byte after the number's dots. Runs to which nothing is added are not cleared, so they are masked out.
    let after_digits = of.digit.wrapping_add(numbers) & !of.digit;
    let after_dots = of.dot.wrapping_add(after_digits & of.dot) & !of.dot;
    // A move begins right after a blank or right after a number's dots.
    let starts = (after_blank | after_dots) & !of.blank & !numbers;
    // Every word that begins at `starts` must end where a move can end, and every number must have dots.
    // Anything else is not plain.
    let ends = moves(of, starts) & of.blank;
    let after_words = (!of.blank).wrapping_add(starts) & of.blank;
    let bad = after_words & !ends | after_digits & !of.dot;
    // Subtracting 1 sets all bits below the lowest bad bit (all bits if there is none). Whatever follows the
    // last blank before that bit may be cut off by the window's end, so it is left for the next window.
    let before_bad = bad.wrapping_sub(1) & !bad;
    let bytes = u64::BITS - (of.blank & before_bad).leading_zeros();
    let within = u64::MAX.checked_shr(u64::BITS - bytes).unwrap_or(0);
    Plain {
        starts: starts & within,
        ends: ends & within,
        castlings: starts & within & of.castling,
        bytes: bytes as usize,
        stopped: bad != 0 || bytes == 0,
    }
}

/// The set of bytes that directly follow the moves at `starts`. A move that can be read in several ways
/// contributes one byte for each way.
#[inline]
fn moves(of: &Classes, starts: u64) -> u64 {
    // Takes the bytes at which a square may begin, and returns the second byte of every square that does
    // begin there.
    let square = |at: u64| (at & of.file) << 1 & of.rank;
    // A piece letter, then optionally a file, a rank and `x`. Each `|=` also keeps the bits that were set
    // before, because the file, the rank or the `x` may be missing.
    let mut from = (starts & of.piece) << 1;
    from |= (from & of.file) << 1;
    from |= (from & of.rank) << 1;
    from |= (from & of.capture) << 1;
    let piece = square(from) << 1;
    // A pawn move: a file and a rank, or a file, `x` and a square.
    let after_file = (starts & of.file) << 1;
    let pawn = (after_file & of.rank | square((after_file & of.capture) << 1)) << 1;
    // Castling: `O`, then `-O` once or twice.
    let dash_o = |at: u64| ((at & of.dash) << 1 & of.castling) << 1;
    let short = dash_o((starts & of.castling) << 1);
    let ends = piece | pawn | short | dash_o(short);
    ends | (ends & of.check) << 1
}

#[cfg(test)]
mod tests {
    use super::{super::san, *};
    use proptest::prelude::*;

    /// Returns the moves in the plain movetext at the beginning of `text`, with their starts and ends, and
    /// where that movetext ends.
    fn read(text: &str) -> (Vec<(San, usize, usize)>, usize) {
        let (mut window, mut found, mut at) = (Window::new(), Vec::new(), 0);
        loop {
            at = window.read(text.as_bytes(), at);
            found.extend(std::iter::from_fn(|| {
                if window.has_move() {
                    let (moved, start, end) = window.take_move();
                    return Some((moved.into(), start, end));
                }
                window.next_castling()
            }));
            if window.stopped || at == text.len() {
                return (found, at);
            }
        }
    }

    fn general(text: &[u8], at: usize) -> Option<(San, usize)> {
        san::castling(text, at).or_else(|| san::parse(text, at))
    }

    proptest! {
        #[test]
        fn prop_moves_are_those_of_the_general_reader(
            text in "([1-9][0-9]?\\.{1,3} ?|)([KQRBNPO](|[a-h])(|[1-8])(|x)[a-h][1-8]|[a-h]x[a-h][1-8](|=[QK])|O-O(|-O)|[a-h][1-8]|[Pex=+-]{1,3})[+#]?(| |\n|  )([a-hO1-8+ .-]{0,8})"
        ) {
            let (moves, end) = read(&text);
            prop_assert!(end <= text.len());
            for (san, start, stop) in moves {
                prop_assert_eq!(general(text.as_bytes(), start), Some((san, stop)), "{}", text);
            }
        }

        #[test]
        fn prop_common_shapes_are_plain(
            words in prop::collection::vec(
                "(1[0-9]?\\.{1,3} ?|)([KQRBN](|[a-h])(|[1-8])x?[a-h][1-8]|([a-h]x)?[a-h][1-8]|O-O(-O)?)[+#]?[ \n\r]{1,2}",
                1..30,
            )
        ) {
            let text = words.concat();
            let (moves, end) = read(&text);
            prop_assert_eq!((moves.len(), end), (words.len(), text.len()), "{}", text);
            prop_assert_eq!(read(text.trim_end()).0.len(), words.len());
        }
    }

    #[test]
    fn a_window_ends_where_something_is_not_plain() {
        for (text, moves, end) in [
            ("", 0, 0),
            ("1. e4 e5 1-0", 2, 9),
            ("1. e4 e5! 2. Nf3", 1, 6),
            ("e4 e5;x", 1, 3),
            (" 1 e4", 0, 1),
            ("1. e4 {a}", 1, 6),
            ("1.e4 2.3.e5", 1, 5),
            ("0-0 e4", 0, 0),
            ("e4 e8=Q ", 1, 3),
            ("e4 Nbb1d2", 1, 3),
            ("e4 Ke8=Q ", 1, 3),
            ("O-O-O-O", 0, 0),
            ("e4\te5", 0, 0),
        ] {
            let (found, stop) = read(text);
            assert_eq!((found.len(), stop), (moves, end), "{text}");
        }
        assert_eq!(read(&"x".repeat(100)), (Vec::new(), 0));
    }
}
