//! A position as a line of EPD.

use std::io::{self, Write};

use position::Tally;
use shakmaty::{Chess, Color, EnPassantMode, Position as _, fen::Epd};

/// What is written of a position.
pub(crate) struct Position<'p> {
    /// With the counters of moves of its line.
    pub(crate) board: &'p Chess,
    /// ECO code and name.
    pub(crate) name: Option<&'p (String, String)>,
    /// White's advantage in pawns.
    pub(crate) eval: Option<f32>,
    pub(crate) tally: Option<Tally>,
    /// The moves that lead there, in SAN.
    pub(crate) line: &'p str,
}

/// Writes four fields, the counters, and what else is known: `id`, `ce`, `c0` (games), `c1` (moves).
pub(crate) fn write_position(position: &Position<'_>, out: &mut impl Write) -> io::Result<()> {
    let Position { board, name, eval, tally, line } = position;
    let epd = Epd::from_position(*board, EnPassantMode::Legal);
    write!(out, "{epd} hmvc {}; fmvn {};", board.halfmoves(), board.fullmoves())?;
    if let Some((eco, name)) = name {
        write!(out, " id \"{}\";", format!("{eco} {name}").replace('"', "'"))?;
    }
    if let Some(pawns) = eval {
        write!(out, " ce {};", centipawns(board.turn().fold_wb(*pawns, -pawns)))?;
    }
    if let Some(tally) = tally {
        write!(out, " c0 \"{}\";", counted(*tally))?;
    }
    if !line.is_empty() {
        write!(out, " c1 \"{line}\";")?;
    }
    writeln!(out)
}

fn centipawns(pawns: f32) -> i32 {
    (pawns * 100.0).round() as i32
}

/// Games, White's score and draws.
pub(crate) fn counted(tally: Tally) -> String {
    let score = 100.0 * tally.score(Color::White).unwrap_or_default();
    let draws = 100.0 * crate::ratio(tally.draws, tally.games().max(1));
    format!("games {}, White scores {score:.1} %, draws {draws:.1} %", tally.games())
}
