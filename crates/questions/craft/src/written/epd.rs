//! Writes each position on the lines once, as EPD.

use std::fmt;

use super::visit::Visit;
use crate::{
    Frequency,
    epd::{Position, push_position},
};

/// Adds a node's position. If another line continues from the same position, adds nothing, because the
/// position is written when that line is visited.
pub(super) fn push_line(visit: &Visit<'_>, text: &mut String) -> fmt::Result {
    let Visit { node, line, board, opening, root, .. } = *visit;
    if node.transposes {
        return Ok(());
    }
    let name = opening.map(|opening| (opening.eco, opening.name));
    let frequency = node.tally.map(Frequency::Games);
    push_position(&Position { board, name, eval: None, frequency, line, root }, text)
}
