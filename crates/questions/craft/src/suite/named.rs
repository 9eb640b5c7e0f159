//! Names the openings on the lines of a tree.

use std::{
    collections::{BTreeMap, HashMap},
    sync::{Mutex, PoisonError},
};

use openings::{OpeningName, Openings};
use position::{Key, named_line};
use shakmaty::{Chess, EnPassantMode, Position as _, fen::Fen};
use walk::{Tree, Visit};

use super::SuiteOptions;
use crate::{Error, Result};

/// Numbers ECO codes from 1, in the order in which they are found. 0 means no code.
#[derive(Default)]
pub(super) struct Codes(Mutex<BTreeMap<String, u16>>);

impl Codes {
    /// Fails if there are more than 65,535 named positions, because ECO codes are numbered in sixteen bits.
    pub(super) fn new(openings: &Openings) -> Result<Self> {
        let most = usize::from(u16::MAX);
        if openings.keys().nth(most).is_some() {
            Err(Error::TooManyNames(most).into())
        } else {
            Ok(Self::default())
        }
    }

    /// The number of the position's own ECO code; `None` if the position has no name.
    pub(super) fn of_position(
        &self,
        openings: &Openings,
        key: Key,
        board: &dyn Fn() -> Option<Chess>,
    ) -> Option<u16> {
        let fen = || board().as_ref().map(fen).unwrap_or_default();
        openings.name_of(key, fen).map(|name| self.number(name.eco))
    }

    /// Plays the moves that all openings begin with, and looks for the last position on the way that has a
    /// name. Returns the number that stands for this position's ECO code. Returns 0 if no position has a
    /// name, or if the position after the last move is itself a named position.
    pub(super) fn of_start(&self, openings: &Openings, options: &SuiteOptions) -> u16 {
        name_of_start(openings, options).map_or(0, |(_, name)| self.number(name.eco))
    }

    fn number(&self, eco: &str) -> u16 {
        // An empty string means that the opening has no code.
        if eco.is_empty() {
            return 0;
        }
        let mut numbers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let next = numbers.len() as u16 + 1;
        *numbers.entry(eco.to_owned()).or_insert(next)
    }

    /// The ECO codes by number.
    pub(super) fn names(&self) -> HashMap<u16, String> {
        let numbers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        numbers.iter().map(|(eco, number)| (*number, eco.clone())).collect()
    }
}

/// For each wanted position of a tree, returns the last opening name on the line to it.
pub(super) fn names<'o>(
    tree: &Tree,
    openings: &'o Openings,
    options: &SuiteOptions,
) -> Result<HashMap<Key, OpeningName<'o>>> {
    let mut names = HashMap::new();
    // The opening names on the line to the visited position, with the plies where they occur.
    let mut way: Vec<(u32, OpeningName<'o>)> = name_of_start(openings, options).into_iter().collect();
    tree.visit(options.start_of_lines(), |Visit { node, board, root, .. }| {
        if node.parent.is_none() && root.is_some() {
            way.clear();
        }
        while way.last().is_some_and(|(ply, _)| *ply >= node.ply) {
            way.pop();
        }
        way.extend(name(openings, board).map(|name| (node.ply, name)));
        if let Some((_, name)) = way.last().filter(|_| node.is_wanted) {
            names.insert(node.key, *name);
        }
        Ok(())
    })?;
    Ok(names)
}

fn name<'o>(openings: &'o Openings, board: &Chess) -> Option<OpeningName<'o>> {
    openings.name_of(Key::of(board), || fen(board))
}

/// Returns the FEN under which an opening's name is looked up.
fn fen(board: &Chess) -> String {
    Fen::from_position(board, EnPassantMode::PseudoLegal).to_string()
}

/// Plays the moves that all openings begin with, and looks for the last position on the way that has a name.
/// Returns the ply and the name of this position. Returns `None` if no position has a name, or if the
/// position after the last move is itself a named position.
fn name_of_start<'o>(openings: &'o Openings, options: &SuiteOptions) -> Option<(u32, OpeningName<'o>)> {
    let mut board = named_line(None, None).ok()?.position;
    let mut last = None;
    for (san, ply) in options.start.moves.iter().zip(1..) {
        board.play_unchecked(san.san.to_move(&board).ok()?);
        last = name(openings, &board).map(|name| (ply, name)).or(last);
    }
    last.filter(|(ply, _)| *ply < options.start.moves.len() as u32)
}
