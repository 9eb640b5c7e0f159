//! Plain movetext, a window of 64 bytes at a time: numbers and moves of common shapes, parted by blanks.
//!
//! That is nearly all of real movetext. Every byte of a window becomes a bit in the sets of [`classes`], and what a token may
//! be is followed for all tokens at once by shifting and masking those sets: a set stands for the places a token may have been
//! read to. So no branch waits for a byte. A window ends where something stands that is not plain; it is left to the
//! byte-by-byte reader, which reads plain movetext too and to the same moves.
//!
//! Plain are `1.` and `12...` with a move behind them or not; `e4`, `exd5`, `Nf3`, `Nbd2`, `N1d2`, `Nb1d2`, each with `x` or
//! not, `O-O`, `O-O-O`; each with one check mark or none, and a blank or the end of the text behind.

mod classes;
mod spelt;

use shakmaty::san::San;

use crate::lanes::{WINDOW_BYTES, look};
use classes::Classes;
pub(crate) use spelt::PlainMove;

/// The moves found in a window that were not taken yet.
#[derive(Clone, Debug)]
pub(super) struct Window {
    bytes: Bytes,
    /// Where the window begins in the text.
    base: usize,
    /// First bytes of the moves.
    starts: u64,
    /// The blanks behind them.
    ends: u64,
    /// Those of the first bytes that are of castlings.
    castlings: u64,
    /// Whether something follows that is not plain.
    pub(super) stopped: bool,
}

/// The text of a window, blanks before it and behind its end.
#[derive(Clone, Debug)]
struct Bytes([[u8; WINDOW_BYTES]; 2]);

impl Bytes {
    const BLANK: Self = Self([[b' '; WINDOW_BYTES]; 2]);

    /// Takes the bytes that `text` begins with, and looks at them.
    #[inline]
    fn take(&mut self, text: &[u8]) -> Classes {
        let [_, bytes] = &mut self.0;
        if let Some(text) = text.first_chunk() {
            *bytes = *text;
            // Not at the copy, which was written with other registers than it would be read with.
            return look(text);
        }
        *bytes = [b' '; WINDOW_BYTES];
        bytes[..text.len()].copy_from_slice(text);
        look(bytes)
    }

    /// A byte of the window; or, at an index that wrapped below 0, a blank.
    #[inline]
    fn at(&self, index: usize) -> u8 {
        self.0.as_flattened()[index.wrapping_add(WINDOW_BYTES) % (2 * WINDOW_BYTES)]
    }
}

/// What the classes of a window say.
struct Plain {
    starts: u64,
    ends: u64,
    castlings: u64,
    /// Bytes of plain movetext; what follows is no whole token, or not plain.
    bytes: usize,
    stopped: bool,
}

impl Window {
    /// A window on nothing.
    pub(super) fn new() -> Self {
        Self { bytes: Bytes::BLANK, base: 0, starts: 0, ends: 0, castlings: 0, stopped: false }
    }

    /// Looks at the text from `at` on, where a token or a blank begins; where plain movetext ends.
    pub(super) fn read(&mut self, text: &[u8], at: usize) -> usize {
        let rest = &text[at..];
        let plain = plain(&self.bytes.take(rest));
        (self.base, self.starts, self.ends) = (at, plain.starts, plain.ends);
        self.castlings = plain.castlings;
        self.stopped = plain.stopped;
        at + plain.bytes.min(rest.len())
    }

    /// Whether a move is left that is no castling, to be taken next.
    #[inline]
    pub(super) fn has_move(&self) -> bool {
        self.next_start() & !self.castlings != 0
    }

    /// Takes the next move, which must be [there](Self::has_move): what it says, and where it begins and ends in the text.
    #[expect(clippy::inline_always, reason = "as the move it gives")]
    #[inline(always)]
    pub(super) fn take_move(&mut self) -> (PlainMove, usize, usize) {
        let (start, end) = self.take();
        (spelt::moved(&self.bytes, start, end), self.base + start, self.base + end)
    }

    /// Takes the next move if there is one and it is castling, as [`take_move`](Self::take_move).
    pub(super) fn next_castling(&mut self) -> Option<(San, usize, usize)> {
        if self.next_start() & self.castlings == 0 {
            return None;
        }
        let (start, end) = self.take();
        Some((spelt::castling(&self.bytes, start, end), self.base + start, self.base + end))
    }

    /// The first byte of the next move; none if there is none.
    #[inline]
    fn next_start(&self) -> u64 {
        self.starts & self.starts.wrapping_neg()
    }

    /// Where the next move stands in the window, of which there is one.
    #[inline]
    fn take(&mut self) -> (usize, usize) {
        let (start, end) = (self.starts.trailing_zeros() as usize, self.ends.trailing_zeros() as usize);
        self.starts &= self.starts.wrapping_sub(1);
        self.ends &= self.ends.wrapping_sub(1);
        (start, end)
    }

    /// Takes all moves that are left; how many.
    #[inline]
    pub(super) fn take_all(&mut self) -> u32 {
        let moves = self.starts.count_ones();
        (self.starts, self.ends) = (0, 0);
        moves
    }
}

#[inline]
fn plain(of: &Classes) -> Plain {
    let after_blank = of.blank << 1 | 1;
    let numbers = after_blank & of.nonzero;
    // Adding a run's first bit to the run carries to the bit behind it.
    let after_digits = of.digit.wrapping_add(numbers) & !of.digit;
    let after_dots = of.dot.wrapping_add(after_digits & of.dot) & !of.dot;
    let starts = (after_blank | after_dots) & !of.blank & !numbers;
    let ends = moves(of, starts) & of.blank;
    let behind_words = (!of.blank).wrapping_add(starts) & of.blank;
    let bad = behind_words & !ends | after_digits & !of.dot;
    // Whole tokens only, and only those before the first that is not plain.
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

/// Where the moves from `starts` on can end.
#[inline]
fn moves(of: &Classes, starts: u64) -> u64 {
    let square = |at: u64| (at & of.file) << 1 & of.rank;
    let mut from = (starts & of.piece) << 1;
    from |= (from & of.file) << 1;
    from |= (from & of.rank) << 1;
    from |= (from & of.capture) << 1;
    let piece = square(from) << 1;
    let after_file = (starts & of.file) << 1;
    let pawn = (after_file & of.rank | square((after_file & of.capture) << 1)) << 1;
    let dash_o = |at: u64| ((at & of.dash) << 1 & of.castling) << 1;
    let short = dash_o((starts & of.castling) << 1);
    let ends = piece | pawn | short | dash_o(short);
    ends | (ends & of.check) << 1
}

#[cfg(test)]
mod tests {
    use super::{super::san, *};
    use proptest::prelude::*;

    /// The moves of the plain movetext that `text` begins with, where each stands, and where that ends.
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
