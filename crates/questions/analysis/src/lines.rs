//! `lines/`: one row a position, with the moves that lead there, in the order in which a book prints them.

use position::Tally;
use walk::{Node, Tree, Visit, Walk};

use crate::{
    Error, ExportOptions, Result,
    batch::{Cell, Cells, RowCells},
    column::{
        Column,
        ColumnKind::{I32, I64, Key, Text},
        Layout, Spec,
    },
    part::{PartInfo, PartWriter},
};

/// The file of lines.
pub(crate) fn spec(options: &ExportOptions) -> Spec {
    // The file has few columns, and each is needed.
    Spec { without: Vec::new(), ..options.spec("lines", COLUMNS.to_vec(), 0) }
}

const COLUMNS: [Column; 4] = [
    Column::new("key", Key, "hash", "the position: Polyglot's hash").laid_out(Layout::Bare),
    Column::new("ply", I32, "plies", "plies from the start position: the moves of `line`"),
    Column::new("games", I64, "games", "visits, games that end there included"),
    Column::new("line", Text, "text", LINE_MEANING).laid_out(Layout::Text),
];

const LINE_MEANING: &str =
    "the moves from the start position in SAN, parted by blanks, each on the most played edge";

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
/// # Errors
///
/// [`Error::TooManyLines`]; if the walk cannot be read or the file cannot be written.
pub(crate) fn write(
    nodes: Vec<Node>,
    walk: &Walk,
    options: &ExportOptions,
    mut file: PartWriter,
) -> Result<PartInfo> {
    let most = nodes_max(options.memory_bytes);
    let tree = Tree::grow(nodes, walk, most)?.ok_or(Error::TooManyLines(most))?;
    tree.visit(options.cut.first_position(), |Visit { node, line, .. }| {
        if node.is_wanted { file.push(&LineRow { node, line }, Tally::default()) } else { Ok(()) }
    })?;
    file.finish()
}

/// The most positions whose lines can be made in `memory_bytes`.
fn nodes_max(memory_bytes: u64) -> u64 {
    memory_bytes / Node::BYTES
}

/// Checks that the lines of `nodes` positions can be made.
pub(crate) fn check_memory(nodes: usize, memory_bytes: u64) -> Result<()> {
    let most = nodes_max(memory_bytes);
    if nodes as u64 > most { Err(Error::TooManyLines(most).into()) } else { Ok(()) }
}
