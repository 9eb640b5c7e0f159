//! The players and the date of a game, from its tags.

use std::borrow::Cow;

use deunicode::deunicode;
use position::Players;
use xxhash_rust::xxh3::xxh3_64;

use crate::{
    filter::known_date_of,
    tags::{TagValue, Tags},
};

/// Reads the players and the date of a game from its tags.
pub(super) fn players(tags: &Tags<'_>) -> Players {
    let name = |tag| tags.get(tag).map_or_else(Name::default, Name::read);
    let (white, black, (year, month, day)) = (name("White"), name("Black"), known_date_of(tags));
    Players::new([
        white.surname_bits(),
        white.initial_bits(),
        black.surname_bits(),
        black.initial_bits(),
        year.into(),
        month.into(),
        day.into(),
    ])
}

/// A player's surname and initial, reduced to lower-case ASCII letters and digits.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(super) struct Name {
    /// The surname; empty if it is not known.
    pub(super) surname: String,
    pub(super) initial: Option<u8>,
}

/// Surnames, as [`Name`] stores them, that stand for an unknown player.
const NOBODY: [&str; 3] = ["nn", "anonymous", "unknown"];

impl Name {
    pub(super) fn read(value: TagValue<'_>) -> Self {
        Self::of(&value.text())
    }

    fn of(text: &str) -> Self {
        let (surname, rest) = text.split_once(',').unwrap_or_else(|| last_letter_split(text));
        let surname = folded(surname);
        if surname.is_empty() || NOBODY.contains(&surname.as_str()) {
            return Self::default();
        }
        Self { surname, initial: letters(&plain(rest)).next() }
    }

    fn surname_bits(&self) -> u64 {
        let hash = if self.surname.is_empty() { return 0 } else { xxh3_64(self.surname.as_bytes()) };
        // The result is at least 1, because 0 stands for an unknown surname.
        1 + hash % ((1 << 48) - 1)
    }

    fn initial_bits(&self) -> u64 {
        let letter = |byte: u8| match byte {
            b'a'..=b'z' => u64::from(byte - b'a') + 1,
            digit => u64::from(digit.wrapping_sub(b'0')) + 27,
        };
        self.initial.map_or(0, letter)
    }
}

/// Splits `Carlsen M` and `Carlsen M.` into `Carlsen` and `M`; in any other name, the whole text is the
/// surname.
fn last_letter_split(text: &str) -> (&str, &str) {
    let (surname, last) = text.trim().rsplit_once(' ').unwrap_or((text, ""));
    let letter = last.trim_end_matches('.');
    let is_letter = letter.chars().count() == 1 && letter.chars().all(char::is_alphabetic);
    if is_letter { (surname, letter) } else { (text, "") }
}

/// The letters and digits of a name, in lower case and with accents folded. `ae`, `oe` and `ue` become `a`,
/// `o` and `u`, because names with an umlaut are spelled with and without the `e`.
fn folded(text: &str) -> String {
    let plain = plain(text);
    let mut folded = String::with_capacity(plain.len());
    let mut last = b' ';
    for letter in letters(&plain) {
        if letter != b'e' || !b"aou".contains(&last) {
            folded.push(char::from(letter));
            last = letter;
        }
    }
    folded
}

fn plain(text: &str) -> Cow<'_, str> {
    if text.is_ascii() { Cow::Borrowed(text) } else { Cow::Owned(deunicode(text)) }
}

fn letters(plain: &str) -> impl Iterator<Item = u8> {
    plain.bytes().filter(u8::is_ascii_alphanumeric).map(|byte| byte.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::filter::testing::with_tags;

    fn of(white: &str, black: &str, date: &str) -> Players {
        with_tags(&[("White", white), ("Black", black), ("Date", date)], players)
    }

    #[test]
    fn a_name_is_a_surname_and_an_initial() {
        let name = |text| {
            let Name { surname, initial } = Name::of(text);
            (surname, initial.map(char::from))
        };
        for (text, surname, initial) in [
            ("Carlsen, Magnus", "carlsen", Some('m')),
            ("CARLSEN,M", "carlsen", Some('m')),
            ("Carlsen M.", "carlsen", Some('m')),
            ("Carlsen", "carlsen", None),
            ("Carlsen, ", "carlsen", None),
            ("Hübner, Robert", "hubner", Some('r')),
            ("Huebner,R", "hubner", Some('r')),
            ("Łukasz, Ś", "lukasz", Some('s')),
            ("D'Alfonso, Nicola", "dalfonso", Some('n')),
            ("van der Wiel, J", "vanderwiel", Some('j')),
            ("Stockfish 15", "stockfish15", None),
            ("DrNykterstein", "drnykterstein", None),
        ] {
            assert_eq!(name(text), (surname.to_owned(), initial), "{text}");
        }
        for text in ["", "?", "-", "NN", "N.N.", "?, ?", "Unknown"] {
            assert_eq!(name(text).0, "", "{text}");
        }
    }

    #[test]
    fn what_is_known_decides() {
        let whole = of("Carlsen, Magnus", "Anand, V", "2013.11.09");
        let year = of("Carlsen, M", "Anand, Viswanathan", "2013.??.??");
        let nameless = of("Carlsen", "?", "????.??.??");
        assert!(whole.know_all_of(year) && whole.know_all_of(nameless) && whole.know_all_of(whole));
        assert!(!year.know_all_of(whole) && year.agree_with(whole) && whole.agree_with(year));
        for other in [
            of("Carlsen, Henrik", "Anand, V", "2013.11.09"),
            of("Carlsen, M", "Kramnik, V", "2013.11.09"),
            of("Carlsen, M", "Anand, V", "2013.11.10"),
            of("Carlsen, M", "Anand, V", "2013.10.??"),
        ] {
            assert!(!whole.know_all_of(other) && !whole.agree_with(other));
        }
        assert_eq!(whole.surnames_and_date(), of("Carlsen", "Anand", "2013.11.09").surnames_and_date());
        assert_eq!(nameless.surnames_and_date(), None);
    }
}
