//! Names positions, using the catalogue in the crate `esca` or a file in the format of
//! lichess-org/chess-openings.
//!
//! The catalogue finds a position by its FEN. This look-up is slower than any other, and it usually finds
//! nothing, because few positions have names. That is why this crate keeps its own list of the keys of named
//! positions (`named.keys`, written by `examples/named_keys.rs`) and consults the catalogue only for
//! positions on this list.
//!
//! ```
//! use openings::Openings;
//! use position::Board;
//!
//! let mut board = Board::start();
//! board.play_san(&"e4".parse()?)?;
//! let fen = || "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1".to_owned();
//! let openings = Openings::bundled();
//! assert_eq!(openings.name_of(board.key(), fen).unwrap().eco, "B00");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::sync::LazyLock;

use position::{Board, Key};
use shakmaty::san::SanPlus;

/// An error in a line of an openings file.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[error("openings file, line {line}: {what}")]
pub struct Error {
    /// The number of the line, counting from 1.
    pub line: usize,
    /// What is wrong with it.
    pub what: String,
}

impl fault::Failure for Error {}

/// The keys of the positions that the catalogue names.
struct OpeningKeys {
    /// The keys, in ascending order.
    keys: Vec<Key>,
    /// For each prefix (a key's first [`PREFIX_BITS`] bits), the index at which its keys begin, which equals
    /// the number of keys with smaller prefixes. The last item is the total number of keys.
    begins: Vec<u16>,
}

/// The number of bits in a prefix. There are about as many prefixes as keys, so a look-up compares about one
/// key.
const PREFIX_BITS: u32 = 12;

static NAMED: LazyLock<OpeningKeys> = LazyLock::new(|| {
    let key = |line: &str| u64::from_str_radix(line, 16).map(Key);
    // A test compares the list in that file with the catalogue.
    let keys: Vec<_> = include_str!("named.keys").lines().filter_map(|line| key(line).ok()).collect();
    let begin = |number| keys.partition_point(|key| prefix(*key) < number) as u16;
    let begins = (0..=1 << PREFIX_BITS).map(begin).collect();
    OpeningKeys { keys, begins }
});

fn prefix(key: Key) -> usize {
    (key.0 >> (64 - PREFIX_BITS)) as usize
}

impl OpeningKeys {
    fn contains(&self, key: Key) -> bool {
        let range = self.begins[prefix(key)]..self.begins[prefix(key) + 1];
        self.keys[usize::from(range.start)..usize::from(range.end)].contains(&key)
    }
}

/// An ECO code and the name of an opening.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct OpeningName<'o> {
    /// The ECO code: a volume letter A to E and two digits.
    pub eco: &'o str,
    /// The name, in the form `Family: Variation, Subvariation`.
    pub name: &'o str,
}

/// The names of positions.
#[derive(Clone, Debug, Default)]
pub struct Openings {
    /// The names and ECO codes, in ascending order of keys; `None` stands for the catalogue of `esca`.
    rows: Option<Vec<(Key, String, String)>>,
}

impl Openings {
    /// The catalogue of lichess-org/chess-openings (CC0), which is in the crate `esca`.
    #[must_use]
    pub fn bundled() -> Self {
        Self::default()
    }

    /// Parses a file in the format of lichess-org/chess-openings: columns `eco`, `name` and `pgn`, separated
    /// by tabs. A header line may name the columns; without one, they must be in this order. If a position is
    /// named twice, the first name is kept.
    ///
    /// # Errors
    ///
    /// Fails with an [`Error`] that names the line, if columns are missing or moves cannot be played.
    pub fn parse_tsv(text: &str) -> Result<Self, Error> {
        let text = text.trim_start_matches('\u{feff}');
        let mut columns = [0, 1, 2];
        let mut rows = Vec::new();
        for (index, line) in text.lines().enumerate() {
            let fields: Vec<_> = line.split('\t').map(str::trim).collect();
            let position = |name| fields.iter().position(|field| field.eq_ignore_ascii_case(name));
            if let (Some(eco), Some(name), Some(pgn)) = (position("eco"), position("name"), position("pgn")) {
                columns = [eco, name, pgn];
            } else if !line.trim().is_empty() {
                let wrong = |what| Error { line: index + 1, what };
                rows.push(row(columns.map(|column| fields.get(column).copied())).map_err(wrong)?);
            }
        }
        rows.sort_by_key(|(key, ..)| *key);
        rows.dedup_by_key(|(key, ..)| *key);
        Ok(Self { rows: Some(rows) })
    }

