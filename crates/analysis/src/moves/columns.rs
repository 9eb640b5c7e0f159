//! The columns of `moves/`.

use table::Groups;

use crate::{
    ExportOptions,
    column::{
        Column,
        ColumnKind::{F32, F64, I16, I32, I64, Key, Text, U16},
        Layout::{Bare, BareDictionary, Deltas, Dictionary, Scattered},
        Spec, column,
    },
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

const KEY: Column = column("key", Key, Deltas).means("hash", "the position before the move: Polyglot's hash");

const MOVE: Column = column("move", U16, BareDictionary)
    .means("bits", "the move in Polyglot's bits; castling is king takes own rook");

fn group_columns(groups: Groups) -> impl Iterator<Item = Column> {
    let grouped =
        |name, kind, unit, meaning| column(name, kind, Dictionary).null("unknown").means(unit, meaning);
    [
        (groups.speed, grouped("speed", Text, "name", "Lichess's speed by the clock")),
        (
            groups.rating_band,
            grouped("rating_band", I16, "Elo", "lower bound of the band of the players' mean rating"),
        ),
        (groups.month, grouped("month", I32, "yyyymm", "when the games were played")),
        (
            groups.player_color,
            grouped("player_color", Text, "name", "`white` or `black`: the named player's colour"),
        ),
    ]
    .into_iter()
    .filter_map(|(used, column)| used.then_some(column))
}

/// A count of games: mostly one, or none.
const fn count(name: &'static str, meaning: &'static str) -> Column {
    column(name, I64, Deltas).means("games", meaning)
}

const NO_RATINGS: &str = "no rated games, or ratings were not counted";
const NO_MONTH: &str = "not grouped by month, or unknown";

const VALUES: [Column; 17] = [
    column("uci", Text, Scattered).means("text", "the move as UCI has it; castling is the king's two steps"),
    column("san", Text, Scattered)
        .null("the position was not reached, or the move is illegal in it")
        .means("text", "the move in SAN"),
    count("white", "games that White won"),
    count("draws", "games drawn"),
    count("black", "games that Black won"),
    count("games", "white + draws + black"),
    column("score", F64, Scattered)
        .null("no games")
        .means("0 to 1", "the mover's points a game: (wins + draws / 2) / games"),
    column("score_low", F32, Scattered)
        .null("no games")
        .means("0 to 1", "lower bound of the score: Wilson's interval, 95 %"),
    column("score_high", F32, Scattered)
        .null("no games")
        .means("0 to 1", "upper bound of the score: Wilson's interval, 95 %"),
    column("share", F32, Scattered)
        .null("no games")
        .means("0 to 1", "games / visits of the position in the same group, games that end there included"),
    column("average_rating", F32, Dictionary).null(NO_RATINGS).means("Elo", "the mover's mean rating"),
    column("performance_rating", F32, Dictionary)
        .null(NO_RATINGS)
        .means("Elo", "the opponents' mean rating and what the mover's score says beyond it, at most 800"),
    column("learn", F32, Dictionary).null("nothing learned").means("pawns", "learned value, mover's view"),
    column("user_value", I16, Dictionary).null("not set").means("0 to 100", "value set by a user"),
    column("first_month", I32, Dictionary)
        .null(NO_MONTH)
        .means("yyyymm", "the first month this edge was played in, over all its groups"),
    column("last_month", I32, Dictionary)
        .null(NO_MONTH)
        .means("yyyymm", "the last month this edge was played in, over all its groups"),
    column("child_key", Key, Bare)
        .null("the export is of a book, and the position was not reached")
        .means("hash", "the position after the move"),
];
