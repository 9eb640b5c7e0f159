//! `examples/`: a row for each game that a table keeps as an example of a move.

use position::{Key, RatingBand, Tally};
use table::{Examples, MoveExamples};

use crate::{
    ExportOptions, KeyType, Result,
    cells::{Cell, RowCells},
    column::{
        Column,
        ColumnKind::{I16, I32, Key as KeyKind, Text, U16},
        Layout, Spec,
    },
    moves::month,
    part::{PartInfo, PartWriter},
};

/// The file of examples.
pub(crate) fn spec(options: &ExportOptions) -> Spec {
    options.spec("examples", COLUMNS.to_vec(), 2)
}

const NO_GROUP: &str = "not counted by it, or not known";
const UNKNOWN: &str = "not known";
const NOT_AMONG: &str = "it is not among them";

const COLUMNS: [Column; 18] = [
    Column::new("key", KeyKind, "hash", "the position before the move: Polyglot's hash")
        .laid_out(Layout::Deltas),
    Column::new("move", U16, "bits", "the move in Polyglot's bits; castling is king takes own rook"),
    Column::new("speed", Text, "text", "the speed of the group").null(NO_GROUP),
    Column::new("rating_band", I16, "Elo", "the lower bound of the players' mean rating").null(NO_GROUP),
    Column::new("month", I32, "yyyymm", "the month of the group").null(NO_GROUP),
    Column::new("best_rated", I32, "place", "place among the best rated games of the move, from 1")
        .null(NOT_AMONG),
    Column::new("newest", I32, "place", "place among the newest games of the move, from 1").null(NOT_AMONG),
    Column::new("game", Text, "text", "what identifies the game: sixteen hexadecimal digits"),
    Column::new("result", Text, "text", "the game's: `1-0`, `1/2-1/2` or `0-1`"),
    Column::new("event", Text, "text", "the tag Event").null(UNKNOWN),
    Column::new("site", Text, "text", "the tag Site").null(UNKNOWN),
    Column::new("date", Text, "text", "the tag Date").null(UNKNOWN),
    Column::new("round", Text, "text", "the tag Round").null(UNKNOWN),
    Column::new("white", Text, "text", "the tag White").null(UNKNOWN),
    Column::new("black", Text, "text", "the tag Black").null(UNKNOWN),
    Column::new("time_control", Text, "text", "the tag TimeControl").null(UNKNOWN),
    Column::new("white_elo", I16, "Elo", "the tag WhiteElo").null(UNKNOWN),
    Column::new("black_elo", I16, "Elo", "the tag BlackElo").null(UNKNOWN),
];

/// The tags that are exported as columns of strings; the tags in `ELOS` are exported as columns of ratings.
const TAGS: [&str; 7] = ["Event", "Site", "Date", "Round", "White", "Black", "TimeControl"];
const ELOS: [&str; 2] = ["WhiteElo", "BlackElo"];

/// Writes all examples.
///
/// # Errors
///
/// Fails if the examples cannot be read or the file cannot be written.
pub(crate) fn write(examples: &Examples, options: &ExportOptions, mut file: PartWriter) -> Result<PartInfo> {
    // As signed numbers, keys whose top bit is set are negative and sort first, so they are written first.
    let halves: &[Option<u64>] = match options.key_type {
        KeyType::U64 => &[None],
        KeyType::I64 => &[Some(1), Some(0)],
    };
    for half in halves {
        for position in examples.positions() {
            let (key, rows) = position?;
            if half.is_none_or(|half| key.0 >> 63 == half) {
                rows.iter().try_for_each(|row| write_row(examples, key, row, &mut file))?;
            }
        }
    }
    file.finish()
}

fn write_row(examples: &Examples, key: Key, row: &MoveExamples, file: &mut PartWriter) -> Result<()> {
    let most = examples.rule().per_row as usize;
    let group = row.group();
    let mut by_date = row.games().to_vec();
    by_date.sort_by_key(|game| std::cmp::Reverse(game.by_date()));
    for (place, &game) in row.games().iter().enumerate() {
        let newest = by_date.iter().position(|other| *other == game);
        let places = [Some(place), newest].map(|place| place.filter(|place| *place < most));
        let Some(kept) = examples.game(game.id)? else { continue };
        let write = |cells: &mut RowCells<'_>| {
            cells.push(Cell::Key(key));
            cells.push(Cell::Integer(row.mv().0.into()));
            cells.push(Cell::text(group.speed().map(Into::into)));
            cells.push(Cell::integer(group.rating_band().map(RatingBand::lower_bound)));
            cells.push(Cell::integer(month(group)));
            for place in places {
                cells.push(place.map_or(Cell::Null, |place| Cell::count(place as u64 + 1)));
            }
            cells.push(Cell::Text(&game.id.to_string()));
            cells.push(Cell::Text(kept.outcome.into()));
            for tag in TAGS {
                cells.push(Cell::text(Some(kept.header(tag)).filter(|tag| !tag.is_empty())));
            }
            for elo in ELOS {
                cells.push(Cell::integer(kept.header(elo).parse::<i16>().ok()));
            }
        };
        file.push(write, Tally::default())?;
    }
    Ok(())
}
