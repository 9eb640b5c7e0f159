//! Every move of the lines as a row of a spreadsheet (RFC 4180: commas, quotes where a field needs them).

use std::fmt::{self, Display, Write as _};

use position::Tally;
use shakmaty::{EnPassantMode, Position as _, fen::Fen};

use super::{tree::Played, visit::Visit};
use crate::decimal::Decimal;

/// The names of the columns.
pub(super) const HEADING: &str = "ply,line,move,uci,games,white,draws,black,score,share,weight,learned,nag,\
                                  transposes,eco,opening,fen\r\n";

/// A field that may be empty.
struct Field<T>(Option<T>);

/// Adds the row of a node's move; the first position has none.
pub(super) fn push_row(visit: &Visit<'_>, text: &mut String) -> fmt::Result {
    let Some(played) = &visit.node.played else { return Ok(()) };
    let Visit { line, ply, board, opening, node, .. } = visit;
    write!(text, "{ply},{line},{},{},", visit.san(), played.mv)?;
    push_numbers(played, !board.turn(), text)?;
    let (eco, name) = opening.map_or(("", ""), |opening| (opening.eco, opening.name));
    write!(text, "{},{eco},", u8::from(node.transposes))?;
    push_quoted(name, text);
    text.push(',');
    Fen::from_position(*board, EnPassantMode::Legal).append_to_string(text);
    text.push_str("\r\n");
    Ok(())
}

fn push_numbers(played: &Played, mover: shakmaty::Color, text: &mut String) -> fmt::Result {
    let Played { tally, share, weight, known, .. } = played;
    let count = |of: fn(Tally) -> u64| Field(tally.map(of));
    let score = tally.and_then(|tally| tally.score(mover));
    let (games, white, draws, black) = (
        count(Tally::games),
        count(|tally| tally.white),
        count(|tally| tally.draws),
        count(|tally| tally.black),
    );
    write!(text, "{games},{white},{draws},{black},{},", Field(score.map(Decimal::<4>)))?;
    let learned =
        known.as_ref().filter(|known| known.learn_count > 0).map(|known| Decimal::<4>(known.learn.into()));
    let nag = known.as_ref().and_then(|known| known.nag);
    write!(text, "{},{},{},{},", Decimal::<4>(*share), Field(*weight), Field(learned), Field(nag))
}

impl<T: Display> Display for Field<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.as_ref().map_or(Ok(()), |value| value.fmt(f))
    }
}

/// A field, in quotes where it holds what parts fields.
fn push_quoted(field: &str, text: &mut String) {
    if field.contains([',', '"', '\n', '\r']) {
        text.extend(["\"", &field.replace('"', "\"\""), "\""]);
    } else {
        text.push_str(field);
    }
}
