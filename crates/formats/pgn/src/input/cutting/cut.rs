//! Cuts text into its games.

use super::{
    bounds::GameBounds,
    line_ends::LineEnds,
    rule::{Rule, Unit},
    start::{Start, after_tags, first_start, is_blank},
};

/// The kind of a [`Piece`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PieceKind {
    /// The text of one game, from its start to the start of the next game.
    Game,
    /// Visible text before the first game of a stream: a game that has lost its tags.
    Fragment,
    /// A game that exceeds the [`GameBounds`]. If the game has too many bytes, the piece holds only its first
    /// [`GameBounds::max_game_bytes`] bytes.
    Oversized,
}

/// The text of one game, or text that counts as a rejected game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece<'t> {
    /// The kind of the piece.
    pub kind: PieceKind,
    /// The byte offset at which the piece begins in the text that was cut.
    pub offset: usize,
    /// The text.
    pub text: &'t [u8],
}

/// Cuts text into games. The text must begin where a game or the stream starts, and end where another game
/// starts or the stream ends.
///
/// The games are the same however the stream was divided into texts, because the rule for game starts looks
/// only at `text`.
pub fn games(text: &[u8], ends: LineEnds) -> Games<'_> {
    pieces(text, Rule::games(ends), GameBounds::default())
}

/// Like [`games`], but for any rule and any bounds. For units other than games, only the limit on bytes
/// applies.
pub(crate) fn pieces(text: &[u8], rule: Rule, bounds: GameBounds) -> Games<'_> {
    let next = first_start(text, 0, rule);
    let leads = next.is_none_or(|start| start.line > 0);
    Games { text, rule, bounds, next, leads }
}

/// The pieces of the text, in order: see [`games`].
#[derive(Clone, Debug)]
#[must_use]
pub struct Games<'t> {
    text: &'t [u8],
    rule: Rule,
    bounds: GameBounds,
    next: Option<Start>,
    /// Whether the text before the first game has yet to be returned.
    leads: bool,
}

impl<'t> Games<'t> {
    fn leading_text(&mut self) -> Option<Piece<'t>> {
        if !std::mem::take(&mut self.leads) {
            return None;
        }
        let text = &self.text[..self.next.map_or(self.text.len(), |start| start.line)];
        let shown = text.len() > self.bounds.max_game_bytes || !is_invisible(text, self.rule.ends);
        shown.then_some(Piece {
            kind: PieceKind::Fragment,
            offset: 0,
            text: &text[..text.len().min(self.bounds.max_game_bytes)],
        })
    }
}

impl<'t> Iterator for Games<'t> {
    type Item = Piece<'t>;

    #[inline]
    fn next(&mut self) -> Option<Piece<'t>> {
        if let Some(fragment) = self.leading_text() {
            return Some(fragment);
        }
        let start = self.next?;
        let from = after_tags(self.text, start.bracket, self.rule);
        self.next = first_start(self.text, from, self.rule);
        let end = self.next.map_or(self.text.len(), |next| next.line);
        let text = &self.text[start.line..end];
        let (kind, text) = match text.get(..self.bounds.max_game_bytes) {
            Some(beginning) if text.len() > beginning.len() => (PieceKind::Oversized, beginning),
            _ if self.rule.unit == Unit::Games && self.bounds.exceeded_within(text) => {
                (PieceKind::Oversized, text)
            }
            _ => (PieceKind::Game, text),
        };
        Some(Piece { kind, offset: start.line, text })
    }
}

/// Whether text consists of blanks and `%` lines.
fn is_invisible(text: &[u8], ends: LineEnds) -> bool {
    let line_end = |&byte: &u8| byte == b'\n' || (ends == LineEnds::Cr && byte == b'\r');
    text.split(line_end).all(|line| line.first() == Some(&b'%') || is_blank(line))
}

#[cfg(test)]
mod tests {
    use super::*;
    use PieceKind::{Fragment, Game, Oversized};

    fn cut(text: &str, game_bytes_max: usize) -> Vec<(PieceKind, usize, &str)> {
        let bounds = GameBounds { max_game_bytes: game_bytes_max, ..GameBounds::default() };
        let found = pieces(text.as_bytes(), Rule::games(LineEnds::Lf), bounds);
        found.map(|piece| (piece.kind, piece.offset, std::str::from_utf8(piece.text).unwrap())).collect()
    }

    #[test]
    fn games_run_from_start_to_start() {
        let text = "\n[Event \"a\"]\n\n{ 1. e4\n\n[Event \"b\"]\n[Site \"\"]\n\n*\n \n\n[White \"c\"]\n1-0";
        let pieces = cut(text, 99);
        assert_eq!(pieces.iter().map(|piece| piece.1).collect::<Vec<_>>(), [1, 23, 51]);
        assert_eq!(pieces[0], (Game, 1, "[Event \"a\"]\n\n{ 1. e4\n\n"));
        assert_eq!(pieces[2], (Game, 51, "[White \"c\"]\n1-0"));
    }

    #[test]
    fn leading_text_is_one_fragment_if_it_can_be_seen() {
        assert_eq!(cut("1. e4\n\n1. d4\n[Event \"\"]", 99)[0], (Fragment, 0, "1. e4\n\n1. d4\n"));
        assert_eq!(cut("1. e4", 99), [(Fragment, 0, "1. e4")]);
        assert_eq!(cut("\u{feff} \r\n% told\n[Event \"\"]", 99).len(), 1);
        assert_eq!(cut(" \n\u{1a}", 99), []);
        assert_eq!(cut("", 99), []);
    }

    #[test]
    fn too_long_a_game_shows_its_beginning() {
        let text = "[Event \"a\"]\n\n*\n\n[Event \"b\"]\n\n1. e4 *\n";
        assert_eq!(cut(text, 16), [(Game, 0, &text[..16]), (Oversized, 16, &text[16..32])]);
        assert_eq!(cut("e4 e5 [", 3), [(Fragment, 0, "e4 ")]);
    }
}
