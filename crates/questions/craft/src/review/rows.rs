//! A Parquet file with a row for each game that was followed.
//!
//! # Format
//!
//! Rows are in the order of the games. `game` is the game's number, from 1, among the games that were
//! followed. `white`, `black`, `date` and `result` are the values of the tags. `color` is the player's side,
//! and `departure` is how the game left the book. `line` contains the first `plies` moves of the game, none
//! of which took the game out of the book. `fen` is the position after the line. `played` is the move that
//! was played in this position, and `book` lists the moves that the book has in this position.

use query::numbered;
use shakmaty::{Chess, Color, EnPassantMode, fen::Fen};

use super::Exit;
use crate::{
    Result,
    row_file::{Column, Columns, RowFile},
};

/// The string columns, which come after `game` and `plies`. The flag shows whether a column may contain
/// nulls.
const TEXTS: [(&str, bool); 10] = [
    ("white", true),
    ("black", true),
    ("date", true),
    ("result", true),
    ("color", false),
    ("departure", false),
    ("line", false),
    ("played", true),
    ("book", false),
    ("fen", false),
];

/// A game that was followed.
pub struct ReviewedGame<'g> {
    /// The game's number among all games that were followed, from 1.
    pub number: i64,
    /// The values of the tags White, Black, Date and Result; `None` for a tag that the game does not have.
    pub tags: [Option<&'g str>; 4],
    /// The game's first position.
    pub start: &'g Chess,
    /// The player's side.
    pub own: Color,
    /// The place where the game left the book.
    pub exit: &'g Exit,
}

/// The file that is being written.
pub type ReviewRows = RowFile<ReviewRow>;

/// A row of the file, with the values for one game.
pub struct ReviewRow {
    /// The number of the game, and the number of plies in its line.
    numbers: [i64; 2],
    texts: [Option<String>; TEXTS.len()],
}

impl Columns for ReviewRow {
    fn columns() -> Vec<Column<Self>> {
        let number = |(at, name): (usize, _)| {
            Column::new(format!("required int64 {name}"), move |row: &Self, column| {
                column.push(row.numbers[at].cast_unsigned());
            })
        };
        let text = |(at, (name, nullable)): (usize, _)| {
            let repetition = if nullable { "optional" } else { "required" };
            Column::new(format!("{repetition} binary {name} (STRING)"), move |row: &Self, column| {
                column.push_text_option(row.texts[at].as_deref());
            })
        };
        let numbers = ["game", "plies"].into_iter().enumerate().map(number);
        numbers.chain(TEXTS.into_iter().enumerate().map(text)).collect()
    }
}

impl ReviewRows {
    /// Adds a game.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be written.
    pub fn push(&mut self, game: &ReviewedGame<'_>) -> Result<()> {
        let ReviewedGame { number, tags: [white, black, date, result], start, own, exit } = *game;
        let line = numbered(start, &exit.line);
        let book = exit.book.join(" ");
        let fen = Fen::from_position(&exit.position, EnPassantMode::Legal).to_string();
        let texts = [
            white,
            black,
            date,
            result,
            Some(own.fold_wb("white", "black")),
            Some(exit.departure.into()),
            Some(&line),
            exit.played.as_deref(),
            Some(&book),
            Some(&fen),
        ];
        let numbers = [number, exit.line.len().cast_signed() as i64];
        self.add(&ReviewRow { numbers, texts: texts.map(|text| text.map(str::to_owned)) })
    }
}
