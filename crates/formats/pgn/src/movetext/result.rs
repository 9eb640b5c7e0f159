//! Results, in movetext and in the Result tag.

use position::Outcome;

/// The result of a game, as its text states it.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Terminator {
    /// The game was won, drawn or lost.
    Known(Outcome),
    /// `*`: unfinished or unknown.
    Star,
}

/// The known spellings of results; if one spelling is a prefix of another, the longer one comes first.
const SPELLINGS: [(&[u8], Outcome); 5] = [
    (b"1-0", Outcome::White),
    (b"0-1", Outcome::Black),
    (b"1/2-1/2", Outcome::Draw),
    (b"1/2", Outcome::Draw),
    ("½-½".as_bytes(), Outcome::Draw),
];

impl Terminator {
    /// The result in a Result tag; `None` if the tag has any other value, such as `?`, or is empty.
    #[must_use]
    pub fn of_tag(value: &[u8]) -> Option<Self> {
        if value == b"*" {
            return Some(Terminator::Star);
        }
        SPELLINGS
            .iter()
            .find(|(spelling, _)| *spelling == value)
            .map(|&(_, outcome)| Terminator::Known(outcome))
    }
}

/// Reads the known result at `at`; returns it and where it ends.
pub(super) fn parse(text: &[u8], at: usize) -> Option<(Terminator, usize)> {
    SPELLINGS.iter().find_map(|&(spelling, outcome)| {
        let end = at + spelling.len();
        let whole = text[at..].starts_with(spelling) && text.get(end).is_none_or(|&byte| !glues(byte));
        whole.then_some((Terminator::Known(outcome), end))
    })
}

fn glues(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b':' | b'-')
}
