//! Which opening each line of a tree is.

use std::collections::HashMap;

use openings::{OpeningName, Openings};
use position::{Key, named_line};
use shakmaty::{Chess, EnPassantMode, Position as _, fen::Fen};
use walk::{Tree, Visit};

use super::SuiteOptions;
use crate::{Error, Result};

/// The last name on the way to each position whose line is wanted.
pub(super) struct Names<'o> {
    names: HashMap<Key, OpeningName<'o>>,
}

impl<'o> Names<'o> {
    /// The names on the lines of a tree.
    pub(super) fn of(tree: &Tree, openings: &'o Openings, options: &SuiteOptions) -> Result<Self> {
        let mut names = HashMap::new();
        // The last name on the way to each position that is being visited, and how many plies it has.
        let mut way: Vec<(u32, OpeningName<'o>)> = name_of_start(openings, options).into_iter().collect();
        tree.visit(options.start_of_lines(), |Visit { node, board, .. }| {
            while way.last().is_some_and(|(ply, _)| *ply >= node.ply) {
                way.pop();
            }
            way.extend(name(openings, board).map(|name| (node.ply, name)));
            if let Some((_, name)) = way.last().filter(|_| node.is_wanted) {
                names.insert(node.key, *name);
            }
            Ok::<_, Error>(())
        })?;
        Ok(Self { names })
    }

    /// The ECO code of a position; empty where no position on its line has a name.
    pub(super) fn code(&self, key: Key) -> &'o str {
        self.names.get(&key).map_or("", |name| name.eco)
    }

    /// Code and name.
    pub(super) fn of_position(&self, key: Key) -> Option<(String, String)> {
        self.names.get(&key).map(|name| (name.eco.to_owned(), name.name.to_owned()))
    }
}

fn name<'o>(openings: &'o Openings, board: &Chess) -> Option<OpeningName<'o>> {
    let fen = || Fen::from_position(board, EnPassantMode::PseudoLegal).to_string();
    openings.name_of(Key::of(board), fen)
}

/// The last name on the moves that all lines begin with, before the last of them.
fn name_of_start<'o>(openings: &'o Openings, options: &SuiteOptions) -> Option<(u32, OpeningName<'o>)> {
    let mut board = named_line(None, None).ok()?.position;
    let mut last = None;
    for (san, ply) in options.start.moves.iter().zip(1..) {
        board.play_unchecked(san.san.to_move(&board).ok()?);
        last = name(openings, &board).map(|name| (ply, name)).or(last);
    }
    last.filter(|(ply, _)| *ply < options.start.moves.len() as u32)
}