    /// The keys of all positions that have names, in ascending order.
    pub fn keys(&self) -> impl Iterator<Item = Key> {
        let (own, bundled) = match &self.rows {
            Some(rows) => (rows.as_slice(), &[][..]),
            None => (&[][..], NAMED.keys.as_slice()),
        };
        own.iter().map(|(key, ..)| *key).chain(bundled.iter().copied())
    }

    /// The name of a position; `None` if it has none. `fen` returns the position's FEN, which must include an
    /// en passant square whenever the key does.
    pub fn name_of(&self, key: Key, fen: impl FnOnce() -> String) -> Option<OpeningName<'_>> {
        match &self.rows {
            Some(rows) => {
                let at = rows.binary_search_by_key(&key, |(key, ..)| *key).ok()?;
                Some(OpeningName { eco: &rows[at].1, name: &rows[at].2 })
            }
            None => NAMED.contains(key).then(|| bundled_name(&fen())).flatten(),
        }
    }
}

fn bundled_name(fen: &str) -> Option<OpeningName<'static>> {
    let opening = esca::openings::lookup(&esca::Position::from_fen(fen).ok()?)?;
    Some(OpeningName { eco: opening.eco, name: opening.name })
}

fn row([eco, name, pgn]: [Option<&str>; 3]) -> Result<(Key, String, String), String> {
    let (Some(eco), Some(name), Some(pgn)) = (eco, name, pgn) else {
        return Err("expected the columns eco, name and pgn, separated by tabs".to_owned());
    };
    Ok((key_after(pgn)?, eco.to_owned(), name.to_owned()))
}

fn key_after(pgn: &str) -> Result<Key, String> {
    let mut board = Board::start();
    for token in pgn.split_whitespace() {
        let san = token.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
        // A word that is just a move number is skipped; from `1.e4`, only the number is removed.
        if san.is_empty() {
            continue;
        }
        let san: SanPlus = san.parse().map_err(|_| format!("`{token}` is not a move"))?;
        board.play_san(&san.san).map_err(|error| format!("`{token}`: {error}"))?;
    }
    Ok(board.key())
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::{EnPassantMode, fen::Fen};

    /// The key and the FEN of the position after these moves.
    fn after(sans: &str) -> (Key, String) {
        let mut board = Board::start();
        for san in sans.split_whitespace() {
            board.play_san(&san.parse().unwrap()).unwrap();
        }
        (board.key(), Fen::from_position(&board.position(), EnPassantMode::PseudoLegal).to_string())
    }

    fn name(openings: &Openings, sans: &str) -> Option<(String, String)> {
        let (key, fen) = after(sans);
        openings.name_of(key, || fen).map(|opening| (opening.eco.to_owned(), opening.name.to_owned()))
    }

    fn named(eco: &str, name: &str) -> (String, String) {
        (eco.to_owned(), name.to_owned())
    }

    #[test]
    fn the_bundled_catalogue_knows_the_ruy_lopez() {
        let openings = Openings::bundled();
        assert_eq!(name(&openings, "e4 e5 Nf3 Nc6 Bb5"), Some(named("C60", "Ruy Lopez")));
        assert_eq!(name(&openings, ""), None);
        assert_eq!(openings.name_of(Key(0), || panic!("a key without a name")), None);
    }

    #[test]
    fn a_file_overrides_it() {
        let text = "eco\tname\tpgn\nZ00\tKing's pawn\t1. e4\nZ01\tSecond name\t1.e4\n\nZ02\tOpen\t1. e4 e5\n";
        let openings = Openings::parse_tsv(text).unwrap();
        assert_eq!(name(&openings, "e4"), Some(named("Z00", "King's pawn")));
        assert_eq!(name(&openings, "e4 e5"), Some(named("Z02", "Open")));
        assert_eq!(name(&openings, "e4 e5 Nf3 Nc6 Bb5"), None);
    }

    #[test]
    fn columns_are_found_by_their_heading() {
        let openings = Openings::parse_tsv("\u{feff}pgn\teco\tname\n1. d4\tA40\tQueen's Pawn\n").unwrap();
        assert_eq!(name(&openings, "d4"), Some(named("A40", "Queen's Pawn")));
    }

    #[test]
    fn a_bad_line_is_named() {
        let error = Openings::parse_tsv("eco\tname\tpgn\nA00\tBad\t1. e5\n").unwrap_err().to_string();
        assert!(error.starts_with("openings file, line 2: `e5`"), "{error}");
        let error = Openings::parse_tsv("A00\tBad\n").unwrap_err().to_string();
        assert!(error.contains("line 1: expected the columns"), "{error}");
    }
}
