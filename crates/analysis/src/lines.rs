//! `lines/`: one row a position, with the moves that lead there.
//!
//! A position's line is its parent's and one move more, so lines are a tree. It is walked depth first: each
//! board and each SAN is made once, and rows are in the order in which a book prints them, the most played
//! move first.

use std::collections::HashSet;

use position::{Key, Tally};
use shakmaty::{Chess, Position as _};
use walk::{Parent, Walk, Walked, shard_of};

use crate::{
    Error, ExportOptions, Result,
    batch::{Cell, Cells, RowCells},
    column::{Column, Kind, Layout, Spec},
    part::{PartInfo, PartWriter},
};

/// Bytes that a position takes while lines are made.
const NODE_BYTES: u64 = size_of::<Node>() as u64 * 2;

/// A position on the way to one whose line is written, or one itself.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    key: Key,
    parent: Option<Parent>,
    ply: u32,
    /// Its visits; 0 where they are not known: it has fewer than are asked for.
    games: u64,
    is_written: bool,
}

impl Node {
    pub(crate) fn new(walked: &Walked, games: u64, is_written: bool) -> Self {
        Self { key: walked.key, parent: walked.parent, ply: walked.ply, games, is_written }
    }
}

/// The file of lines.
pub(crate) fn spec(options: &ExportOptions) -> Spec {
    Spec {
        file: "lines",
        columns: COLUMNS.to_vec(),
        sorted_by: 0,
        key_type: options.key_type,
        // Each of its few columns is needed.
        without: Vec::new(),
        metadata: options.metadata.clone(),
    }
}

const COLUMNS: [Column; 4] = [
    Column {
        name: "key",
        kind: Kind::Key,
        layout: Layout::Bare,
        null: None,
        unit: "hash",
        meaning: "the position: Polyglot's hash",
    },
    Column {
        name: "ply",
        kind: Kind::I32,
        layout: Layout::Dictionary,
        null: None,
        unit: "plies",
        meaning: "plies from the start position: the moves of `line`",
    },
    Column {
        name: "games",
        kind: Kind::I64,
        layout: Layout::Dictionary,
        null: None,
        unit: "games",
        meaning: "visits, games that end there included",
    },
    Column {
        name: "line",
        kind: Kind::Text,
        layout: Layout::Text,
        null: None,
        unit: "text",
        meaning: "the moves from the start position in SAN, parted by blanks, each on the most played edge",
    },
];

struct LineRow<'l> {
    node: &'l Node,
    line: &'l str,
}

impl Cells for LineRow<'_> {
    fn write(&self, cells: &mut RowCells<'_>) {
        let Self { node, line } = self;
        cells.push(Cell::Key(node.key));
        cells.push(Cell::Integer(node.ply.into()));
        cells.push(Cell::count(node.games));
        cells.push(Cell::Text(line));
    }
}

/// Writes the lines of these positions.
///
/// # Memory
///
/// About 100 bytes a position.
///
/// # Errors
///
/// [`Error::TooManyLines`]; if the walk cannot be read or the file cannot be written.
pub(crate) fn write(
    nodes: Vec<Node>,
    (walk, shards): (&Walk, u32),
    options: &ExportOptions,
    mut file: PartWriter,
) -> Result<PartInfo> {
    let tree = Tree::grow(nodes, walk, shards, options.memory_bytes)?;
    let (start, mut line) = options.cut.first_position();
    let Some(root) = tree.nodes.iter().find(|node| node.parent.is_none()) else { return file.finish() };
    push_row(root, &line, &mut file)?;
    let mut open = vec![Open { board: start, children: tree.children(root.key), line_bytes: line.len() }];
    while let Some(last) = open.last_mut() {
        line.truncate(last.line_bytes);
        let Some((node, children)) = last.children.split_first() else {
            open.pop();
            continue;
        };
        last.children = children;
        let played = node.parent.and_then(|parent| parent.mv.unpack_with_san(&last.board));
        // A damaged table may have a move here that is none; what follows it has no line.
        let Some((m, san)) = played else { continue };
        let mut board = last.board.clone();
        board.play_unchecked(m);
        if !line.is_empty() {
            line.push(' ');
        }
        san.append_to_string(&mut line);
        push_row(node, &line, &mut file)?;
        open.push(Open { board, children: tree.children(node.key), line_bytes: line.len() });
    }
    file.finish()
}

fn push_row(node: &Node, line: &str, file: &mut PartWriter) -> Result<()> {
    if node.is_written { file.push(&LineRow { node, line }, Tally::default()) } else { Ok(()) }
}

/// A position whose children are under way.
struct Open<'t> {
    board: Chess,
    children: &'t [Node],
    line_bytes: usize,
}

/// Positions by their parents.
struct Tree {
    /// Ascending by the parent's key; of one parent the most played first.
    nodes: Vec<Node>,
}

impl Tree {
    /// Finds the ancestors of these positions.
    fn grow(mut nodes: Vec<Node>, walk: &Walk, shards: u32, memory_bytes: u64) -> Result<Self> {
        let mut known: HashSet<_> = nodes.iter().map(|node| node.key).collect();
        let mut from = 0;
        loop {
            check_memory(nodes.len(), memory_bytes)?;
            let parents = nodes[from..].iter().filter_map(|node| node.parent.map(|parent| parent.key));
            let mut missing: Vec<_> = parents.filter(|key| known.insert(*key)).collect();
            if missing.is_empty() {
                break;
            }
            missing.sort_unstable();
            from = nodes.len();
            for keys in missing.chunk_by(|a, b| shard_of(*a, shards) == shard_of(*b, shards)) {
                let mut found = walk.shard(shard_of(keys[0], shards))?;
                for key in keys {
                    nodes.extend(found.find(*key)?.as_ref().map(|walked| Node::new(walked, 0, false)));
                }
            }
        }
        nodes.sort_unstable_by_key(|node| {
            let games = std::cmp::Reverse(node.games);
            (node.parent.map(|parent| parent.key), games, node.parent.map(|parent| parent.mv))
        });
        Ok(Self { nodes })
    }

    fn children(&self, parent: Key) -> &[Node] {
        let key = |node: &Node| node.parent.map(|parent| parent.key);
        let from = self.nodes.partition_point(|node| key(node) < Some(parent));
        let count = self.nodes[from..].partition_point(|node| key(node) == Some(parent));
        &self.nodes[from..from + count]
    }
}

/// Whether lines of so many positions can be made.
pub(crate) fn check_memory(nodes: usize, memory_bytes: u64) -> Result<()> {
    let most = memory_bytes / NODE_BYTES;
    if nodes as u64 > most { Err(Error::TooManyLines { most }) } else { Ok(()) }
}
