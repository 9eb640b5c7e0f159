//! Finds the lines that lead to positions in an artefact.

use std::collections::HashMap;

use position::{Key, PackedMove};
use query::{Artefact, ArtefactRows, numbered};
use shakmaty::Chess;
use walk::{Node, Origin, Tree, Visit, Walk, Work};

use crate::{Error, Result};

/// A position on a line, the first position of that line, and the line's moves in SAN.
type Way = (Chess, Chess, Vec<String>);

/// Lines, by the keys of the positions that they lead to.
pub(crate) struct Lines(HashMap<Key, Way>);

impl Lines {
    /// Finds the shortest line to each position in `keys` that can be reached in the artefact. Among equally
    /// short lines, the one whose moves were played most is chosen.
    ///
    /// # Memory
    ///
    /// Takes as much memory as the walk, plus 200 bytes for each position on a line.
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

    /// The line to a position, followed by the move `mv`, in SAN with numbers; `None` if no line leads to the
    /// position.
    pub(crate) fn of_move(&self, key: Key, mv: PackedMove) -> Option<String> {
        let (board, start, sans) = self.0.get(&key)?;
        let (mut board, mut sans) = (board.clone(), sans.clone());
        sans.push(mv.play_with_san(&mut board)?.to_string());
        Some(numbered(start, &sans))
    }
}
