//! Openings that are too much alike.

use std::collections::{HashMap, HashSet};

use position::Key;
use walk::Tree;

/// Which openings are near one that was taken.
pub(super) struct Apart {
    plies: u16,
    parents: HashMap<Key, Key>,
    /// The positions within the distance before each opening that was taken, and the opening.
    near: HashSet<Key>,
}

impl Apart {
    /// Openings are alike if both are within `plies` plies of a position that they come from; 0: if they are
    /// the same.
    pub(super) fn new(tree: &Tree, plies: u16) -> Self {
        let parents = tree.nodes().iter().filter_map(|node| Some((node.key, node.parent?.key)));
        let parents = if plies == 0 { HashMap::new() } else { parents.collect() };
        Self { plies, parents, near: HashSet::new() }
    }

    /// Takes an opening; `false`, and nothing is taken, if it is like one that was.
    pub(super) fn take(&mut self, key: Key) -> bool {
        let way = std::iter::successors(Some(key), |key| self.parents.get(key).copied());
        let way: Vec<_> = way.take(usize::from(self.plies) + 1).collect();
        let is_apart = !way.iter().any(|key| self.near.contains(key));
        if is_apart {
            self.near.extend(way);
        }
        is_apart
    }
}
