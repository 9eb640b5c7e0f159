//! A UCI player: it sits between a GUI and an engine, and answers positions of a book itself.
//!
//! [`play`] speaks UCI with a GUI on one side and with any engine on the other. A policy draws the move for a
//! position of the book; all other lines pass through unchanged.
//!
//! # Flow
//!
//! 1. Two threads read lines, one from the GUI and one from the engine (the crate `engine`); one loop takes
//!    them in the order in which they arrive (`session`).
//! 2. `protocol` reads the few lines of the GUI that matter here; `line` plays the moves of a position.
//! 3. `book` draws a move and writes the comment on it; `options` are the settings as UCI options.
//! 4. `game` follows the game that is played, and `learning` learns from it when it is over.
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
