//! The columns of `moves/`.

use table::Groups;

use crate::{
    ExportOptions,
    column::{Column, ColumnKind, Layout, Spec},
};

/// The files of moves.
pub(crate) fn spec(groups: Groups, options: &ExportOptions) -> Spec {
    let in_file = groups_in_file(groups, options);
    let mut columns = vec![KEY, MOVE];
    columns.extend(group_columns(in_file));
    let sorted_by = columns.len() as u32;
    columns.extend(VALUES);
    Spec {
        file: "moves",
        columns,
        sorted_by,
        key_type: options.key_type,
        without: options.without.clone(),
        metadata: options.metadata.clone(),
    }
}

/// Files in a folder a month have no column for the month: the folder's name has it.
pub(super) fn groups_in_file(groups: Groups, options: &ExportOptions) -> Groups {
    Groups { month: groups.month && !options.month_folders, ..groups }
}

const KEY: Column = Column {
    name: "key",
    kind: ColumnKind::Key,
    layout: Layout::Deltas,
    null: None,
    unit: "hash",
    meaning: "the position before the move: Polyglot's hash",
};

const MOVE: Column = Column {
    name: "move",
    kind: ColumnKind::U16,
    layout: Layout::BareDictionary,
    null: None,
    unit: "bits",
    meaning: "the move in Polyglot's bits; castling is king takes own rook",
};

fn group_columns(groups: Groups) -> impl Iterator<Item = Column> {
    let column = |name, kind, unit, meaning| Column {
        name,
        kind,
        layout: Layout::Dictionary,
        null: Some("unknown"),
        unit,
        meaning,
    };
    [
        (groups.speed, column("speed", ColumnKind::Text, "name", "Lichess's speed by the clock")),
        (
            groups.rating_band,
            column(
                "rating_band",
                ColumnKind::I16,
                "Elo",
                "lower bound of the band of the players' mean rating",
            ),
        ),
        (groups.month, column("month", ColumnKind::I32, "yyyymm", "when the games were played")),
        (
            groups.player_color,
            column("player_color", ColumnKind::Text, "name", "`white` or `black`: the named player's colour"),
        ),
    ]
    .into_iter()
    .filter_map(|(used, column)| used.then_some(column))
}

const fn value(
    name: &'static str,
    kind: ColumnKind,
    null: Option<&'static str>,
    unit: &'static str,
    meaning: &'static str,
) -> Column {
    Column { name, kind, layout: Layout::Dictionary, null, unit, meaning }
}

/// What says the same of a move wherever it is played, or follows from few counts.
const fn scattered(column: Column) -> Column {
    Column { layout: Layout::Scattered, ..column }
}

/// A count of games: mostly one, or none.
const fn count(name: &'static str, meaning: &'static str) -> Column {
    Column { name, kind: ColumnKind::I64, layout: Layout::Deltas, null: None, unit: "games", meaning }
}

const NO_RATINGS: Option<&str> = Some("no rated games, or ratings were not counted");
const NO_MONTH: Option<&str> = Some("not grouped by month, or unknown");

const VALUES: [Column; 17] = [
    scattered(value(
        "uci",
        ColumnKind::Text,
        None,
        "text",
        "the move as UCI has it; castling is the king's two steps",
    )),
    scattered(value(
        "san",
        ColumnKind::Text,
        Some("the position was not reached, or the move is illegal in it"),
        "text",
        "the move in SAN",
    )),
    count("white", "games that White won"),
    count("draws", "games drawn"),
    count("black", "games that Black won"),
    count("games", "white + draws + black"),
    scattered(value(
        "score",
        ColumnKind::F64,
        Some("no games"),
        "0 to 1",
        "the mover's points a game: (wins + draws / 2) / games",
    )),
    scattered(value(
        "score_low",
        ColumnKind::F32,
        Some("no games"),
        "0 to 1",
        "lower bound of the score: Wilson's interval, 95 %",
    )),
    scattered(value(
        "score_high",
        ColumnKind::F32,
        Some("no games"),
        "0 to 1",
        "upper bound of the score: Wilson's interval, 95 %",
    )),
    scattered(value(
        "share",
        ColumnKind::F32,
        Some("no games"),
        "0 to 1",
        "games / visits of the position in the same group, games that end there included",
    )),
    value("average_rating", ColumnKind::F32, NO_RATINGS, "Elo", "the mover's mean rating"),
    value(
        "performance_rating",
        ColumnKind::F32,
        NO_RATINGS,
        "Elo",
        "the opponents' mean rating and what the mover's score says beyond it, at most 800",
    ),
    value("learn", ColumnKind::F32, Some("nothing learned"), "pawns", "learned value, mover's view"),
    value("user_value", ColumnKind::I16, Some("not set"), "0 to 100", "value set by a user"),
    value(
        "first_month",
        ColumnKind::I32,
        NO_MONTH,
        "yyyymm",
        "the first month this edge was played in, over all its groups",
    ),
    value(
        "last_month",
        ColumnKind::I32,
        NO_MONTH,
        "yyyymm",
        "the last month this edge was played in, over all its groups",
    ),
    Column {
        name: "child_key",
        kind: ColumnKind::Key,
        layout: Layout::Bare,
        null: Some("the export is of a book, and the position was not reached"),
        unit: "hash",
        meaning: "the position after the move",
    },
];
