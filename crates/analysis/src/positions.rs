//! `positions/` and `openings/`: one row a position, one row a position with a name.

use openings::OpeningName;
use position::{Key, PackedMove};
use shakmaty::{Chess, Color, EnPassantMode, fen::Fen};

use crate::{
    ExportOptions,
    batch::Cell,
    column::{Column, Kind, Layout, Spec},
    epd::Shown,
    moves::color_name,
    stream::GroupedPosition,
    walk::{Found, Record},
};

/// The files of positions.
pub(crate) fn spec(options: &ExportOptions) -> Spec {
    let columns = POSITION_COLUMNS.to_vec();
    Spec {
        file: "positions",
        columns,
        sorted_by: 1,
        key_type: options.key_type,
        without: options.without.clone(),
        metadata: options.metadata.clone(),
    }
}

/// The file of openings.
pub(crate) fn openings_spec(options: &ExportOptions) -> Spec {
    let columns = OPENING_COLUMNS.to_vec();
    Spec {
        file: "openings",
        columns,
        sorted_by: 1,
        key_type: options.key_type,
        without: options.without.clone(),
        metadata: options.metadata.clone(),
    }
}

const fn column(
    (name, kind, layout): (&'static str, Kind, Layout),
    null: Option<&'static str>,
    unit: &'static str,
    meaning: &'static str,
) -> Column {
    Column { name, kind, layout, null, unit, meaning }
}

const UNREACHED: Option<&str> = Some("no walk from the start position reaches it");
const NO_PARENT: Option<&str> = Some("the start position, or not reached");
const UNNAMED: Option<&str> = Some("the position has no name of its own");

const POSITION_COLUMNS: [Column; 13] = [
    column(("key", Kind::Key, Layout::Ascending), None, "hash", "the position: Polyglot's hash"),
    column(
        ("fen", Kind::Text, Layout::Text),
        UNREACHED,
        "text",
        "FEN: the EPD, clock 0, and the move number by the shortest way",
    ),
    column(
        ("epd", Kind::Text, Layout::Text),
        UNREACHED,
        "text",
        "the first four fields of the FEN; an en passant square only where the capture is legal",
    ),
    column(
        ("ply", Kind::I32, Layout::Dictionary),
        UNREACHED,
        "plies",
        "plies from the start by the shortest way",
    ),
    column(("turn", Kind::Text, Layout::Dictionary), None, "name", "`white` or `black`: who is to move"),
    column(("games", Kind::I64, Layout::Dictionary), None, "games", "visits, games that end there included"),
    column(("white", Kind::I64, Layout::Dictionary), None, "games", "visits in games that White won"),
    column(("draws", Kind::I64, Layout::Dictionary), None, "games", "visits in games drawn"),
    column(("black", Kind::I64, Layout::Dictionary), None, "games", "visits in games that Black won"),
    column(
        ("eco", Kind::Text, Layout::Dictionary),
        UNNAMED,
        "code",
        "ECO code of the opening named after the position",
    ),
    column(("opening", Kind::Text, Layout::Dictionary), UNNAMED, "text", "name of that opening"),
    column(
        ("parent_key", Kind::Key, Layout::Bare),
        NO_PARENT,
        "hash",
        "the position before, on the most played edge that leads here; of equal ones the smallest (key, move)",
    ),
    column(
        ("parent_move", Kind::U16, Layout::BareDictionary),
        NO_PARENT,
        "bits",
        "the move of that edge in Polyglot's bits",
    ),
];

const OPENING_COLUMNS: [Column; 3] = [
    column(("key", Kind::Key, Layout::Ascending), None, "hash", "the position: Polyglot's hash"),
    column(("eco", Kind::Text, Layout::Dictionary), None, "code", "ECO code"),
    column(("name", Kind::Text, Layout::Text), None, "text", "name of the opening"),
];

/// A position that the walk reached, as shakmaty has it.
pub(crate) struct Reached {
    pub(crate) ply: u32,
    pub(crate) board: Chess,
}

impl Reached {
    /// `None` where what was found is no legal position or has another key: two positions of one key.
    pub(crate) fn of(found: Found, key: Key) -> Option<Self> {
        let turn = Color::from_white(found.ply.is_multiple_of(2));
        let board = found.placement.position(turn)?;
        (Key::of(&board) == key).then_some(Self { ply: found.ply, board })
    }

    /// Its FEN, with an en passant square wherever the key knows of one.
    pub(crate) fn fen_of_key(&self) -> String {
        Fen::from_position(&self.board, EnPassantMode::PseudoLegal).to_string()
    }
}

/// What a row of `positions/` is made of.
pub(crate) struct PositionRow<'p> {
    pub(crate) rows: &'p GroupedPosition,
    pub(crate) reached: Option<(&'p Reached, &'p Shown)>,
    pub(crate) opening: Option<OpeningName<'p>>,
    pub(crate) parent: Option<Parent>,
}

/// The edge that led to a position most often.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Parent {
    pub(crate) key: Key,
    pub(crate) mv: PackedMove,
}

impl Parent {
    /// An edge as a record under the key it leads to: the smallest payload is the edge with most games, of
    /// equal ones the smallest (key, move).
    pub(crate) fn record(self, child: Key, games: u64) -> Record {
        Record { key: child, payload: [!games, self.key.0, u64::from(self.mv.0), 0] }
    }

    pub(crate) fn of_payload([_, key, mv, _]: [u64; 4]) -> Self {
        Self { key: Key(key), mv: PackedMove(mv as u16) }
    }
}

impl PositionRow<'_> {
    /// Gives the cells to `write`.
    pub(crate) fn write<T>(&self, write: impl FnOnce(&[Cell<'_>]) -> T) -> T {
        let (reached, shown) = self.reached.unzip();
        let tally = self.rows.tally;
        write(&[
            Cell::Key(self.rows.key),
            Cell::text(shown.map(Shown::fen)),
            Cell::text(shown.map(Shown::epd)),
            Cell::integer(reached.map(|reached| reached.ply)),
            Cell::Text(color_name(self.rows.step.mover())),
            Cell::count(tally.games()),
            Cell::count(tally.white),
            Cell::count(tally.draws),
            Cell::count(tally.black),
            Cell::text(self.opening.map(|opening| opening.eco)),
            Cell::text(self.opening.map(|opening| opening.name)),
            Cell::key(self.parent.map(|parent| parent.key)),
            Cell::integer(self.parent.map(|parent| parent.mv.0)),
        ])
    }
}
