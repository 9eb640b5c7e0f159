//! A row a game, as Parquet.
//!
//! # Format
//!
//! Rows come in the order of the games. `game` numbers the games that were followed, beginning with 1.
//! `white`, `black`, `date` and `result` are as the tags have them. `color` is the player's side, and
//! `departure` says how the game and the book parted: `plies` moves were in the book, which are `line`.
//! `played` is the move after them and `book` the book's there; `fen` is the position before it.

use std::sync::Arc;

use arrow_array::{
    ArrayRef,
    builder::{Int64Builder, StringBuilder},
};
use arrow_schema::{DataType, Field};
use query::numbered;
use shakmaty::{Chess, Color, EnPassantMode, fen::Fen};

use super::Exit;
use crate::{
    Result,
    row_file::{Columns, RowFile},
};

/// The text columns after `game` and `plies`, in order, and whether they may be null.
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
    /// Its number among the games, from 1.
    pub number: i64,
    /// The values of the tags White, Black, Date and Result, where it has them.
    pub tags: [Option<&'g str>; 4],
    /// The position that it began with.
    pub start: &'g Chess,
    /// The player's side.
    pub own: Color,
    /// The place where it left the book.
    pub exit: &'g Exit,
}

/// The file that is being written.
pub type ReviewRows = RowFile<GameColumns>;

/// The columns of its games.
#[derive(Default)]
pub struct GameColumns {
    game: Int64Builder,
    plies: Int64Builder,
    texts: [StringBuilder; TEXTS.len()],
}

impl Columns for GameColumns {
    fn fields() -> Vec<Field> {
        let numbers = ["game", "plies"].map(|name| Field::new(name, DataType::Int64, false));
        let texts = TEXTS.map(|(name, nullable)| Field::new(name, DataType::Utf8, nullable));
        numbers.into_iter().chain(texts).collect()
    }

    fn finish(mut self) -> Vec<ArrayRef> {
        let numbers: [ArrayRef; 2] = [Arc::new(self.game.finish()), Arc::new(self.plies.finish())];
        let texts = self.texts.iter_mut().map(|text| Arc::new(text.finish()) as ArrayRef);
        numbers.into_iter().chain(texts).collect()
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
        self.add(|columns| {
            columns.game.append_value(number);
            columns.plies.append_value(exit.line.len().cast_signed() as i64);
            columns.texts.iter_mut().zip(texts).for_each(|(column, text)| column.append_option(text));
        })
    }
}
