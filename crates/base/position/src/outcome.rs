//! The result of a game.

use serde::{Deserialize, Serialize};
use strum::{Display, IntoStaticStr};

/// The result of a finished game. Its text is written as in PGN (PGN standard 8.1.1.7).
#[derive(Clone, Copy, Debug, Deserialize, Display, Eq, Hash, IntoStaticStr, PartialEq, Serialize)]
pub enum Outcome {
    /// White won.
    #[strum(serialize = "1-0")]
    White = 0,
    /// Drawn.
    #[strum(serialize = "1/2-1/2")]
    Draw = 1,
    /// Black won.
    #[strum(serialize = "0-1")]
    Black = 2,
}

impl Outcome {
    /// Every outcome, in the order of the table's columns `white`, `draws`, `black`.
    pub const ALL: [Outcome; 3] = [Outcome::White, Outcome::Draw, Outcome::Black];
}
