//! The lines of an artefact as a tree: each position is followed once, on the line that comes up most often.

use std::ops::Range;

use position::{Experience, PackedMove, Tally};
use shakmaty::{Chess, san::SanPlus};

use super::Written;

/// A position at the end of a line.
#[derive(Default)]
pub(super) struct Node {
    /// The move that leads there; the first position has none.
    pub(super) played: Option<Played>,
    /// Games of the position, where they are known.
    pub(super) tally: Option<Tally>,
    /// The nodes that its moves lead to, the most played one first.
    pub(super) children: Range<u32>,
    /// Ends of lines from here on.
    pub(super) lines: u32,
    /// Whether another line has what follows.
    pub(super) transposes: bool,
}

/// A move.
pub(super) struct Played {
    pub(super) mv: PackedMove,
    /// Games that played it; for a reply that the book does not have as a move, games of the position after
    /// it.
    pub(super) tally: Option<Tally>,
    /// Its share of its position's games or weights.
    pub(super) share: f64,
    pub(super) weight: Option<u16>,
    pub(super) known: Option<Box<Experience>>,
}

/// All lines.
pub(super) struct LineTree {
    /// The node of the first position comes first; every other node comes after the node that leads to it.
    nodes: Vec<Node>,
    start: Chess,
    /// The moves that lead to the first position.
    beginning: Vec<SanPlus>,
    written: Written,
}

impl LineTree {
    /// Counts the lines of nodes that were grown.
    pub(super) fn of(
        mut nodes: Vec<Node>,
        (beginning, start): (Vec<SanPlus>, Chess),
        written: Written,
    ) -> Self {
        for place in (0..nodes.len()).rev() {
            let Range { start, end } = nodes[place].children;
            let of_children = nodes[start as usize..end as usize].iter().map(|child| child.lines);
            nodes[place].lines = of_children.sum::<u32>().max(1);
        }
        Self { nodes, start, beginning, written }
    }

    /// The numbers of what the tree holds.
    pub(super) fn written(&self) -> Written {
        self.written
    }

    /// The first position, and the moves that lead there.
    pub(super) fn root(&self) -> (&Node, &Chess, &[SanPlus]) {
        (&self.nodes[0], &self.start, &self.beginning)
    }

    /// The nodes that a node's moves lead to.
    pub(super) fn children(&self, node: &Node) -> &[Node] {
        &self.nodes[node.children.start as usize..node.children.end as usize]
    }
}
