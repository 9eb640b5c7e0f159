//! Names of openings.

use std::{
    collections::HashMap,
    sync::{LazyLock, PoisonError, RwLock},
};

use openings::Openings;
use position::Key;
use serde::Serialize;
use shakmaty::{Chess, EnPassantMode, fen::Fen};

/// A position's ECO code and name.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
pub(crate) struct Name {
    eco: &'static str,
    name: &'static str,
}

static OPENINGS: LazyLock<Openings> = LazyLock::new(Openings::bundled);

/// The names that were asked for: finding one takes longer than all else of an answer.
///
/// # Memory
///
/// At most as many as there are named positions, about 3,800.
static FOUND: LazyLock<RwLock<HashMap<Key, Name>>> = LazyLock::new(RwLock::default);

impl Name {
    /// The name of `position`, if it has one itself.
    pub(crate) fn of(position: &Chess) -> Option<Self> {
        let key = Key::of(position);
        if let Some(name) = FOUND.read().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return Some(*name);
        }
        let fen = || Fen::from_position(position, EnPassantMode::PseudoLegal).to_string();
        let named = OPENINGS.name_of(key, fen)?;
        let name = Self { eco: named.eco, name: named.name };
        FOUND.write().unwrap_or_else(PoisonError::into_inner).insert(key, name);
        Some(name)
    }
}

#[cfg(test)]
mod tests {
    use position::named_position;

    use super::*;

    #[test]
    fn names_are_found_again() {
        let position = named_position(None, Some("e4 e5 Nf3 Nc6 Bb5")).unwrap();
        let ruy_lopez = Some(Name { eco: "C60", name: "Ruy Lopez" });
        assert_eq!([Name::of(&position), Name::of(&position)], [ruy_lopez; 2]);
        assert_eq!(Name::of(&Chess::default()), None);
    }
}
