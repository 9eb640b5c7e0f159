//! A move and its annotations.

use position::{Key, PackedMove, Step};

/// One move of a main line with its annotations.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AnnotatedPly {
    /// The position before the move.
    pub key: Key,
    /// The move.
    pub mv: PackedMove,
    /// What the move changes in the key besides its squares.
    pub step: Step,
    /// The move's annotations.
    pub notes: Notes,
}

/// The annotations of one move. If there are several annotations of one kind, the last one is kept.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Notes {
    /// The NAG of the move, 1–9, from `$n` or a suffix: 1 `!`, 2 `?`, 3 `!!`, 4 `??`, 5 `!?`, 6 `?!` (PGN
    /// standard, section 10).
    pub nag: Option<u8>,
    /// The NAG of the position after the move, 10–135, from `$n` or an evaluation sign: 10 `=`, 14 `+/=` and
    /// so on.
    pub assessment: Option<u8>,
    /// The value that a search found for the position.
    pub evaluation: Option<Evaluation>,
    /// The depth of the search that found the value, in plies.
    pub depth: Option<u16>,
    /// The form of the evaluation.
    pub style: Option<Style>,
    /// Whether the move came from an opening book, according to the comment.
    pub is_book: bool,
    /// Time left on the mover's clock after the move, in milliseconds.
    pub clock_left_ms: Option<u64>,
    /// Time the move took, in milliseconds.
    pub time_used_ms: Option<u64>,
}

/// The value of the position after a move, from White's point of view.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Evaluation {
    /// In pawns.
    Pawns(f32),
    /// White mates in this many moves; if the number is negative, Black does. 0 never occurs: a mate on the
    /// board is ±1.
    Mate(i32),
}

/// The form in which an evaluation is written: [`super`] has a table of these forms.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum Style {
    /// `[%eval 0.25]`.
    Lichess,
    /// `[%eval 25,18]`.
    ChessBase,
    /// `+0.25/18 1.2s`.
    Cutechess,
    /// `(e2e4) +0.25/18 5`.
    Arena,
    /// `d=18, wv=0.25,` or `ev=0.25, d=18,`.
    Tcec,
}
