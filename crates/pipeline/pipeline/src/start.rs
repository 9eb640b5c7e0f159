//! The setting for the position from which a stage or command begins.

use clap::Args;
use position::{NamedLine, NamedPositionError, named_line};
use serde::{Deserialize, Serialize};
use shakmaty::Chess;

/// A position, as given by a user.
#[derive(Args, Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct StartPosition {
    /// The position [default: the start position]
    #[arg(long)]
    pub fen: Option<String>,
    /// Moves from that position, in SAN or UCI, with or without move numbers: "e4 e5", "1. e4 e5", "e2e4
    /// e7e5"
    #[arg(long, value_name = "MOVES")]
    pub line: Option<String>,
}

impl StartPosition {
    /// The position.
    ///
    /// # Errors
    ///
    /// Fails if the FEN cannot be read, or a move cannot be played.
    pub fn position(&self) -> Result<Chess, NamedPositionError> {
        Ok(self.way()?.position)
    }

    /// The position, and the line that leads there.
    ///
    /// # Errors
    ///
    /// Fails as [`position`](Self::position) does.
    pub fn way(&self) -> Result<NamedLine, NamedPositionError> {
        named_line(self.fen.as_deref(), self.line.as_deref())
    }
}
