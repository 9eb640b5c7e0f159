//! Writes `lines/`, with one row for each position and the moves that lead to it. Rows are in depth-first
//! order, with the most played move first.

use position::Tally;
use shakmaty::{Chess, EnPassantMode, fen::Fen};
use walk::{Node, Tree, Visit, Walk};

use crate::{
    Error, ExportOptions, Result,
    cells::{Cell, RowCells},
    column::{
        Column,
        ColumnKind::{I32, I64, Key, Text},
        Layout, Spec,
    },
    part::{PartInfo, PartWriter},
    positions::ROOT,
};

/// The file of lines.
pub(crate) fn spec(options: &ExportOptions, has_roots: bool) -> Spec {
    let columns = [&COLUMNS[..], &[ROOT][..usize::from(has_roots)]].concat();
    // The file has only a few columns, all of them needed, so none can be left out.
    Spec { without: Vec::new(), ..options.spec("lines", columns, 0) }
}

const COLUMNS: [Column; 4] = [
    Column::new("key", Key, "hash", "the position: Polyglot's hash").laid_out(Layout::Bare),
    Column::new("ply", I32, "plies", "plies from the start position: the moves of `line`"),
    Column::new("games", I64, "games", "visits, games that end there included"),
    Column::new("line", Text, "text", LINE_MEANING).laid_out(Layout::Text),
];

const LINE_MEANING: &str =
    "the moves from the start position in SAN, parted by blanks, each on the most played edge";

/// Writes a row for each wanted node, with the line that leads to it.
///
/// # Errors
///
/// Fails with [`Error::TooManyLines`] if the lines do not fit into memory. Also fails if the walk cannot be
/// read or the file cannot be written.
pub(crate) fn write(
    nodes: Vec<Node>,
    walk: &Walk,
    options: &ExportOptions,
    mut file: PartWriter,
) -> Result<PartInfo> {
    let most = nodes_max(options.memory_bytes);
    let tree = Tree::grow(nodes, walk, most)?.ok_or(Error::TooManyLines(most))?;
    tree.visit(options.cut.first_position(), |Visit { node, line, root, .. }| {
        if !node.is_wanted {
            return Ok(());
        }
        let write = |cells: &mut RowCells<'_>| {
            cells.push(Cell::Key(node.key));
            cells.push(Cell::Integer(node.ply.into()));
            cells.push(Cell::count(node.games));
            cells.push(Cell::Text(line));
            if walk.has_roots() {
                cells.push(Cell::text(root.map(root_fen).as_deref()));
            }
        };
        file.push(write, Tally::default())
    })?;
    file.finish()
}

/// The FEN of a root, as it is written to the files.
pub(crate) fn root_fen(root: &Chess) -> String {
    Fen::from_position(root, EnPassantMode::Legal).to_string()
}

/// The maximum number of positions whose lines fit into `memory_bytes`.
fn nodes_max(memory_bytes: u64) -> u64 {
    memory_bytes / Node::BYTES
}

/// Fails unless the lines of `nodes` positions fit into `memory_bytes`.
pub(crate) fn check_memory(nodes: usize, memory_bytes: u64) -> Result<()> {
    let most = nodes_max(memory_bytes);
    if nodes as u64 > most { Err(Error::TooManyLines(most).into()) } else { Ok(()) }
}
