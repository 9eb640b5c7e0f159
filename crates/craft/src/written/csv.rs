//! Every move of the lines as a row of a spreadsheet (RFC 4180: commas, quotes where a field needs them).

use std::io::{self, Write};

use query::numbered;
use shakmaty::{Chess, EnPassantMode, Position as _, fen::Fen};

use super::tree::{LineTree, Played, Visit};

/// The names of the columns.
const COLUMNS: &str =
    "ply,line,move,uci,games,white,draws,black,score,share,weight,learned,nag,transposes,eco,opening,fen";

pub(super) fn write(tree: &LineTree, out: &mut impl Write) -> io::Result<()> {
    write!(out, "{COLUMNS}\r\n")?;
    tree.visit(|visit| match &visit.node.played {
        Some(played) => write!(out, "{}\r\n", row(&visit, played)),
        None => Ok(()),
    })
}

fn row(visit: &Visit<'_>, played: &Played) -> String {
    let Visit { node, sans, board, opening } = visit;
    let mover = !board.turn();
    let number = |count: Option<u64>| count.map_or_else(String::new, |count| count.to_string());
    let real = |value: Option<f64>| value.map_or_else(String::new, |value| format!("{value:.4}"));
    let (tally, known) = (played.tally, played.known.unwrap_or_default());
    let fields = [
        sans.len().to_string(),
        numbered(&Chess::default(), sans),
        played.san.to_string(),
        played.mv.to_string(),
        number(tally.map(position::Tally::games)),
        number(tally.map(|tally| tally.white)),
        number(tally.map(|tally| tally.draws)),
        number(tally.map(|tally| tally.black)),
        real(tally.and_then(|tally| tally.score(mover))),
        real(Some(played.share)),
        number(played.weight.map(u64::from)),
        real((known.learn_count > 0).then_some(known.learn.into())),
        number(known.nag.map(u64::from)),
        u8::from(node.transposes).to_string(),
        opening.map_or_else(String::new, |opening| opening.eco.to_owned()),
        opening.map_or_else(String::new, |opening| opening.name.to_owned()),
        Fen::from_position(*board, EnPassantMode::Legal).to_string(),
    ];
    fields.map(|field| quoted(&field)).join(",")
}

/// A field, in quotes where it holds what parts fields.
fn quoted(field: &str) -> String {
    let needs_quotes = field.contains([',', '"', '\n', '\r']);
    if needs_quotes { format!("\"{}\"", field.replace('"', "\"\"")) } else { field.to_owned() }
}
