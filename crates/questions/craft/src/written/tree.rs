//! The lines of an artefact as a tree. If several lines reach a position, only the line on which the position
//! comes up most often continues beyond the position.

use std::ops::Range;

use position::{Experience, Key, PackedMove, Tally};
use shakmaty::{Chess, Position as _, san::SanPlus};

use super::Written;

/// A position on a line.
#[derive(Default)]
pub(super) struct Node {
    /// The move that leads to the position; `None` if lines begin at the position.
    pub(super) played: Option<Played>,
    /// The games that reached the position; `None` if unknown.
    pub(super) tally: Option<Tally>,
    /// The indices of the nodes that this position's moves lead to, the most played move first.
    pub(super) children: Range<u32>,
    /// The number of lines that go through this position or end in it.
    pub(super) lines: u32,
    /// Whether this line ends here because another line continues from the same position.
    pub(super) transposes: bool,
}

/// A move on a line.
pub(super) struct Played {
    pub(super) mv: PackedMove,
    /// The games in which the move was played. For a reply that is not a move of the book, these are the
    /// games that reached the position after the reply.
    pub(super) tally: Option<Tally>,
    /// The move's share of the games or weights in its position.
    pub(super) share: f64,
    pub(super) weight: Option<u16>,
    pub(super) known: Option<Box<Experience>>,
}

/// A position where lines begin.
#[derive(Clone, Copy)]
pub(super) struct Start<'t> {
    pub(super) node: &'t Node,
    pub(super) board: &'t Chess,
    /// The moves that lead to the position from the start position.
    pub(super) beginning: &'t [SanPlus],
    /// The ply of the position: 1 for a root in which Black is to move, and otherwise the number of moves in
    /// `beginning`.
    pub(super) ply: u32,
    /// The same as `board` if the position is a root, and `None` otherwise.
    pub(super) root: Option<&'t Chess>,
    /// The number of lines that begin at earlier positions in the tree's `starts`.
    pub(super) lines_before: u64,
}

/// All lines.
pub(super) struct LineTree {
    /// The nodes. The nodes where lines begin come first, and every other node comes after its parent.
    nodes: Vec<Node>,
    /// The positions where lines begin.
    starts: Vec<Chess>,
    /// The moves that lead to the position where all lines begin; empty if lines begin at several positions.
    beginning: Vec<SanPlus>,
    /// Counts the positions, moves and lines in the tree, and the moves that were left out.
    pub(super) written: Written,
}

impl LineTree {
    /// Makes a tree from complete nodes, and counts their lines.
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

    /// The positions where lines begin.
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

    /// Whether any line begins with a root.
    pub(super) fn has_roots(&self) -> bool {
        self.starts().any(|start| start.root.is_some())
    }

    /// Returns the nodes to which a node's moves lead.
    pub(super) fn children(&self, node: &Node) -> &[Node] {
        &self.nodes[node.children.start as usize..node.children.end as usize]
    }
}
