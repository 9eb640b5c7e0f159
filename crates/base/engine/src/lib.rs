//! Runs a UCI engine, a separate program that reads and writes lines of text.
//!
//! [`Engine`] is the engine's process, [`EngineLine`] is a line that it prints, and [`Searcher`] uses an
//! engine to search one position after another.
//!
//! # Flow
//!
//! 1. [`Engine::start`] starts the program. One thread writes to it, and another reads its lines
//!    ([`receive`]).
//! 2. [`EngineLine::read`] determines what kind of line the engine printed, and [`info`] reads the value that
//!    a search has found so far.
//! 3. A [`Searcher`] starts a search and waits a limited time for its result.
//! 4. Dropping an engine kills it, along with every process that it started.
//!
//! The protocol is described in the Universal Chess Interface (UCI) specification of April 2006.

mod error;
mod line_reader;
mod process;
mod protocol;
mod searcher;

pub use error::{Error, Result};
pub use line_reader::{Delivery, receive};
pub use process::{Engine, split};
pub use protocol::{EngineLine, InfoLine, PrintedScore, SearchValue, best_move, info, option_name};
pub use searcher::{Limit, Searcher, SearcherOptions, Value};
