//! Prevents learned values from banning a move until enough different writers have ruled it out.

use std::collections::{BTreeMap, BTreeSet};

use experience::{Change, Lessons, LoadedRows};
use learn::search::is_playable;
use position::{Key, PackedMove};

/// The value, in pawns, of a move that fewer writers have ruled out than a ban requires. The value is bad,
/// but just high enough for the move to be playable.
const JUST_PLAYABLE: f32 = -0.79;

/// For each move, the writers whose lessons have ruled it out.
///
/// # Memory
///
/// For each move that was ruled out, the names of the writers are kept in memory. If a single writer is
/// enough for a ban, no names are kept.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bans {
    writers_min: usize,
    writers: BTreeMap<(Key, PackedMove), BTreeSet<String>>,
}

impl Bans {
    /// Creates bans that require `writers_min` different writers to rule out a move.
    pub(crate) fn by(writers_min: usize) -> Self {
        Self { writers_min, writers: BTreeMap::new() }
    }

    /// Limits a change so that a playable move remains playable until enough writers have ruled it out.
    /// `writer` made the change, and counts as one of these writers if the change rules out the move.
    pub(crate) fn limit(&mut self, known: &LoadedRows, change: &mut Change, writer: &str) {
        let (key, mv, _) = change.id();
        let Lessons::Learned { value, .. } = &mut change.lessons else { return };
        let before = known.book_move(key, mv).map_or(0.0, |row| row.experience.learn);
        if self.writers_min <= 1 || is_playable(*value) || !is_playable(before) {
            return;
        }
        let writers = self.writers.entry((key, mv)).or_default();
        writers.insert(writer.to_owned());
        if writers.len() < self.writers_min {
            *value = JUST_PLAYABLE;
        }
    }
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "values that are set are not computed")]
mod tests {
    use position::ExperienceKind;

    use super::*;

    /// Returns a move's value after each lesson. A lesson is averaged with the previous value.
    fn values(writers_min: usize, lessons: &[(&str, f32)]) -> Vec<f32> {
        let (mut bans, mut rows, mut old) = (Bans::by(writers_min), LoadedRows::default(), 0.0);
        let teach = |&(writer, lesson): &(&str, f32)| {
            let value = if old == 0.0 { lesson } else { f32::midpoint(old, lesson) };
            let (key, mv, kind, taught) = (Key(7), PackedMove(0x31c), ExperienceKind::Book, Vec::new());
            let mut change = Change { key, mv, kind, lessons: Lessons::Learned { value, count: 1 }, taught };
            bans.limit(&rows, &mut change, writer);
            rows.apply(change);
            old = rows.book_move(key, mv).unwrap().experience.learn;
            old
        };
        lessons.iter().map(teach).collect()
    }

    #[test]
    fn a_ban_takes_as_many_writers_as_are_asked_for() {
        let lessons = [("ada", -999.0), ("ada", -999.0), ("bob", -999.0)];
        assert_eq!(values(1, &lessons)[0], -999.0);
        assert_eq!(values(2, &lessons)[..2], [-0.79, -0.79], "one writer's word, however often");
        assert!(values(2, &lessons)[2] < -400.0);
        assert_eq!(values(3, &lessons), [-0.79; 3]);
        // A merely bad value does not ban a move. A ban that only one writer asks for can be outweighed by a
        // good value.
        let values = values(2, &[("bob", -0.5), ("ada", -999.0), ("bob", 0.2)]);
        assert_eq!(values[..2], [-0.5, -0.79]);
        assert!((values[2] + 0.295).abs() < 1e-6);
    }
}
