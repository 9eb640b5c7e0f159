//! Visits the positions on all lines, line by line, and keeps track of the moves that lead to them.

use std::fmt;

use query::Opening;
use shakmaty::{Chess, san::SanPlus};

use super::{
    pieces::Tasks,
    tree::{LineTree, Node, Start},
};

/// The notation in which a line's moves are written.
#[derive(Clone, Copy, Eq, PartialEq)]
pub(super) enum LineStyle {
    /// `1. e4 c5 2. Nf3`
    Numbered,
    /// `e4 c5 Nf3`
    Plain,
}

/// A node that is being visited.
pub(super) struct Visit<'v> {
    pub(super) node: &'v Node,
    /// The moves that lead to the node from the start position, in SAN.
    pub(super) line: &'v str,
    /// The length of `line` without its last move, in bytes.
    pub(super) before: usize,
    pub(super) ply: u32,
    pub(super) board: &'v Chess,
    /// The last named position on the line.
    pub(super) opening: Option<Opening>,
    /// The number of lines before the first one that goes through this node.
    pub(super) lines_before: u64,
    /// The root where the line begins, if that is not the start position.
    pub(super) root: Option<&'v Chess>,
    /// Whether any line begins with a root.
    pub(super) has_roots: bool,
}

/// Visits every node on the lines from the position `start`; `push` appends a node's text.
pub(super) struct Visits<'t, W> {
    pub(super) tree: &'t LineTree,
    pub(super) start: Start<'t>,
    pub(super) has_roots: bool,
    pub(super) style: LineStyle,
    pub(super) push: W,
}

/// A node still to be visited.
#[derive(Clone)]
pub(super) struct Place<'t> {
    node: &'t Node,
    /// The board before the move that leads to the node.
    board: Chess,
    /// The length in bytes of the line before this move.
    before: usize,
    /// The number of plies up to and including this move.
    ply: u32,
    opening: Option<Opening>,
    lines_before: u64,
}

impl Visit<'_> {
    /// The last move of the line.
    pub(super) fn san(&self) -> &str {
        self.line.rsplit(' ').next().unwrap_or_default()
    }
}

impl<'t, W> Visits<'t, W> {
    /// The place of the position where the lines begin, and the line that leads to this position.
    pub(super) fn first(&self) -> (Place<'t>, String) {
        let Start { node, board, beginning, ply, lines_before, .. } = self.start;
        let line = self.style.line(beginning);
        let before = line.rfind(' ').unwrap_or(0);
        let opening = Opening::on_line(&Chess::default(), beginning);
        (Place { node, board: board.clone(), before, ply, opening, lines_before }, line)
    }
}

impl<'t, W: Fn(&Visit<'_>, &mut String) -> fmt::Result + Sync> Tasks for Visits<'t, W> {
    type Task = Place<'t>;

    fn lines(place: &Place<'t>) -> u64 {
        place.node.lines.into()
    }

    fn take(
        &self,
        place: Place<'t>,
        line: &mut String,
        text: &mut String,
        next: &mut Vec<Place<'t>>,
    ) -> fmt::Result {
        let Place { node, mut board, before, ply, opening, lines_before } = place;
        if let Some(played) = &node.played {
            line.truncate(before);
            let Some(san) = played.mv.play_with_san(&mut board) else { return Ok(()) };
            self.style.push(ply, &san.to_string(), line);
        }
        let opening = Opening::of(&board).or(opening);
        let (root, has_roots) = (self.start.root, self.has_roots);
        let visit = Visit { node, line, before, ply, board: &board, opening, lines_before, root, has_roots };
        (self.push)(&visit, text)?;
        let (mut lines_before, first) = (lines_before, next.len());
        for node in self.tree.children(node) {
            let (board, before) = (board.clone(), line.len());
            next.push(Place { node, board, before, ply: ply + 1, opening, lines_before });
            lines_before += u64::from(node.lines);
        }
        next[first..].reverse();
        Ok(())
    }
}

impl LineStyle {
    /// Writes the moves of a line that begins at the start position.
    pub(super) fn line(self, moves: &[SanPlus]) -> String {
        let mut line = String::new();
        (1..).zip(moves).for_each(|(ply, san)| self.push(ply, &san.to_string(), &mut line));
        line
    }

    /// Adds a move to a line; `ply` counts from 1.
    fn push(self, ply: u32, san: &str, line: &mut String) {
        let is_first = line.is_empty();
        if !is_first {
            line.push(' ');
        }
        let is_white = !ply.is_multiple_of(2);
        if self == Self::Numbered && (is_white || is_first) {
            line.push_str(&ply.div_ceil(2).to_string());
            line.push_str(if is_white { ". " } else { "... " });
        }
        line.push_str(san);
    }
}
