//! How a game ended.

use std::fmt;

/// The result of a finished game.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum Outcome {
    /// White won.
    White = 0,
    /// Drawn.
    Draw = 1,
    /// Black won.
    Black = 2,
}

impl Outcome {
    /// Every outcome, in the order of the table's columns `white`, `draws`, `black`.
    pub const ALL: [Outcome; 3] = [Outcome::White, Outcome::Draw, Outcome::Black];
}

/// As PGN writes it (PGN standard 8.1.1.7).
impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Outcome::White => "1-0",
            Outcome::Draw => "1/2-1/2",
            Outcome::Black => "0-1",
        })
    }
}
