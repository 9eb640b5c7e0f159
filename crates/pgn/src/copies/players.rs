//! Who played a game, and when, as far as the tags say.

use std::ops::BitAnd;

use deunicode::deunicode;
use xxhash_rust::xxh3::xxh3_64;

use crate::{
    filter::date_of,
    tags::{TagValue, Tags},
};

/// The two players and the date of a game in 64 bits, as far as they are known.
///
/// From the highest bit: White's surname (17 bits of a hash) and initial (5), Black's surname and initial,
/// year (11), month (4), day (5). A part of which all bits are 0 is not known.
#[derive(Clone, Copy, Debug, Default, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Players(pub u64);

/// The bits of each part.
const PARTS: [u64; 7] = {
    let widths = [17, 5, 17, 5, 11, 4, 5];
    let (mut parts, mut left, mut part) = ([0; 7], 64, 0);
    while part < widths.len() {
        left -= widths[part];
        parts[part] = ((1 << widths[part]) - 1) << left;
        part += 1;
    }
    parts
};

impl Players {
    /// What the tags say.
    pub(super) fn of(tags: &Tags<'_>) -> Self {
        let name = |tag| tags.get(tag).map_or_else(Name::default, Name::read);
        Self::new([name("White"), name("Black")].each_ref(), date(tags))
    }

    fn new(names: [&Name; 2], (year, month, day): (u16, u8, u8)) -> Self {
        let [white, black] = names;
        let values = [
            white.surname_bits(),
            white.initial_bits(),
            black.surname_bits(),
            black.initial_bits(),
            u64::from(year.min(2047)),
            u64::from(month),
            u64::from(day),
        ];
        let place = |(part, value): (&u64, u64)| value << part.trailing_zeros();
        Self(PARTS.iter().zip(values).map(place).fold(0, |bits, part| bits | part))
    }

    /// The bits of all parts that are known.
    #[must_use]
    pub fn known(self) -> u64 {
        PARTS.iter().filter(|&part| self.0 & part != 0).fold(0, |bits, part| bits | part)
    }

    /// Whether all that `other` knows is known here and the same.
    #[must_use]
    pub fn know_all_of(self, other: Self) -> bool {
        self & other.known() == other
    }

    /// Whether no part is known to both and different.
    #[must_use]
    pub fn agree_with(self, other: Self) -> bool {
        let both = self.known() & other.known();
        self & both == other & both
    }

    /// The surnames and the date, without the initials; `None` unless both surnames and the year are known.
    #[must_use]
    pub fn surnames_and_date(self) -> Option<Self> {
        let [white, _, black, _, year, month, day] = PARTS;
        let needed = [white, black, year].iter().all(|part| self.0 & part != 0);
        needed.then_some(self & (white | black | year | month | day))
    }
}

impl BitAnd<u64> for Players {
    type Output = Self;

    fn bitand(self, bits: u64) -> Self {
        Self(self.0 & bits)
    }
}

/// Year, month and day; 0 for what is not known.
pub(super) fn date(tags: &Tags<'_>) -> (u16, u8, u8) {
    date_of(tags).map_or((0, 0, 0), |date| date.parts())
}

/// A player's name, folded: lower-case ASCII letters and digits.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(super) struct Name {
    /// Empty if it is not known.
    pub(super) surname: String,
    pub(super) initial: Option<u8>,
}

/// Surnames of nobody.
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
        let initial = folded(rest).bytes().next();
        Self { surname, initial }
    }

    fn surname_bits(&self) -> u64 {
        let hash = if self.surname.is_empty() { return 0 } else { xxh3_64(self.surname.as_bytes()) };
        // Any value but 0.
        1 + hash % ((1 << 17) - 1)
    }

    fn initial_bits(&self) -> u64 {
        let letter = |byte: u8| match byte {
            b'a'..=b'z' => u64::from(byte - b'a') + 1,
            digit => 27 + u64::from(digit) % 5,
        };
        self.initial.map_or(0, letter)
    }
}

/// `Carlsen M` and `Carlsen M.` as `Carlsen` and `M`; any other name is a surname.
fn last_letter_split(text: &str) -> (&str, &str) {
    let (surname, last) = text.trim().rsplit_once(' ').unwrap_or((text, ""));
    let letter = last.trim_end_matches('.');
    let is_letter = letter.chars().count() == 1 && letter.chars().all(char::is_alphabetic);
    if is_letter { (surname, letter) } else { (text, "") }
}

/// Letters and digits in lower case, accents folded; `ae`, `oe` and `ue` are `a`, `o` and `u`, because `ä` is
/// written either way.
fn folded(text: &str) -> String {
    let plain = if text.is_ascii() { text.to_owned() } else { deunicode(text) };
    let mut folded = String::with_capacity(plain.len());
    for letter in plain.bytes().filter(u8::is_ascii_alphanumeric).map(|byte| byte.to_ascii_lowercase()) {
        if letter != b'e' || !folded.ends_with(['a', 'o', 'u']) {
            folded.push(char::from(letter));
        }
    }
    folded
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::filter::test_tags::with_tags;

    fn players(white: &str, black: &str, date: &str) -> Players {
        with_tags(&[("White", white), ("Black", black), ("Date", date)], Players::of)
    }

    #[test]
    fn parts_fill_the_bits_without_overlap() {
        assert_eq!(PARTS.iter().map(|part| part.count_ones()).sum::<u32>(), 64);
        assert_eq!(PARTS.iter().fold(0, |all, part| all | part), u64::MAX);
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
        let whole = players("Carlsen, Magnus", "Anand, V", "2013.11.09");
        let year = players("Carlsen, M", "Anand, Viswanathan", "2013.??.??");
        let nameless = players("Carlsen", "?", "????.??.??");
        assert!(whole.know_all_of(year) && whole.know_all_of(nameless) && whole.know_all_of(whole));
        assert!(!year.know_all_of(whole) && year.agree_with(whole) && whole.agree_with(year));
        for other in [
            players("Carlsen, Henrik", "Anand, V", "2013.11.09"),
            players("Carlsen, M", "Kramnik, V", "2013.11.09"),
            players("Carlsen, M", "Anand, V", "2013.11.10"),
            players("Carlsen, M", "Anand, V", "2013.10.??"),
        ] {
            assert!(!whole.know_all_of(other) && !whole.agree_with(other));
        }
        assert_eq!(whole.surnames_and_date(), players("Carlsen", "Anand", "2013.11.09").surnames_and_date());
        assert_eq!(nameless.surnames_and_date(), None);
    }
}
