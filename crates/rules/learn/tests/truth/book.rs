//! The book of the real games before any learning, and the values that Craftys stored in it.

use std::collections::BTreeMap;

use learn::crafty::LearningBook;
use position::{Key, PackedMove};
use shakmaty::{CastlingMode, Chess, fen::Fen, uci::UciMove};

use crate::files::{read, rows};

/// An edge.
pub(crate) type Edge = (Key, PackedMove);

/// A learned value as Crafty stored it, and whether Black makes the move.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stored {
    pub(crate) learn: f32,
    pub(crate) black: bool,
}

/// The edges of a file.
pub(crate) fn edges(name: &str) -> Option<BTreeMap<Edge, Stored>> {
    let text = read(&format!("../crafty/truth/{name}"))?;
    Some(rows(&text).map(|row| edge(&row)).collect())
}

/// The book of `version`.
pub(crate) fn fresh(version: &str) -> Option<BTreeMap<Edge, Stored>> {
    edges(if version == "15.17" { "book_edges_v15.17.tsv" } else { "book_edges_v16_to_v20.tsv" })
}

fn edge(row: &[&str]) -> (Edge, Stored) {
    let position: Chess = row[0].parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
    let mv = row[1].parse::<UciMove>().unwrap().to_move(&position).unwrap();
    let bits = u32::from_str_radix(row[7], 16).unwrap();
    let stored = Stored { learn: f32::from_bits(bits), black: row[0].contains(" b ") };
    ((Key::of(&position), PackedMove::pack(mv)), stored)
}

/// A learning book of these edges without learned values.
pub(crate) fn learning_book<'a>(edges: impl IntoIterator<Item = &'a Edge>) -> LearningBook {
    let mut positions: BTreeMap<Key, Vec<(PackedMove, f32, u32)>> = BTreeMap::new();
    for &(key, mv) in edges {
        positions.entry(key).or_default().push((mv, 0.0, 0));
    }
    let mut builder = LearningBook::builder();
    for (key, moves) in positions {
        builder.push(key, moves).unwrap();
    }
    builder.finish()
}

/// Edges of a PGN's games, to the end of each.
pub(crate) fn edges_of_pgn(text: &str) -> Vec<Edge> {
    let mut edges = Vec::new();
    for line in text.lines().filter(|line| !line.starts_with('[')) {
        edges.extend(crate::lrn::play(line.split_whitespace()).0);
    }
    edges.sort_unstable();
    edges.dedup();
    edges
}
