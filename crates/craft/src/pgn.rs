//! PGN as it is written: tag pairs, and movetext in lines of less than eighty columns (PGN standard, 3.2.3
//! and 4.3).

use std::io::{self, Write};

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
#[derive(Default)]
pub(crate) struct Movetext {
    text: String,
    /// The column that the last line ends at.
    column: usize,
    /// Whether a move was just written, so that a reply by Black needs no number.
    is_after_move: bool,
    /// Whether the last token is an opening parenthesis, which no blank follows.
    is_open: bool,
}

impl Movetext {
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
        (self.is_open, self.is_after_move) = (false, false);
    }

    /// The move after `ply` plies, with its number where it needs one.
    pub(crate) fn push_move(&mut self, ply: u32, san: &str) {
        let number = ply / 2 + 1;
        if ply.is_multiple_of(2) {
            self.push(&format!("{number}."));
        } else if !self.is_after_move {
            self.push(&format!("{number}..."));
        }
        self.push(san);
        self.is_after_move = true;
    }

    /// A mark of the last move, by its number.
    pub(crate) fn push_nag(&mut self, nag: u8) {
        self.push(&format!("${nag}"));
    }

    /// A comment. A closing brace would end it, so it is written as a parenthesis.
    pub(crate) fn push_comment(&mut self, comment: &str) {
        let comment = format!("{{{}}}", comment.replace('}', ")"));
        comment.split_whitespace().for_each(|word| self.push(word));
    }

    /// Begins a variation: another move in place of the last one.
    pub(crate) fn open(&mut self) {
        self.push("(");
        self.is_open = true;
    }

    /// Ends a variation.
    pub(crate) fn close(&mut self) {
        self.text.push(')');
        self.column += 1;
        self.is_after_move = false;
    }

    /// Ends the game with its result, and writes it with the blank line after it.
    pub(crate) fn finish(mut self, result: &str, out: &mut impl Write) -> io::Result<()> {
        self.push(result);
        write!(out, "{}\n\n", self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_where_they_are_needed_and_lines_are_short() {
        let mut text = Movetext::default();
        text.push_move(0, "e4");
        text.push_nag(1);
        text.push_move(1, "e5");
        text.open();
        text.push_move(1, "c5");
        text.push_comment("a } b");
        text.push_move(2, "Nf3");
        text.close();
        text.push_move(2, "Nf3");
        text.push_move(3, "Nc6");
        (4..60).for_each(|ply| text.push_move(ply, "Qa1xb2+"));
        let mut out = Vec::new();
        text.finish("*", &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        let begins = "1. e4 $1 1... e5 (1... c5 {a ) b} 2. Nf3) 2. Nf3 Nc6 3. Qa1xb2+ Qa1xb2+ ";
        assert!(text.starts_with(begins) && text.ends_with(" *\n\n"), "{text}");
        assert!(text.lines().all(|line| line.len() < 80), "{text}");
    }

    #[test]
    fn tags_are_escaped() {
        let mut out = Vec::new();
        write_tags(&[("Opening", "a \"b\" \\")], &mut out).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), "[Opening \"a \\\"b\\\" \\\\\"]\n\n");
    }
}
