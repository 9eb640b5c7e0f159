//! The lines of an artefact as a tree: each position is followed once, on the line that comes up most often.

use std::ops::Range;

use position::{Experience, Key, PackedMove, Tally};
use shakmaty::{Chess, Position as _, san::SanPlus};

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

/// A position with which lines begin.
#[derive(Clone, Copy)]
pub(super) struct Start<'t> {
    pub(super) node: &'t Node,
    pub(super) board: &'t Chess,
    /// The moves that lead there from the start position.
    pub(super) beginning: &'t [SanPlus],
    /// The plies before it: those moves, or one if it is a root in which Black is to move.
    pub(super) ply: u32,
    /// The board again, if it is a root: a position that the start position does not lead to.
    pub(super) root: Option<&'t Chess>,
    /// Lines that end before those that begin here.
    pub(super) lines_before: u64,
}

/// All lines.
pub(super) struct LineTree {
    /// The nodes of the first positions come first; every other node comes after the node that leads to it.
    nodes: Vec<Node>,
    /// The first positions.
    starts: Vec<Chess>,
    /// The moves that lead to the first position, if there is but one.
    beginning: Vec<SanPlus>,
    written: Written,
}

impl LineTree {
    /// Counts the lines of nodes that were grown.
    pub(super) fn of(
        mut nodes: Vec<Node>,
        (beginning, starts): (Vec<SanPlus>, Vec<Chess>),
        written: Written,
    ) -> Self {
        for place in (0..nodes.len()).rev() {
            let Range { start, end } = nodes[place].children;
            let of_children = nodes[start as usize..end as usize].iter().map(|child| child.lines);
            nodes[place].lines = of_children.sum::<u32>().max(1);
        }
        Self { nodes, starts, beginning, written }
    }

    /// The numbers of what the tree holds.
    pub(super) fn written(&self) -> Written {
        self.written
    }

    /// The positions with which lines begin.
    pub(super) fn starts(&self) -> impl Iterator<Item = Start<'_>> {
        let mut lines_before = 0;
        self.starts.iter().zip(&self.nodes).map(move |(board, node)| {
            let beginning = self.beginning.as_slice();
            let is_root = beginning.is_empty() && Key::of(board) != Key::START;
            let first_ply = if is_root { board.turn().fold_wb(0, 1) } else { 0 };
            let (ply, root) = (beginning.len() as u32 + first_ply, is_root.then_some(board));
            let start = Start { node, board, beginning, ply, root, lines_before };
            lines_before += u64::from(node.lines);
            start
        })
    }

    /// Whether a line begins with a root.
    pub(super) fn has_roots(&self) -> bool {
        self.starts().any(|start| start.root.is_some())
    }

    /// The nodes that a node's moves lead to.
    pub(super) fn children(&self, node: &Node) -> &[Node] {
        &self.nodes[node.children.start as usize..node.children.end as usize]
    }
}
