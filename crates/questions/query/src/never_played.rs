//! Finds the moves that a book contains but never plays.

use std::collections::HashSet;

use position::{ExperienceKind, ExperienceRow, Key, PackedMove};

use crate::{Artefact, KeyProbe, Result, View, known_rows::ExperienceOf, positions};

/// The moves that a book never plays, with the keys of their positions: banned moves and, in a Polyglot book,
/// moves with weight 0.
///
/// # Errors
///
/// Fails if the book cannot be read or is damaged.
pub fn never_played(book: &Artefact) -> Result<HashSet<(Key, PackedMove)>> {
    let mut never = HashSet::new();
    match book {
        Artefact::Book(book) => {
            for row in book.experience() {
                let row = row?;
                never.extend(is_ban(&row).then_some((row.key, row.mv)));
            }
        }
        Artefact::Polyglot(_) => {
            for found in positions(book)? {
                let found = found?;
                never.extend(without_weight(&found).map(|mv| (found.key, mv)));
            }
        }
        Artefact::Table(_) | Artefact::Experience(_) => {}
    }
    Ok(never)
}

impl View<'_> {
    /// Like [`probe_key`](Self::probe_key), but without the moves that are never played.
    ///
    /// # Errors
    ///
    /// Fails as [`probe_key`](Self::probe_key) does.
    pub fn probe_played(&self, key: Key) -> Result<Option<KeyProbe>> {
        let Some(mut found) = self.probe_key(key)? else { return Ok(None) };
        let known = ExperienceOf::new(self).of(key)?;
        let banned = known.iter().filter(|row| is_ban(row)).map(|row| row.mv);
        let never: HashSet<_> = banned.chain(without_weight(&found)).collect();
        found.moves.retain(|known| !never.contains(&known.mv));
        Ok(Some(found))
    }
}

/// Whether a row of experience bans its move.
fn is_ban(row: &ExperienceRow) -> bool {
    let is_of_move = matches!(row.kind, ExperienceKind::Book | ExperienceKind::Postbook);
    is_of_move && !row.mv.is_terminal() && !row.experience.may_be_played()
}

/// The moves that have only entries with weight 0 in a Polyglot book.
fn without_weight(found: &KeyProbe) -> impl Iterator<Item = PackedMove> {
    let weighs = |mv| found.moves.iter().any(|known| known.mv == mv && known.weight != Some(0));
    found.moves.iter().map(|known| known.mv).filter(move |mv| !weighs(*mv))
}
