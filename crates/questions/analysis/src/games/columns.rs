//! The columns of `games/`.

use crate::{
    cells::{Cell, RowCells},
    column::{
        Column,
        ColumnKind::{self, Date, F32s, I16, I32, I32s, I64, Key, Text, Texts, Time, U16s},
        Layout, Spec,
    },
    games::{GameOptions, GameRow, MoveList},
};

/// The files of games.
pub(super) fn spec(options: &GameOptions) -> Spec {
    let mut columns = COLUMNS.to_vec();
    columns.push(match options.moves {
        MoveList::Uci => UCI_MOVES,
        MoveList::Packed => PACKED_MOVES,
    });
    columns.extend(AFTER_MOVES);
    options.spec("games", columns, 1)
}

const fn tag(name: &'static str, kind: ColumnKind, unit: &'static str, meaning: &'static str) -> Column {
    Column::new(name, kind, unit, meaning).null("no such tag, or one that cannot be read")
}

const COLUMNS: [Column; 20] = [
    Column::new("game", I64, "number", "its number in the export, from 1").laid_out(Layout::Deltas),
    tag("Event", Text, "text", "the event"),
    tag("Site", Text, "text", "the place, or the game's address").laid_out(Layout::Text),
    tag("White", Text, "text", "White's name"),
    tag("Black", Text, "text", "Black's name"),
    tag("Result", Text, "text", "`1-0`, `1/2-1/2`, `0-1` or `*`"),
    tag("WhiteTitle", Text, "text", "White's title"),
    tag("BlackTitle", Text, "text", "Black's title"),
    tag("WhiteElo", I16, "Elo", "White's rating"),
    tag("BlackElo", I16, "Elo", "Black's rating"),
    tag("WhiteRatingDiff", I16, "Elo", "what White's rating changed by"),
    tag("BlackRatingDiff", I16, "Elo", "what Black's rating changed by"),
    tag("UTCDate", Date, "day", "UTCDate, else Date; null where not known to the day"),
    tag("UTCTime", Time, "milliseconds since midnight", "UTCTime"),
    tag("ECO", Text, "code", "the tag ECO, as it is"),
    tag("Opening", Text, "text", "the tag Opening, as it is"),
    tag("Termination", Text, "text", "how the game ended"),
    tag("TimeControl", Text, "text", "as PGN has it: seconds, or seconds + increment"),
    Column::new("plies", I32, "plies", "moves of both sides: the length of `moves`"),
    Column::new("end_key", Key, "hash", "the position after the last move: Polyglot's hash")
        .laid_out(Layout::Bare)
        .null("not replayed"),
];

const UCI_MOVES: Column = Column::new("moves", Texts, "text", "the moves as UCI has them");

const PACKED_MOVES: Column =
    Column::new("moves", U16s, "bits", "the moves in Polyglot's bits; castling is king takes own rook");

const NO_EVALS: &str = "the game has no evaluations; inside: this move has none of this kind";

const AFTER_MOVES: [Column; 3] = [
    Column::new("evals_cp", I32s, "hundredths of a pawn", "evaluation after each move, White's view")
        .null(NO_EVALS),
    Column::new("evals_mate", I32s, "moves", "moves to mate after each move; negative: Black mates")
        .null(NO_EVALS),
    Column::new("clocks", F32s, "seconds", "the mover's clock after each move")
        .null("the game has no clocks; inside: this move has none"),
];

/// A row of `games/`.
#[derive(Clone, Copy)]
pub(super) struct NumberedGame<'g> {
    /// The game's number in the export, from 1.
    pub(super) number: u64,
    pub(super) game: &'g GameRow,
}

impl NumberedGame<'_> {
    pub(super) fn write(&self, cells: &mut RowCells<'_>) {
        let Self { number, game } = *self;
        let empty_is_null = |empty: bool, cell| if empty { Cell::Null } else { cell };
        cells.extend([
            Cell::count(number),
            Cell::text(game.event.as_deref()),
            Cell::text(game.site.as_deref()),
            Cell::text(game.white.as_deref()),
            Cell::text(game.black.as_deref()),
            Cell::text(game.result.as_deref()),
            Cell::text(game.white_title.as_deref()),
            Cell::text(game.black_title.as_deref()),
            Cell::integer(game.white_elo),
            Cell::integer(game.black_elo),
            Cell::integer(game.white_rating_diff),
            Cell::integer(game.black_rating_diff),
            Cell::integer(game.utc_date),
            Cell::integer(
                game.utc_time.filter(|seconds| *seconds < 86_400).map(|seconds| i64::from(seconds) * 1000),
            ),
            Cell::text(game.eco.as_deref()),
            Cell::text(game.opening.as_deref()),
            Cell::text(game.termination.as_deref()),
            Cell::text(game.time_control.as_deref()),
            Cell::count(game.moves.len() as u64),
            Cell::key(game.end_key),
            Cell::Moves(&game.moves),
            empty_is_null(game.evals_cp.is_empty(), Cell::I32s(&game.evals_cp)),
            empty_is_null(game.evals_mate.is_empty(), Cell::I32s(&game.evals_mate)),
            empty_is_null(game.clocks.is_empty(), Cell::F32s(&game.clocks)),
        ]);
    }
}
