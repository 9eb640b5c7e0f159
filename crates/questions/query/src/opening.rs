//! Names of openings.

use std::{
    collections::HashMap,
    fmt,
    sync::{LazyLock, PoisonError, RwLock},
};

use openings::Openings;
use position::Key;
use serde::Serialize;
use shakmaty::{Chess, EnPassantMode, Position as _, fen::Fen, san::SanPlus};

/// An opening from the catalogue lichess-org/chess-openings, which comes with the crate `esca`.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Opening {
    /// The ECO code: a letter A to E and two digits.
    pub eco: &'static str,
    /// The name, in the form `Family: Variation, Subvariation`.
    pub name: &'static str,
}

static OPENINGS: LazyLock<Openings> = LazyLock::new(Openings::bundled);

/// All openings found so far. They are cached because finding an opening takes longer than everything else in
/// an answer.
///
/// # Memory
///
/// Takes at most one opening for each named position; there are about 3,800 of these.
static FOUND: LazyLock<RwLock<HashMap<Key, Opening>>> = LazyLock::new(RwLock::default);

/// Prints the code and the name of an opening.
impl fmt::Display for Opening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.eco, self.name)
    }
}

impl Opening {
    /// The last named opening reached by `moves` from `start`; `None` if none of the positions has a name.
    #[must_use]
    pub fn on_line(start: &Chess, moves: &[SanPlus]) -> Option<Self> {
        let (mut position, mut last) = (start.clone(), Self::of(start));
        for played in moves {
            position.play_unchecked(played.san.to_move(&position).ok()?);
            last = Self::of(&position).or(last);
        }
        last
    }

    /// The opening of `position`; `None` if `position` itself has no name.
    #[must_use]
    pub fn of(position: &Chess) -> Option<Self> {
        let key = Key::of(position);
        if let Some(opening) = FOUND.read().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return Some(*opening);
        }
        let fen = || Fen::from_position(position, EnPassantMode::PseudoLegal).to_string();
        let named = OPENINGS.name_of(key, fen)?;
        let opening = Self { eco: named.eco, name: named.name };
        FOUND.write().unwrap_or_else(PoisonError::into_inner).insert(key, opening);
        Some(opening)
    }
}

#[cfg(test)]
mod tests {
    use position::played_line;

    use super::*;

    #[test]
    fn the_last_name_on_the_way_is_kept() {
        let opening = |line| {
            let (position, moves) = played_line(Chess::default(), line).unwrap();
            (Opening::of(&position), Opening::on_line(&Chess::default(), &moves))
        };
        let ruy_lopez = Opening { eco: "C60", name: "Ruy Lopez" };
        for _ in 0..2 {
            assert_eq!(opening("e4 e5 Nf3 Nc6 Bb5"), (Some(ruy_lopez), Some(ruy_lopez)));
        }
        assert_eq!(opening("e4 e5 Nf3 Nc6 Bb5 h5 Ke2"), (None, Some(ruy_lopez)));
        assert_eq!(opening(""), (None, None));
        assert_eq!(ruy_lopez.to_string(), "C60 Ruy Lopez");
    }
}
