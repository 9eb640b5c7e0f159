//! All walks as one tree.

use position::PackedMove;

use super::walk::Walk;

/// Positions a tree holds; walks that go on past them are cut there.
const NODES_MAX: usize = 1 << 19;

/// The root's place.
pub(super) const ROOT: usize = 0;

/// The moves of many walks, each line once.
///
/// # Memory
///
/// About a hundred bytes a node, and no more than 524,288 nodes: 50 MB.
#[derive(Debug)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    nodes_max: usize,
    /// Walks that were cut because the tree was full.
    pub(super) cut: u64,
}

/// A position at the end of a line. A child stands behind its parent.
#[derive(Clone, Debug)]
pub(super) struct Node {
    /// The move that leads here; 0 at the root.
    pub(super) mv: PackedMove,
    pub(super) parent: usize,
    /// Plies from the root.
    pub(super) ply: u32,
    /// Walks that came here.
    pub(super) walks: u64,
    /// Walks that ended here, cut ones too.
    pub(super) ended: u64,
    /// White's score by the position's counts.
    pub(super) score: Option<f64>,
    pub(super) children: Vec<usize>,
}

impl Tree {
    pub(super) fn new(score: Option<f64>) -> Self {
        Self::with_room(score, NODES_MAX)
    }

    fn with_room(score: Option<f64>, nodes_max: usize) -> Self {
        let mv = PackedMove::TERMINAL;
        let root = Node { mv, parent: ROOT, ply: 0, walks: 0, ended: 0, score, children: Vec::new() };
        Self { nodes: vec![root], nodes_max, cut: 0 }
    }

    pub(super) fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    pub(super) fn root(&self) -> &Node {
        &self.nodes[ROOT]
    }

    /// Adds a walk.
    pub(super) fn add(&mut self, walk: &Walk) {
        let mut at = ROOT;
        self.nodes[at].walks += 1;
        for step in &walk.steps {
            let Some(child) = self.child(at, step.mv, step.score) else {
                self.cut += 1;
                break;
            };
            at = child;
            self.nodes[at].walks += 1;
        }
        self.nodes[at].ended += 1;
    }

    fn child(&mut self, at: usize, mv: PackedMove, score: Option<f64>) -> Option<usize> {
        let node = &self.nodes[at];
        if let Some(&child) = node.children.iter().find(|&&child| self.nodes[child].mv == mv) {
            return Some(child);
        }
        let child = self.nodes.len();
        if child >= self.nodes_max {
            return None;
        }
        let ply = node.ply + 1;
        self.nodes.push(Node { mv, parent: at, ply, walks: 0, ended: 0, score, children: Vec::new() });
        self.nodes[at].children.push(child);
        Some(child)
    }

    /// The moves from the root to a node.
    pub(super) fn line(&self, mut at: usize) -> Vec<PackedMove> {
        let mut moves = Vec::new();
        while at != ROOT {
            moves.push(self.nodes[at].mv);
            at = self.nodes[at].parent;
        }
        moves.reverse();
        moves
    }

    /// Different lines that walks ended with.
    pub(super) fn ends(&self) -> u64 {
        self.nodes.iter().filter(|node| node.ended > 0).count() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choosing::{End, walk::Step};

    fn walk(moves: &[u16]) -> Walk {
        let steps = moves.iter().map(|&mv| Step { mv: PackedMove(mv), score: None }).collect();
        Walk { steps, end: End::Leaf }
    }

    #[test]
    fn a_full_tree_cuts_walks_and_counts_them_all() {
        let mut tree = Tree::with_room(None, 3);
        tree.add(&walk(&[1, 2]));
        tree.add(&walk(&[1, 3]));
        tree.add(&walk(&[4]));
        tree.add(&walk(&[1, 2]));
        assert_eq!((tree.nodes().len(), tree.cut, tree.root().walks), (3, 2, 4));
        assert_eq!(tree.nodes().iter().map(|node| node.ended).sum::<u64>(), 4);
        assert_eq!(tree.line(2), [PackedMove(1), PackedMove(2)]);
    }
}
