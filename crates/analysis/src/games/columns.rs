//! The columns of `games/`.

use crate::{
    batch::{Cell, Cells, RowCells},
    column::{Column, ColumnKind, Layout, Spec},
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

const NO_TAG: Option<&str> = Some("no such tag, or one that cannot be read");

const fn tag(name: &'static str, kind: ColumnKind, unit: &'static str, meaning: &'static str) -> Column {
    Column { name, kind, layout: Layout::Dictionary, null: NO_TAG, unit, meaning }
}

const COLUMNS: [Column; 19] = [
    tag("Event", ColumnKind::Text, "text", "the event"),
    Column {
        layout: Layout::Text,
        ..tag("Site", ColumnKind::Text, "text", "the place, or the game's address")
    },
    tag("White", ColumnKind::Text, "text", "White's name"),
    tag("Black", ColumnKind::Text, "text", "Black's name"),
    tag("Result", ColumnKind::Text, "text", "`1-0`, `1/2-1/2`, `0-1` or `*`"),
    tag("WhiteTitle", ColumnKind::Text, "text", "White's title"),
    tag("BlackTitle", ColumnKind::Text, "text", "Black's title"),
    tag("WhiteElo", ColumnKind::I16, "Elo", "White's rating"),
    tag("BlackElo", ColumnKind::I16, "Elo", "Black's rating"),
    tag("WhiteRatingDiff", ColumnKind::I16, "Elo", "what White's rating changed by"),
    tag("BlackRatingDiff", ColumnKind::I16, "Elo", "what Black's rating changed by"),
    tag("UTCDate", ColumnKind::Date, "day", "UTCDate, else Date; null where not known to the day"),
    tag("UTCTime", ColumnKind::Time, "milliseconds since midnight", "UTCTime"),
    tag("ECO", ColumnKind::Text, "code", "the tag ECO, as it is"),
    tag("Opening", ColumnKind::Text, "text", "the tag Opening, as it is"),
    tag("Termination", ColumnKind::Text, "text", "how the game ended"),
    tag("TimeControl", ColumnKind::Text, "text", "as PGN has it: seconds, or seconds + increment"),
    Column {
        name: "plies",
        kind: ColumnKind::I32,
        layout: Layout::Dictionary,
        null: None,
        unit: "plies",
        meaning: "moves of both sides: the length of `moves`",
    },
    Column {
        name: "end_key",
        kind: ColumnKind::Key,
        layout: Layout::Bare,
        null: Some("not replayed"),
        unit: "hash",
        meaning: "the position after the last move: Polyglot's hash",
    },
];

const UCI_MOVES: Column = Column {
    name: "moves",
    kind: ColumnKind::Texts,
    layout: Layout::Dictionary,
    null: None,
    unit: "text",
    meaning: "the moves as UCI has them",
};

const PACKED_MOVES: Column = Column {
    name: "moves",
    kind: ColumnKind::U16s,
    layout: Layout::Dictionary,
    null: None,
    unit: "bits",
    meaning: "the moves in Polyglot's bits; castling is king takes own rook",
};

const NO_EVALS: Option<&str> = Some("the game has no evaluations; inside: this move has none of this kind");

const AFTER_MOVES: [Column; 3] = [
    list(
        "evals_cp",
        ColumnKind::I32s,
        NO_EVALS,
        "hundredths of a pawn",
        "evaluation after each move, White's view",
    ),
    list(
        "evals_mate",
        ColumnKind::I32s,
        NO_EVALS,
        "moves",
        "moves to mate after each move; negative: Black mates",
    ),
    list(
        "clocks",
        ColumnKind::F32s,
        Some("the game has no clocks; inside: this move has none"),
        "seconds",
        "the mover's clock after each move",
    ),
];

const fn list(
    name: &'static str,
    kind: ColumnKind,
    null: Option<&'static str>,
    unit: &'static str,
    meaning: &'static str,
) -> Column {
    Column { name, kind, layout: Layout::Dictionary, null, unit, meaning }
}

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
