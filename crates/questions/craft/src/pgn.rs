//! Writes PGN: tag pairs, and movetext in lines of fewer than eighty columns (PGN standard, 3.2.3 and 4.3).

mod wrap;

use std::fmt::{self, Display, Write as _};

use shakmaty::{Chess, EnPassantMode, fen::Fen};

pub(crate) use self::wrap::Wrap;

/// Adds the tag pairs of a game whose players and result are unknown, followed by a blank line. `opening` is
/// an ECO code and a name; `root` is the game's first position, if that is not the start position.
pub(crate) fn push_game_tags(
    number: u64,
    opening: Option<(&str, &str)>,
    root: Option<&Chess>,
    text: &mut String,
) {
    let fen = root.map(|root| Fen::from_position(root, EnPassantMode::Legal).to_string());
    let round = number.to_string();
    let roster = [
        ("Event", "?"),
        ("Site", "?"),
        ("Date", "????.??.??"),
        ("Round", round.as_str()),
        ("White", "?"),
        ("Black", "?"),
        ("Result", "*"),
    ];
    let opening = opening.map(|(eco, name)| [("ECO", eco), ("Opening", name)]);
    let start = fen.as_deref().map(|fen| [("SetUp", "1"), ("FEN", fen)]);
    let optional = start.into_iter().chain(opening).flatten();
    for (name, value) in roster.into_iter().chain(optional) {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        text.extend(["[", name, " \"", &value, "\"]\n"]);
    }
    text.push('\n');
}

/// Movetext that is being written: tokens separated by spaces. [`Wrap`] breaks it into lines later.
pub(crate) struct Movetext<'t> {
    text: &'t mut String,
    /// Whether a move was just written, so that Black's reply needs no number.
    is_after_move: bool,
}

impl<'t> Movetext<'t> {
    /// Continues the movetext at the end of `text`.
    pub(crate) fn of(text: &'t mut String) -> Self {
        Self { text, is_after_move: false }
    }

    /// Continues the movetext at the end of `text`, whose last token is a move.
    pub(crate) fn after_move(text: &'t mut String) -> Self {
        Self { text, is_after_move: true }
    }

    /// Adds a token, preceded by a space unless it follows an opening parenthesis.
    pub(crate) fn push(&mut self, token: impl Display) -> fmt::Result {
        let gap = if self.text.ends_with('(') { "" } else { " " };
        self.is_after_move = false;
        write!(self.text, "{gap}{token}")
    }

    /// Adds the move after `ply` plies, with its move number if it needs one.
    pub(crate) fn push_move(&mut self, ply: u32, san: impl Display) -> fmt::Result {
        let number = ply / 2 + 1;
        match (ply.is_multiple_of(2), self.is_after_move) {
            (true, _) => self.push(format_args!("{number}. {san}"))?,
            (false, false) => self.push(format_args!("{number}... {san}"))?,
            (false, true) => self.push(san)?,
        }
        self.is_after_move = true;
        Ok(())
    }

    /// Begins a variation: an alternative to the last move.
    pub(crate) fn open(&mut self) -> fmt::Result {
        self.push('(')
    }

    /// Ends a variation.
    pub(crate) fn close(&mut self) {
        self.text.push(')');
        self.is_after_move = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_where_they_are_needed_and_lines_are_short() {
        let mut tokens = String::new();
        let mut text = Movetext::of(&mut tokens);
        text.push_move(0, "e4").unwrap();
        text.push("$1").unwrap();
        text.push_move(1, "e5").unwrap();
        text.open().unwrap();
        text.push_move(1, "c5").unwrap();
        text.push("{a b}").unwrap();
        text.push_move(2, "Nf3").unwrap();
        text.close();
        text.push_move(2, "Nf3").unwrap();
        text.push_move(3, "Nc6").unwrap();
        (4..60).for_each(|ply| text.push_move(ply, "Qa1xb2+").unwrap());
        text.push('*').unwrap();
        let mut text = String::new();
        Wrap::default().finish(&tokens, &mut text);
        let begins = "1. e4 $1 1... e5 (1... c5 {a b} 2. Nf3) 2. Nf3 Nc6 3. Qa1xb2+ Qa1xb2+ ";
        assert!(text.starts_with(begins) && text.ends_with(" *\n"), "{text}");
        assert!(text.lines().all(|line| line.len() < 80), "{text}");
    }

    #[test]
    fn tags_are_escaped() {
        let mut text = String::new();
        push_game_tags(3, Some(("A00", "a \"b\" \\")), None, &mut text);
        assert!(text.starts_with("[Event \"?\"]\n") && text.contains("[Round \"3\"]\n"), "{text}");
        assert!(text.ends_with("[ECO \"A00\"]\n[Opening \"a \\\"b\\\" \\\\\"]\n\n"), "{text}");
    }
}
