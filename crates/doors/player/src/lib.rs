//! A UCI player that sits between a GUI and an engine, and plays book moves without asking the engine.
//!
//! [`play`] speaks UCI with a GUI on one side and with any engine on the other. If a position is in the book,
//! a policy chooses the move; otherwise, the engine is asked. Lines that do not concern the player pass
//! through unchanged.
//!
//! # Flow
//!
//! 1. Two threads read lines: one from the GUI, and one from the engine (the crate `engine`). A loop handles
//!    the lines of both threads; lines from the GUI have priority (`session`).
//! 2. `protocol` reads the few GUI commands that concern the player; `line` plays the moves of a position.
//! 3. `book` chooses a move and writes a comment about it for the GUI; `options` offers the settings as UCI
//!    options.
//! 4. `game` follows the game being played, and `learning` learns from it when it is over.
//!
//! Source of the protocol: the description of the Universal Chess Interface of April 2006 (UCI).

mod book;
mod error;
mod game;
mod learning;
mod line;
mod options;
mod protocol;
mod session;

pub use book::BookOptions;
pub use error::{Error, Result};
pub use learning::{ExchangeOptions, LearnOptions};
pub use session::{SessionOptions, play};
