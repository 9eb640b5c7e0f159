//! The lines of the UCI protocol that the player reads; all others pass through as they are.
//!
//! Source: the description of the Universal Chess Interface of April 2006 (UCI).

mod engine;
mod gui;

pub(crate) use engine::{EngineLine, Found, Score, best_move, info, option_name};
pub(crate) use gui::{Command, Go, Position};

/// The words of a line.
fn words(line: &str) -> std::str::SplitAsciiWhitespace<'_> {
    line.split_ascii_whitespace()
}
