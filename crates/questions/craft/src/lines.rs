//! The moves that lead to some positions of an artefact.

use std::collections::HashMap;

use position::{Key, PackedMove};
use query::{Artefact, ArtefactRows, numbered};
use shakmaty::Chess;
use walk::{Node, Origin, Tree, Visit, Walk, Work};

use crate::{Error, Result};

/// A position, the one that its line begins with, and the moves that lead from there, in SAN.
type Way = (Chess, Chess, Vec<String>);

/// Ways to positions.
pub(crate) struct Lines(HashMap<Key, Way>);

impl Lines {
    /// Finds ways to the positions `keys` that the artefact reaches: the shortest ones, and of these the one
    /// of the most played moves.
    ///
    /// # Memory
    ///
    /// The memory of the walk, and 200 bytes a position on a way.
    pub(crate) fn of(artefact: &Artefact, mut keys: Vec<Key>, work: &Work<'_>) -> Result<Self> {
        keys.sort_unstable();
        keys.dedup();
        let mut ways = HashMap::new();
        if keys.is_empty() {
            return Ok(Self(ways));
        }
        let most = work.memory_bytes / Node::BYTES;
        let walk = Walk::run(work, &ArtefactRows::of(artefact)?, &Origin::default())?;
        let nodes = walk.find(&keys)?.iter().map(|walked| Node::new(walked, 0, true)).collect();
        let tree = Tree::grow(nodes, &walk, most)?.ok_or(Error::TooMany(most))?;
        tree.visit((Chess::default(), String::new()), |Visit { node, board, line, root }| {
            if node.is_wanted {
                let sans = line.split_whitespace().map(Into::into).collect();
                ways.insert(node.key, (board.clone(), root.cloned().unwrap_or_default(), sans));
            }
            Ok(())
        })?;
        Ok(Self(ways))
    }

    /// The line of a move: SAN with numbers; `None` if no way leads there.
    pub(crate) fn of_move(&self, key: Key, mv: PackedMove) -> Option<String> {
        let (board, start, sans) = self.0.get(&key)?;
        let (mut board, mut sans) = (board.clone(), sans.clone());
        sans.push(mv.play_with_san(&mut board)?.to_string());
        Some(numbered(start, &sans))
    }
}
