//! Finds the moves that lead to some of the positions of a walk.
//!
//! A position's line is its parent's line plus one move, so the lines form a tree. It is traversed depth
//! first, so that every board and SAN is computed only once. Moves are visited in the order in which a book
//! prints them, most played first.

use std::{
    cmp::Reverse,
    collections::{HashMap, HashSet},
};

use position::Key;
use shakmaty::Chess;

use fault::Result;

use crate::{Parent, Walk, Walked};

/// A position whose line is wanted, or one on the line to such a position.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    /// The position's key.
    pub key: Key,
    /// The last edge of the position's line; `None` if the line begins at this position.
    pub parent: Option<Parent>,
    /// The number of plies from the start position.
    pub ply: u32,
    /// The number of visits to the position. It is 0, which means unknown, if the position is in the tree
    /// only because the line to a wanted position passes through it.
    pub games: u64,
    /// Whether this position's line is wanted.
    pub is_wanted: bool,
}

impl Node {
    /// How many bytes each node takes while lines are being made.
    pub const BYTES: u64 = size_of::<Self>() as u64 * 2;

    /// Makes a node from a position of a walk.
    #[must_use]
    pub fn new(walked: &Walked, games: u64, is_wanted: bool) -> Self {
        Self { key: walked.key, parent: walked.parent, ply: walked.ply, games, is_wanted }
    }
}

/// Positions grouped by their parents.
///
/// # Memory
///
/// A tree takes about 100 bytes for each position.
pub struct Tree {
    /// The nodes, sorted by the key of the parent; among nodes with the same parent, the most played comes
    /// first.
    nodes: Vec<Node>,
    /// The boards of the positions where lines begin, except that of the walk's origin.
    roots: HashMap<Key, Chess>,
}

/// A visit to a position in a tree, with the line that leads there.
#[derive(Clone, Copy)]
pub struct Visit<'v> {
    /// The position.
    pub node: &'v Node,
    /// The position's board, with the halfmove clock and move number that result from its line.
    pub board: &'v Chess,
    /// The moves of the line in SAN, separated by spaces.
    pub line: &'v str,
    /// The position where the line begins, if that is not the origin of the walk.
    pub root: Option<&'v Chess>,
}

/// A position whose children are being visited.
struct Open<'t> {
    board: Chess,
    children: &'t [Node],
    line_bytes: usize,
}

impl Tree {
    /// Makes a tree from these positions and all positions on the lines to them; returns `None` if it would
    /// have more than `most` nodes.
    ///
    /// # Errors
    ///
    /// Fails if a temporary file of the walk cannot be read.
    pub fn grow(mut nodes: Vec<Node>, walk: &Walk, most: u64) -> Result<Option<Self>> {
        let mut known: HashSet<_> = nodes.iter().map(|node| node.key).collect();
        let mut from = 0;
        loop {
            if nodes.len() as u64 > most {
                return Ok(None);
            }
            let parents = nodes[from..].iter().filter_map(|node| node.parent.map(|parent| parent.key));
            let mut missing: Vec<_> = parents.filter(|key| known.insert(*key)).collect();
            if missing.is_empty() {
                break;
            }
            missing.sort_unstable();
            from = nodes.len();
            nodes.extend(walk.find(&missing)?.iter().map(|walked| Node::new(walked, 0, false)));
        }
        nodes.sort_unstable_by_key(|node| {
            let parent = node.parent;
            (parent.map(|parent| parent.key), Reverse(node.games), parent.map(|parent| parent.mv))
        });
        let roots = roots(&nodes, walk)?;
        Ok(Some(Self { nodes, roots }))
    }

    fn children(&self, parent: Key) -> &[Node] {
        let key = |node: &Node| node.parent.map(|parent| parent.key);
        let from = self.nodes.partition_point(|node| key(node) < Some(parent));
        let count = self.nodes[from..].partition_point(|node| key(node) == Some(parent));
        &self.nodes[from..from + count]
    }

    /// Visits every node, one root after another. `start` is the origin of the walk, and `line` the moves
    /// that lead there. A damaged table may contain a move that no piece can make. Such a move is skipped
    /// along with everything after it.
    ///
    /// # Errors
    ///
    /// Fails with any error that `each` returns.
    pub fn visit(
        &self,
        (start, line): (Chess, String),
        mut each: impl FnMut(Visit<'_>) -> Result<()>,
    ) -> Result<()> {
        let first = self.nodes.partition_point(|node| node.parent.is_none());
        self.nodes[..first].iter().try_for_each(|node| match self.roots.get(&node.key) {
            Some(root) => self.visit_root(node, (root.clone(), String::new()), Some(root), &mut each),
            None => self.visit_root(node, (start.clone(), line.clone()), None, &mut each),
        })
    }

    fn visit_root(
        &self,
        first: &Node,
        (start, mut line): (Chess, String),
        root: Option<&Chess>,
        each: &mut impl FnMut(Visit<'_>) -> Result<()>,
    ) -> Result<()> {
        each(Visit { node: first, board: &start, line: &line, root })?;
        let mut open =
            vec![Open { board: start, children: self.children(first.key), line_bytes: line.len() }];
        while let Some(last) = open.last_mut() {
            line.truncate(last.line_bytes);
            let Some((node, children)) = last.children.split_first() else {
                open.pop();
                continue;
            };
            last.children = children;
            let Some(board) = play(node, &last.board, &mut line) else { continue };
            each(Visit { node, board: &board, line: &line, root })?;
            open.push(Open { board, children: self.children(node.key), line_bytes: line.len() });
        }
        Ok(())
    }
}

/// Returns the boards of the positions where lines begin, except that of the walk's origin.
fn roots(nodes: &[Node], walk: &Walk) -> Result<HashMap<Key, Chess>> {
    let first = nodes.iter().filter(|node| node.parent.is_none()).map(|node| node.key);
    let mut keys: Vec<_> = first.collect();
    keys.sort_unstable();
    let mut roots = HashMap::new();
    for walked in walk.find(&keys)?.iter().filter(|walked| walked.root != 0) {
        roots.extend(walk.root(walked.root)?.map(|root| (walked.key, root)));
    }
    Ok(roots)
}

/// Plays a node's move, adds it to the line, and returns the board after it.
fn play(node: &Node, before: &Chess, line: &mut String) -> Option<Chess> {
    let mut board = before.clone();
    let san = node.parent?.mv.play_with_san(&mut board)?;
    if !line.is_empty() {
        line.push(' ');
    }
    san.append_to_string(line);
    Some(board)
}
