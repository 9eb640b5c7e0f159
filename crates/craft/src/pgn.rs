//! PGN as it is written: tag pairs, and movetext in lines of less than eighty columns (PGN standard, 3.2.3 and
//! 4.3).

use std::io::{self, Write};

use shakmaty::{Chess, Color, Position as _};

/// The columns of a line.
const COLUMNS: usize = 79;

/// Writes tag pairs and the blank line after them.
pub(crate) fn write_tags(tags: &[(&str, &str)], out: &mut impl Write) -> io::Result<()> {
    for (name, value) in tags {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        writeln!(out, "[{name} \"{value}\"]")?;
    }
    writeln!(out)
}

/// Movetext that is being put together.
pub(crate) struct Movetext {
    text: String,
    /// The column that the last line ends at.
    column: usize,
    number: u32,
    turn: Color,
    /// Whether the next move needs its number, whoever plays it.
    is_first: bool,
    /// Whether the last token is an opening parenthesis, which no blank follows.
    is_open: bool,
}

impl Movetext {
    /// Movetext of a game from `start`.
    pub(crate) fn new(start: &Chess) -> Self {
        Self {
            text: String::new(),
            column: 0,
            number: start.fullmoves().get(),
            turn: start.turn(),
            is_first: true,
            is_open: false,
        }
    }

    /// A token, after a blank or on a new line.
    fn push(&mut self, token: &str) {
        let width = token.chars().count();
        if self.column > 0 && !self.is_open {
            let breaks = self.column + 1 + width > COLUMNS;
            self.text.push(if breaks { '\n' } else { ' ' });
            self.column = if breaks { 0 } else { self.column + 1 };
        }
        self.text.push_str(token);
        self.column += width;
        self.is_open = false;
    }

    /// A move, with its number where it needs one.
    pub(crate) fn push_move(&mut self, san: &str) {
        match self.turn {
            Color::White => self.push(&format!("{}.", self.number)),
            Color::Black if self.is_first => self.push(&format!("{}...", self.number)),
            Color::Black => {}
        }
        self.push(san);
        self.number += u32::from(self.turn.is_black());
        (self.turn, self.is_first) = (!self.turn, false);
    }

    /// A comment. A closing brace would end it, so it is written as a parenthesis.
    pub(crate) fn push_comment(&mut self, comment: &str) {
        let comment = format!("{{{}}}", comment.replace('}', ")"));
        comment.split_whitespace().for_each(|word| self.push(word));
        self.is_first = true;
    }

    /// Ends the game with its result, and writes it with the blank line after it.
    pub(crate) fn finish(mut self, result: &str, out: &mut impl Write) -> io::Result<()> {
        self.push(result);
        write!(out, "{}\n\n", self.text)
    }
}
