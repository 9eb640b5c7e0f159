//! The moves that lead to some positions of an artefact.

use std::collections::HashMap;

use position::{Key, PackedMove};
use query::{Artefact, numbered};
use shakmaty::Chess;
use table::Table;
use walk::{Node, Origin, Tree, Visit, Walk, Work};

use crate::{
    Error, Result,
    graph::{Graph, index_of},
};

/// A position, and the moves that lead there from the start position, in SAN.
type Way = (Chess, Vec<String>);

/// Ways to positions.
pub(crate) struct Lines(HashMap<Key, Way>);

impl Lines {
    /// The ways of an artefact to those of `keys` that it reaches: in a table on the most played moves, in a
    /// book the shortest ones.
    pub(crate) fn of(artefact: &Artefact, mut keys: Vec<Key>, work: &Work<'_>) -> Result<Self> {
        keys.sort_unstable();
        keys.dedup();
        Ok(Self(match artefact {
            _ if keys.is_empty() => HashMap::new(),
            Artefact::Table(table) => of_table(table, &keys, work)?,
            book => {
                let index = index_of(book)?;
                let graph = Graph::of(&index, None, work.threads)?;
                keys.into_iter().filter_map(|key| Some((key, graph.way(graph.place(key)?)))).collect()
            }
        }))
    }

    /// The line of a move: SAN with numbers; `None` if no way leads there.
    pub(crate) fn of_move(&self, key: Key, mv: PackedMove) -> Option<String> {
        let (board, sans) = self.0.get(&key)?;
        let (mut board, mut sans) = (board.clone(), sans.clone());
        sans.push(mv.play_with_san(&mut board)?.to_string());
        Some(numbered(&Chess::default(), &sans))
    }
}

fn of_table(table: &Table, keys: &[Key], work: &Work<'_>) -> Result<HashMap<Key, Way>> {
    let most = work.memory_bytes / Node::BYTES;
    let walk = Walk::run(work, table, &Origin::default())?;
    let nodes = walk.find(keys)?.iter().map(|walked| Node::new(walked, 0, true)).collect();
    let tree = Tree::grow(nodes, &walk, most)?.ok_or(Error::TooMany { most })?;
    let mut ways = HashMap::new();
    tree.visit((Chess::default(), String::new()), |Visit { node, board, line }| {
        if node.is_wanted {
            let sans = line.split_whitespace().map(Into::into).collect();
            ways.insert(node.key, (board.clone(), sans));
        }
        Ok::<_, Error>(())
    })?;
    Ok(ways)
}
