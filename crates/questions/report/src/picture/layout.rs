//! Determines the place of each branch in the picture.

use std::{cmp::Reverse, collections::BTreeMap};

use query::{Simulation, Tree};
use shakmaty::{Chess, Color, Position as _};

use crate::numbers::ratio;

/// The horizontal space for a ply.
pub(super) const COLUMN: f64 = 92.0;
/// The stroke width of a branch that every walk takes.
pub(super) const STROKE_MOST: f64 = 40.0;
/// The stroke width of the rarest branch.
const STROKE_LEAST: f64 = 0.8;
/// The height of a line of text; branches are spaced so that labels never overlap.
const ROW: f64 = 16.0;
/// The gap between two branches.
const GAP: f64 = 3.0;
/// The maximum number of branches that the picture shows.
const BRANCHES_MOST: usize = 240;
/// The maximum number of plies that the picture shows.
const PLIES_MOST: u32 = 16;
/// The smallest share worth drawing.
const SHARE_LEAST: f64 = 0.005;

/// The part of a tree that the picture shows.
pub(super) struct Layout {
    pub(super) branches: Vec<Branch>,
    pub(super) width: f64,
    pub(super) height: f64,
}

/// One branch: a move.
pub(super) struct Branch {
    pub(super) san: String,
    pub(super) mover: Color,
    pub(super) share: f64,
    /// White's score.
    pub(super) score: Option<f64>,
    /// The point at which the branch begins, which is the point at which its parent ends.
    pub(super) from: (f64, f64),
    /// The point at which the branch ends.
    pub(super) to: (f64, f64),
    pub(super) stroke: f64,
}

impl Layout {
    pub(super) fn of(simulation: &Simulation) -> Self {
        let tree = &simulation.tree;
        let mut drawing =
            Drawing { tree, children: drawn(tree), heights: BTreeMap::new(), branches: Vec::new() };
        let height = drawing.measure(Tree::ROOT);
        let start = (0.0, height / 2.0);
        drawing.place(Tree::ROOT, &simulation.start, start, 0.0);
        let width = drawing.branches.iter().map(|branch| branch.to.0).fold(0.0, f64::max);
        Self { branches: drawing.branches, width, height }
    }
}

/// Selects the nodes that the picture shows, which are the most frequent nodes of the tree. Returns the
/// selected children of each node, in descending order of frequency.
fn drawn(tree: &Tree) -> BTreeMap<usize, Vec<usize>> {
    let all = tree.root().walks;
    let fits = |node: &usize| {
        let it = &tree.nodes[*node];
        it.ply <= PLIES_MOST && share(it.walks, all) >= SHARE_LEAST
    };
    let mut nodes: Vec<usize> = (1..tree.nodes.len()).filter(fits).collect();
    // At most as many walks reach a child as reach its parent, and a child comes after its parent in the
    // tree. A node is therefore never selected without its parent.
    nodes.sort_by_key(|&node| (Reverse(tree.nodes[node].walks), node));
    nodes.truncate(BRANCHES_MOST);
    let mut children: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for node in nodes {
        children.entry(tree.nodes[node].parent).or_default().push(node);
    }
    children
}

struct Drawing<'a> {
    tree: &'a Tree,
    children: BTreeMap<usize, Vec<usize>>,
    heights: BTreeMap<usize, f64>,
    branches: Vec<Branch>,
}

impl Drawing<'_> {
    fn stroke(&self, node: usize) -> f64 {
        let share = share(self.tree.nodes[node].walks, self.tree.root().walks);
        (STROKE_MOST * share).max(STROKE_LEAST)
    }

    fn children(&self, node: usize) -> Vec<usize> {
        self.children.get(&node).cloned().unwrap_or_default()
    }

    /// Computes the height that a node and its subtree take up in the picture. The recursion is at most
    /// sixteen plies deep.
    fn measure(&mut self, node: usize) -> f64 {
        let after_it: f64 = self.children(node).into_iter().map(|child| self.measure(child)).sum();
        let height = after_it.max(ROW + self.stroke(node).min(ROW) / 2.0).max(self.stroke(node) + GAP);
        self.heights.insert(node, height);
        height
    }

    /// Determines the places of all nodes in the subtree of `node`. `from` is the point at which the branch
    /// to `node` ends, and `top` is the upper edge of the node's area.
    fn place(&mut self, node: usize, position: &Chess, from: (f64, f64), top: f64) {
        let children = self.children(node);
        let height = |drawing: &Self, node| drawing.heights.get(&node).copied().unwrap_or(ROW);
        let after_it: f64 = children.iter().map(|&child| height(self, child)).sum();
        let mut top = top + (height(self, node) - after_it) / 2.0;
        for child in children {
            let (height, mv) = (height(self, child), self.tree.nodes[child].mv);
            let to = (from.0 + COLUMN, top + height / 2.0);
            let mut after = position.clone();
            if let Some(san) = mv.play_with_san(&mut after) {
                self.branches.push(self.branch(child, san.to_string(), position.turn(), (from, to)));
                self.place(child, &after, to, top);
            }
            top += height;
        }
    }

    fn branch(&self, node: usize, san: String, mover: Color, (from, to): ((f64, f64), (f64, f64))) -> Branch {
        let it = &self.tree.nodes[node];
        let share = share(it.walks, self.tree.root().walks);
        Branch { san, mover, share, score: it.score, from, to, stroke: self.stroke(node) }
    }
}

/// A number of walks as a share of all walks.
fn share(walks: u64, all: u64) -> f64 {
    ratio(walks, all).unwrap_or(0.0)
}
