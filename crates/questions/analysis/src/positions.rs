//! `positions/`, with a row for each position, and `openings/`, with a row for each position that has a name.

use openings::OpeningName;
use position::Board;
use shakmaty::{EnPassantMode, fen::Fen};
use walk::Walked;

use crate::{
    Evaluations, ExportOptions,
    cells::{Cell, RowCells},
    column::{
        Column,
        ColumnKind::{self, I32, I64, Text, U16},
        Layout, Spec,
    },
    epd::Shown,
    evaluations,
    moves::color_name,
    stream::GroupedPosition,
};

/// The column of `positions/` that is written only on request, because `epd` and `ply` contain the same
/// information.
pub(crate) const ON_REQUEST: &str = "fen";

/// The files of `positions/`. `has_roots` must be `true` if some lines begin at a root instead of the start
/// position.
pub(crate) fn spec(options: &ExportOptions, is_evaluated: bool, has_roots: bool) -> Spec {
    let mut without = options.without.clone();
    if !has_fen(options) {
        without.push(ON_REQUEST.to_owned());
    }
    let root = &[ROOT][..usize::from(has_roots)];
    let columns = [&POSITION_COLUMNS[..], root, evaluations::columns(is_evaluated)].concat();
    Spec { without, ..options.spec("positions", columns, 1) }
}

/// Whether the user asked for the column `fen`.
pub(crate) fn has_fen(options: &ExportOptions) -> bool {
    options.with.iter().any(|name| name == ON_REQUEST)
}

/// The file of openings.
pub(crate) fn openings_spec(options: &ExportOptions) -> Spec {
    options.spec("openings", OPENING_COLUMNS.to_vec(), 1)
}

const UNREACHED: &str = "no walk reaches it";
const NO_PARENT: &str = "the first position, or not reached";
const UNNAMED: &str = "the position has no name of its own";

const KEY: Column =
    Column::new("key", ColumnKind::Key, "hash", "the position: Polyglot's hash").laid_out(Layout::Deltas);

const POSITION_COLUMNS: [Column; 13] = [
    KEY,
    Column::new("fen", Text, "text", "FEN: the EPD, clock 0, and the move number by the shortest way")
        .laid_out(Layout::Text)
        .null(UNREACHED),
    Column::new("epd", Text, "text", EPD_MEANING).laid_out(Layout::Text).null(UNREACHED),
    Column::new("ply", I32, "plies", "plies from the start by the shortest way").null(UNREACHED),
    Column::new("turn", Text, "name", "`white` or `black`: who is to move").laid_out(Layout::Scattered),
    Column::new("games", I64, "games", "visits, games that end there included"),
    Column::new("white", I64, "games", "visits in games that White won"),
    Column::new("draws", I64, "games", "visits in games drawn"),
    Column::new("black", I64, "games", "visits in games that Black won"),
    Column::new("eco", Text, "code", "ECO code of the opening named after the position").null(UNNAMED),
    Column::new("opening", Text, "text", "name of that opening").null(UNNAMED),
    Column::new("parent_key", ColumnKind::Key, "hash", PARENT_MEANING).laid_out(Layout::Bare).null(NO_PARENT),
    Column::new("parent_move", U16, "bits", "the move of that edge in Polyglot's bits")
        .laid_out(Layout::BareDictionary)
        .null(NO_PARENT),
];

/// The column with the FEN of the root that a line begins with.
pub(crate) const ROOT: Column =
    Column::new("root", Text, "text", "FEN of the position that the line to this one begins with")
        .laid_out(Layout::Text)
        .null("the start position, or not reached");

const EPD_MEANING: &str =
    "the first four fields of the FEN; an en passant square only where the capture is legal";
const PARENT_MEANING: &str = "the position one ply before, on the most played edge that leads here; of equal ones the smallest (key, move)";

const OPENING_COLUMNS: [Column; 3] = [
    KEY,
    Column::new("eco", Text, "code", "ECO code"),
    Column::new("name", Text, "text", "name of the opening").laid_out(Layout::Text),
];

/// A position that the walk reached.
#[derive(Clone, Copy)]
pub(crate) struct Reached<'w> {
    pub(crate) walked: &'w Walked,
    pub(crate) board: &'w Board,
}

impl Reached<'_> {
    /// The position's FEN, with an en passant square whenever the key includes one.
    pub(crate) fn fen_of_key(&self) -> String {
        Fen::from_position(&self.board.position(), EnPassantMode::PseudoLegal).to_string()
    }
}

/// The values for one row of `positions/`.
pub(crate) struct PositionRow<'p> {
    pub(crate) rows: &'p GroupedPosition,
    pub(crate) reached: Option<(Reached<'p>, &'p Shown)>,
    /// Whether `positions/` has the column `root`. If so, the field `root` holds the column's value in this
    /// row.
    pub(crate) has_roots: bool,
    pub(crate) root: Option<String>,
    pub(crate) opening: Option<OpeningName<'p>>,
    /// `None` if there are no columns for evaluations.
    pub(crate) evaluations: Option<Evaluations>,
}

impl PositionRow<'_> {
    pub(crate) fn write(&self, cells: &mut RowCells<'_>) {
        let (reached, shown) = self.reached.unzip();
        let walked = reached.map(|reached| reached.walked);
        let parent = walked.and_then(|walked| walked.parent);
        let tally = self.rows.tally;
        cells.push(Cell::Key(self.rows.key));
        cells.push(Cell::text(shown.and_then(Shown::fen)));
        cells.push(Cell::text(shown.map(Shown::epd)));
        cells.push(Cell::integer(walked.map(|walked| walked.ply)));
        cells.push(Cell::Text(color_name(self.rows.step.mover())));
        cells.push(Cell::count(tally.games()));
        cells.push(Cell::count(tally.white));
        cells.push(Cell::count(tally.draws));
        cells.push(Cell::count(tally.black));
        cells.push(Cell::text(self.opening.map(|opening| opening.eco)));
        cells.push(Cell::text(self.opening.map(|opening| opening.name)));
        cells.push(Cell::key(parent.map(|parent| parent.key)));
        cells.push(Cell::integer(parent.map(|parent| parent.mv.0)));
        if self.has_roots {
            cells.push(Cell::text(self.root.as_deref()));
        }
        if let Some(evaluations) = self.evaluations {
            evaluations.write(cells);
        }
    }
}
