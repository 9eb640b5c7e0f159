//! A position as a line of EPD.

use std::fmt::{self, Write as _};

use position::push_epd;
use shakmaty::{Chess, EnPassantMode, Position as _, fen::Fen};

use crate::Frequency;

/// A position, and the data that is written about it.
pub(crate) struct Position<'p> {
    /// The board; its halfmove clock and move number follow from the line.
    pub(crate) board: &'p Chess,
    /// ECO code and name.
    pub(crate) name: Option<(&'p str, &'p str)>,
    /// White's advantage in pawns.
    pub(crate) eval: Option<f32>,
    pub(crate) frequency: Option<Frequency>,
    /// The moves that lead to the position, in SAN.
    pub(crate) line: &'p str,
    /// The position that these moves begin with, if it is not the start position.
    pub(crate) root: Option<&'p Chess>,
}

/// Adds the four EPD fields, the halfmove clock and move number, and those of the following operations that
/// are known: `id`, `ce`, `c0` (games), `c1` (moves), and `c2` (the FEN of the position where these moves
/// begin).
pub(crate) fn push_position(position: &Position<'_>, text: &mut String) -> fmt::Result {
    let Position { board, name, eval, frequency, line, root } = position;
    push_epd(board, text);
    write!(text, " hmvc {}; fmvn {};", board.halfmoves(), board.fullmoves())?;
    if let Some((eco, name)) = name {
        write!(text, " id \"{eco} {}\";", name.replace('"', "'"))?;
    }
    if let Some(pawns) = eval {
        write!(text, " ce {};", centipawns(board.turn().fold_wb(*pawns, -pawns)))?;
    }
    if let Some(frequency) = frequency {
        text.push_str(" c0 \"");
        frequency.push(text)?;
        text.push_str("\";");
    }
    if !line.is_empty() {
        write!(text, " c1 \"{line}\";")?;
    }
    if let Some(root) = root {
        write!(text, " c2 \"{}\";", Fen::from_position(*root, EnPassantMode::Legal))?;
    }
    text.push('\n');
    Ok(())
}

fn centipawns(pawns: f32) -> i32 {
    (pawns * 100.0).round() as i32
}
