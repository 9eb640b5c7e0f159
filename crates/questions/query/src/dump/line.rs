//! Types for the lines of a Polyglot book, and for the entries that are not in any line.

use std::fmt;

use book::polyglot::PolyglotEntry;
use serde::Serialize;
use shakmaty::{CastlingMode, Chess, Color, Move, san::SanPlus};

/// A line of moves from the start position; one side plays by the book.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct DumpedLine {
    /// The side that plays by the book: `white` or `black`.
    pub side: &'static str,
    /// The line's number among this side's lines, counting from 1.
    pub number: u64,
    /// The moves.
    pub moves: Vec<DumpedMove>,
    /// The place where the line's last position was first reached, by an earlier line or by this line itself;
    /// `None` if the position is new.
    pub joins: Option<Joined>,
}

/// A move in a line.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct DumpedMove {
    /// The move in SAN.
    pub san: String,
    /// The move in UCI notation, with castling written as the king's move.
    pub uci: String,
    /// The move's weight; `None` if the other side plays it.
    pub weight: Option<u16>,
    /// The move's share of the weights in its position; `None` if the other side plays it.
    pub share: Option<f64>,
}

/// A place in the listed lines.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Joined {
    /// The line's number.
    pub line: u64,
    /// The number of plies from the beginning of line number `line` to this place.
    pub ply: usize,
}

impl DumpedLine {
    /// The first line, before any moves.
    pub(super) fn first(side: Color) -> Self {
        let side = side.fold_wb("white", "black");
        Self { side, number: 1, moves: Vec::new(), joins: None }
    }
}

impl DumpedMove {
    /// Plays a move, and records it in SAN and in UCI notation.
    pub(super) fn play(position: &mut Chess, m: Move, weighted: Option<(u16, f64)>) -> Self {
        Self {
            uci: m.to_uci(CastlingMode::Standard).to_string(),
            san: SanPlus::from_move_and_play_unchecked(position, m).to_string(),
            weight: weighted.map(|(weight, _)| weight),
            share: weighted.map(|(_, share)| share),
        }
    }
}

impl fmt::Display for DumpedLine {
    /// Prints `18: 1. e4{50%} c6 2. d4{85%} {trans: line=12, ply=15}`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.number)?;
        for (ply, mv) in self.moves.iter().enumerate() {
            if ply % 2 == 0 {
                write!(f, " {}.", ply / 2 + 1)?;
            }
            write!(f, " {}", mv.san)?;
            if let Some(share) = mv.share {
                write!(f, "{{{:.0}%}}", 100.0 * share)?;
            }
        }
        match self.joins {
            Some(Joined { line, ply }) => write!(f, " {{trans: line={line}, ply={ply}}}"),
            None => Ok(()),
        }
    }
}

/// An entry that is not in any line, exactly as stored in the file.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
#[non_exhaustive]
pub struct RawEntry {
    /// The position's key, as sixteen hexadecimal digits.
    pub key: String,
    /// The move as Polyglot packs it, in UCI notation; castling is written as the king taking its own rook.
    #[serde(rename = "move")]
    pub mv: String,
    /// The entry's weight.
    pub weight: u16,
    /// The last 32 bits of the entry.
    pub learn: u32,
}

impl From<PolyglotEntry> for RawEntry {
    fn from(PolyglotEntry { key, mv, weight, learn }: PolyglotEntry) -> Self {
        Self { key: key.to_string(), mv: mv.to_string(), weight, learn }
    }
}

impl fmt::Display for RawEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {} {}", self.key, self.mv, self.weight, self.learn)
    }
}
