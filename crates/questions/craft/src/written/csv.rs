//! Writes lines as CSV, with one row per move (RFC 4180: fields are separated by commas, and quoted where
//! necessary).

use std::fmt::{self, Write as _};

use position::{Tally, push_epd};
use shakmaty::{Color, EnPassantMode, Position as _, fen::Fen};

use super::{tree::Played, visit::Visit};
use crate::decimal::Decimal;

/// The names of the columns. [`ROOT`] is added to them if any line begins with a root.
pub(super) const HEADING: &str = "ply,line,move,uci,games,white,draws,black,score,share,weight,learned,nag,\
                                  transposes,eco,opening,fen";
/// The column for the FEN of a line's root; empty if the line begins at the start position.
pub(super) const ROOT: &str = ",root";

/// A row being written; every field but the last is followed by a comma.
struct Row<'t>(&'t mut String);

/// Adds the row for the move that leads to a node. The first position gets no row.
pub(super) fn push_row(visit: &Visit<'_>, text: &mut String) -> fmt::Result {
    let Some(played) = &visit.node.played else { return Ok(()) };
    let Visit { line, ply, board, opening, node, .. } = visit;
    let mut row = Row(text);
    row.number(Some(*ply));
    row.text(line);
    row.text(visit.san());
    write!(row.0, "{},", played.mv)?;
    row.played(played, !board.turn())?;
    row.number(Some(u8::from(node.transposes)));
    let (eco, name) = opening.map_or(("", ""), |opening| (opening.eco, opening.name));
    row.text(eco);
    row.quoted(name);
    push_epd(board, row.0);
    write!(row.0, " {} {}", board.halfmoves(), board.fullmoves())?;
    if visit.has_roots {
        row.0.push(',');
        let fen = visit.root.map(|root| Fen::from_position(root, EnPassantMode::Legal));
        fen.map_or(Ok(()), |fen| write!(row.0, "{fen}"))?;
    }
    row.0.push_str("\r\n");
    Ok(())
}

impl Row<'_> {
    /// Adds the fields for a move's counts and values.
    fn played(&mut self, played: &Played, mover: Color) -> fmt::Result {
        let Played { tally, share, weight, known, .. } = played;
        let counts: [fn(Tally) -> u64; 4] =
            [Tally::games, |tally| tally.white, |tally| tally.draws, |tally| tally.black];
        for count in counts {
            self.number(tally.map(count));
        }
        self.decimal(tally.and_then(|tally| tally.score(mover)))?;
        self.decimal(Some(*share))?;
        self.number(*weight);
        let learned = known.as_ref().filter(|known| known.learn_count > 0);
        self.decimal(learned.map(|known| known.learn.into()))?;
        self.number(known.as_ref().and_then(|known| known.nag));
        Ok(())
    }

    fn number(&mut self, number: Option<impl itoa::Integer>) {
        if let Some(number) = number {
            self.0.push_str(itoa::Buffer::new().format(number));
        }
        self.0.push(',');
    }

    fn decimal(&mut self, number: Option<f64>) -> fmt::Result {
        number.map_or(Ok(()), |number| write!(self.0, "{}", Decimal::<4>(number)))?;
        self.0.push(',');
        Ok(())
    }

    /// Adds a string that never needs quotes, because it contains no separators.
    fn text(&mut self, field: &str) {
        self.0.push_str(field);
        self.0.push(',');
    }

    /// Adds any string, and quotes it if it contains separators.
    fn quoted(&mut self, field: &str) {
        if field.contains([',', '"', '\n', '\r']) {
            self.0.extend(["\"", &field.replace('"', "\"\""), "\","]);
        } else {
            self.text(field);
        }
    }
}
