//! All walks as one tree.

use position::PackedMove;

use super::walker::Walk;

/// The maximum number of positions in a tree; a walk that would exceed it is cut off.
const NODES_MAX: usize = 1 << 19;

/// The moves of many walks as a tree. Lines that begin with the same moves share nodes.
///
/// # Memory
///
/// A node takes about a hundred bytes, and there are at most 524,288 of them, so a tree takes at most 50 MB.
#[derive(Debug)]
pub struct Tree {
    /// All nodes. Every child comes after its parent.
    pub nodes: Vec<Node>,
    nodes_max: usize,
    /// The number of walks cut off because the tree was full.
    pub(super) cut: u64,
}

/// A position on a line.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Node {
    /// The move that leads to this position; 0 for the first node.
    pub mv: PackedMove,
    /// The index of the parent, which is the position where the move was played. The first node is its own
    /// parent.
    pub parent: usize,
    /// The number of plies from the first node.
    pub ply: u32,
    /// The number of walks that reached this position.
    pub walks: u64,
    /// The number of walks that ended in this position or were cut off here.
    pub ended: u64,
    /// White's score in the position, 0 to 1; `None` if the position has no counts.
    pub score: Option<f64>,
    /// The indices of the children, in the order in which walks discovered them.
    pub children: Vec<usize>,
}

impl Tree {
    /// The root's place.
    pub const ROOT: usize = 0;

    pub(super) fn new(score: Option<f64>) -> Self {
        Self::with_room(score, NODES_MAX)
    }

    fn with_room(score: Option<f64>, nodes_max: usize) -> Self {
        let mv = PackedMove::TERMINAL;
        let root = Node { mv, parent: Self::ROOT, ply: 0, walks: 0, ended: 0, score, children: Vec::new() };
        Self { nodes: vec![root], nodes_max, cut: 0 }
    }

    /// The node of the position where every walk begins.
    #[must_use]
    pub fn root(&self) -> &Node {
        &self.nodes[Self::ROOT]
    }

    /// Adds a walk.
    pub(super) fn add(&mut self, walk: &Walk) {
        let mut at = Self::ROOT;
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

    /// The moves from the first node to a node.
    pub(super) fn line(&self, mut at: usize) -> Vec<PackedMove> {
        let mut moves = Vec::new();
        while at != Self::ROOT {
            moves.push(self.nodes[at].mv);
            at = self.nodes[at].parent;
        }
        moves.reverse();
        moves
    }

    /// The number of different lines among the walks, including lines that were cut off.
    pub(super) fn ends(&self) -> u64 {
        self.nodes.iter().filter(|node| node.ended > 0).count() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::walk::walker::{End, Step};

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
        assert_eq!((tree.nodes.len(), tree.cut, tree.root().walks), (3, 2, 4));
        assert_eq!(tree.nodes.iter().map(|node| node.ended).sum::<u64>(), 4);
        assert_eq!(tree.ends(), 3, "a walk that was cut ends where it was cut");
        assert_eq!(tree.line(2), [PackedMove(1), PackedMove(2)]);
    }
}
