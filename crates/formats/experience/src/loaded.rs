//! Keeps all rows of experience in memory, for a caller that looks up rows and changes them after each game.

use std::collections::BTreeMap;

use crate::ExperienceFile;
use position::{ExperienceKind, ExperienceRow, Key, PackedMove};

use crate::{Change, Result};

/// The rows of experience, sorted by position, move and kind.
///
/// # Memory
///
/// Holds the rows, about 150 bytes each, and their sources.
#[derive(Clone, Debug, Default)]
pub struct LoadedRows(BTreeMap<(Key, PackedMove, ExperienceKind), ExperienceRow>);

impl LoadedRows {
    /// Reads all rows of a file.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read or is damaged.
    pub fn read(file: &ExperienceFile) -> Result<Self> {
        let rows = file.read()?.map(|row| row.map(|row| (row.id(), row)));
        Ok(Self(rows.collect::<Result<_, table::Error>>()?))
    }

    /// Whether there are no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The rows of a position, sorted by move and kind in ascending order. Rows that are identities of games
    /// are left out.
    pub fn of(&self, key: Key) -> impl Iterator<Item = &ExperienceRow> {
        let first = (key, PackedMove::TERMINAL, ExperienceKind::Book);
        let rows = self.0.range(first..).map(|(_, row)| row).take_while(move |row| row.key == key);
        rows.filter(|row| row.kind != ExperienceKind::Seen)
    }

    /// Returns the experience of a book move, if there is any.
    #[must_use]
    pub fn book_move(&self, key: Key, mv: PackedMove) -> Option<&ExperienceRow> {
        self.0.get(&(key, mv, ExperienceKind::Book))
    }

    /// Whether something was learned from a game or record with this identity.
    #[must_use]
    pub fn has_seen(&self, identity: u64) -> bool {
        self.0.contains_key(&(Key(identity), PackedMove::TERMINAL, ExperienceKind::Seen))
    }

    /// Applies a change to its row. The row refers to sources by the same indexes as the change.
    pub fn apply(&mut self, change: Change) {
        let id = change.id();
        let old = self.0.remove(&id);
        self.0.insert(id, change.apply(old));
    }
}

#[cfg(test)]
mod tests {
    use position::OwnResults;

    use super::*;
    use crate::Lessons;

    fn change(key: u64, mv: u16, kind: ExperienceKind, lessons: Lessons) -> Change {
        Change { key: Key(key), mv: PackedMove(mv), kind, lessons, taught: Vec::new() }
    }

    #[test]
    fn changes_meet_on_one_row() {
        let mut rows = LoadedRows::default();
        let won = Lessons::Own(OwnResults { wins: 1, ..OwnResults::default() });
        rows.apply(change(7, 0x31c, ExperienceKind::Book, won));
        rows.apply(change(7, 0x31c, ExperienceKind::Book, won));
        rows.apply(change(7, 0x31c, ExperienceKind::Book, Lessons::Learned { value: 0.5, count: 3 }));
        rows.apply(change(7, 0, ExperienceKind::Seen, Lessons::Seen));
        let row = rows.book_move(Key(7), PackedMove(0x31c)).unwrap();
        assert_eq!((row.experience.own.wins, row.experience.learn), (2, 0.5));
        assert_eq!(rows.of(Key(7)).count(), 1);
        assert!(rows.has_seen(7) && !rows.has_seen(8));
        assert_eq!(rows.of(Key(8)).count(), 0);
    }
}
