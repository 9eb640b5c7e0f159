//! Every position of the lines as EPD, each once.

use std::io::{self, Write};

use super::tree::{LineTree, Visit};
use crate::epd::{Position, write_position};

pub(super) fn write(tree: &LineTree, out: &mut impl Write) -> io::Result<()> {
    tree.visit(|Visit { node, sans, board, opening }| {
        if node.transposes {
            return Ok(());
        }
        let name = opening.map(|opening| (opening.eco.to_owned(), opening.name.to_owned()));
        let position =
            Position { board, name: name.as_ref(), eval: None, tally: node.tally, line: &sans.join(" ") };
        write_position(&position, out)
    })
}
