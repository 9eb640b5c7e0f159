//! The columns of `moves/`.

use table::Groups;

use crate::{
    ExportOptions,
    column::{
        Column,
        ColumnKind::{self, F32, F64, I16, I32, I64, Key, Text, U16},
        Layout, Spec,
    },
    evaluations,
};

/// The files of moves.
pub(crate) fn spec(groups: Groups, options: &ExportOptions, is_evaluated: bool) -> Spec {
    let in_file = groups_in_file(groups, options);
    let mut columns = vec![KEY, MOVE];
    columns.extend(group_columns(in_file));
    let sorted_by = columns.len() as u32;
    columns.extend(VALUES.iter().chain(evaluations::columns(is_evaluated)));
    options.spec("moves", columns, sorted_by)
}

/// The groups that get a column of their own. With a folder for each month, files need no month column,
/// because the folder's name gives the month.
pub(super) fn groups_in_file(groups: Groups, options: &ExportOptions) -> Groups {
    Groups { month: groups.month && !options.month_folders, ..groups }
}

const KEY: Column =
    Column::new("key", Key, "hash", "the position before the move: Polyglot's hash").laid_out(Layout::Deltas);

const MOVE: Column =
    Column::new("move", U16, "bits", "the move in Polyglot's bits; castling is king takes own rook")
        .laid_out(Layout::BareDictionary);

fn group_columns(groups: Groups) -> impl Iterator<Item = Column> {
    let column = |name, kind, unit, meaning| Column::new(name, kind, unit, meaning).null("unknown");
    let band = "lower bound of the band of the players' mean rating";
    let color = "`white` or `black`: the named player's colour";
    [
        (groups.speed, column("speed", Text, "name", "Lichess's speed by the clock")),
        (groups.rating_band, column("rating_band", I16, "Elo", band)),
        (groups.month, column("month", I32, "yyyymm", "when the games were played")),
        (groups.player_color, column("player_color", Text, "name", color)),
    ]
    .into_iter()
    .filter_map(|(used, column)| used.then_some(column))
}

/// A column whose values repeat on every page. They repeat because they depend on little more than the move,
/// or because they are computed from small counts.
const fn scattered(
    name: &'static str,
    kind: ColumnKind,
    unit: &'static str,
    meaning: &'static str,
) -> Column {
    Column::new(name, kind, unit, meaning).laid_out(Layout::Scattered)
}

/// A column that counts games; most of its values are 0 or 1.
const fn count(name: &'static str, meaning: &'static str) -> Column {
    Column::new(name, I64, "games", meaning).laid_out(Layout::Deltas)
}

const NO_GAMES: &str = "no games";
const NO_RATINGS: &str = "no rated games, or ratings were not counted";
const NO_MONTH: &str = "not grouped by month, or unknown";

const VALUES: [Column; 17] = [
    scattered("uci", Text, "text", "the move as UCI has it; castling is the king's two steps"),
    scattered("san", Text, "text", "the move in SAN")
        .null("the position was not reached, or the move is illegal in it"),
    count("white", "games that White won"),
    count("draws", "games drawn"),
    count("black", "games that Black won"),
    count("games", "white + draws + black"),
    scattered("score", F64, "0 to 1", "the mover's points a game: (wins + draws / 2) / games").null(NO_GAMES),
    scattered("score_low", F32, "0 to 1", "lower bound of the score: Wilson's interval, 95 %").null(NO_GAMES),
    scattered("score_high", F32, "0 to 1", "upper bound of the score: Wilson's interval, 95 %")
        .null(NO_GAMES),
    scattered("share", F32, "0 to 1", SHARE_MEANING).null(NO_GAMES),
    scattered("average_rating", F32, "Elo", "the mover's mean rating").null(NO_RATINGS),
    scattered("performance_rating", F32, "Elo", PERFORMANCE_MEANING).null(NO_RATINGS),
    scattered("learn", F32, "pawns", "learned value, mover's view").null("nothing learned"),
    Column::new("user_value", I16, "0 to 100", "value set by a user").null("not set"),
    Column::new("first_month", I32, "yyyymm", "the first month this edge was played in, over all its groups")
        .null(NO_MONTH),
    Column::new("last_month", I32, "yyyymm", "the last month this edge was played in, over all its groups")
        .null(NO_MONTH),
    Column::new("child_key", Key, "hash", "the position after the move")
        .laid_out(Layout::Bare)
        .null("the export is of a book, and the position was not reached"),
];

const SHARE_MEANING: &str = "games / visits of the position in the same group, games that end there included";
const PERFORMANCE_MEANING: &str =
    "the opponents' mean rating and what the mover's score says beyond it, at most 800";
