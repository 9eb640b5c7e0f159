//! The columns of `games/`.

use crate::{
    batch::{Cell, Cells, RowCells},
    column::{
        Column,
        ColumnKind::{self, Date, F32s, I16, I32, I32s, Key, Text, Texts, Time, U16s},
        Layout::{self, Bare, Dictionary},
        Spec, column,
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
    Spec {
        file: "games",
        columns,
        sorted_by: 0,
        key_type: options.key_type,
        without: options.without.clone(),
        metadata: options.metadata.clone(),
    }
}

const NO_TAG: &str = "no such tag, or one that cannot be read";

const fn tag(name: &'static str, kind: ColumnKind, unit: &'static str, meaning: &'static str) -> Column {
    column(name, kind, Dictionary).null(NO_TAG).means(unit, meaning)
}

const COLUMNS: [Column; 19] = [
    tag("Event", Text, "text", "the event"),
    Column { layout: Layout::Text, ..tag("Site", Text, "text", "the place, or the game's address") },
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
    column("plies", I32, Dictionary).means("plies", "moves of both sides: the length of `moves`"),
    column("end_key", Key, Bare)
        .null("not replayed")
        .means("hash", "the position after the last move: Polyglot's hash"),
];

const UCI_MOVES: Column = column("moves", Texts, Dictionary).means("text", "the moves as UCI has them");

const PACKED_MOVES: Column = column("moves", U16s, Dictionary)
    .means("bits", "the moves in Polyglot's bits; castling is king takes own rook");

const NO_EVALS: &str = "the game has no evaluations; inside: this move has none of this kind";

const AFTER_MOVES: [Column; 3] = [
    column("evals_cp", I32s, Dictionary)
        .null(NO_EVALS)
        .means("hundredths of a pawn", "evaluation after each move, White's view"),
    column("evals_mate", I32s, Dictionary)
        .null(NO_EVALS)
        .means("moves", "moves to mate after each move; negative: Black mates"),
    column("clocks", F32s, Dictionary)
        .null("the game has no clocks; inside: this move has none")
        .means("seconds", "the mover's clock after each move"),
];

impl Cells for GameRow {
    fn write(&self, cells: &mut RowCells<'_>) {
        let empty_is_null = |empty: bool, cell| if empty { Cell::Null } else { cell };
        cells.extend([
            Cell::text(self.event.as_deref()),
            Cell::text(self.site.as_deref()),
            Cell::text(self.white.as_deref()),
            Cell::text(self.black.as_deref()),
            Cell::text(self.result.as_deref()),
            Cell::text(self.white_title.as_deref()),
            Cell::text(self.black_title.as_deref()),
            Cell::integer(self.white_elo),
            Cell::integer(self.black_elo),
            Cell::integer(self.white_rating_diff),
            Cell::integer(self.black_rating_diff),
            Cell::integer(self.utc_date),
            Cell::integer(
                self.utc_time.filter(|seconds| *seconds < 86_400).map(|seconds| i64::from(seconds) * 1000),
            ),
            Cell::text(self.eco.as_deref()),
            Cell::text(self.opening.as_deref()),
            Cell::text(self.termination.as_deref()),
            Cell::text(self.time_control.as_deref()),
            Cell::count(self.moves.len() as u64),
            Cell::key(self.end_key),
            Cell::Moves(&self.moves),
            empty_is_null(self.evals.is_empty(), Cell::Centipawns(&self.evals)),
            empty_is_null(self.evals.is_empty(), Cell::Mates(&self.evals)),
            empty_is_null(self.clocks.is_empty(), Cell::F32s(&self.clocks)),
        ]);
    }
}
