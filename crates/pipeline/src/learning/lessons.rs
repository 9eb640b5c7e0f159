//! Lessons: single pieces of experience on their way into a file.

use std::{cmp::Ordering, iter::Peekable};

use learn::annotations::UserSetting;
use position::{Experience, ExperienceRow, Key, Kind, Lesson, OwnResults, PackedMove, Taught};

/// What was taught about one edge.
#[derive(Clone, Debug)]
pub(super) struct Change {
    pub(super) key: Key,
    pub(super) mv: PackedMove,
    pub(super) kind: Kind,
    pub(super) what: What,
    pub(super) taught: Vec<Taught>,
}

/// Which value, and how it meets the one that is there.
#[derive(Clone, Copy, Debug)]
pub(super) enum What {
    /// A learned value, the one before already in it.
    Learned { value: f32, count: u32 },
    /// Own results, added unless a user set a value (seed Terra, C3).
    Own(OwnResults),
    /// Results and search of a move after the book: results add up, the deeper search stands.
    Search(Experience),
    /// Set by hand.
    Set { setting: Option<UserSetting>, priority: Option<u8> },
    /// The identity of a game or record.
    Seen,
}

impl Change {
    pub(super) fn id(&self) -> (Key, PackedMove, Kind) {
        (self.key, self.mv, self.kind)
    }

    /// The row with the lesson in it.
    pub(super) fn apply(self, old: Option<ExperienceRow>) -> ExperienceRow {
        let (key, mv, kind) = self.id();
        let mut row = old.unwrap_or(ExperienceRow { key, mv, kind, ..ExperienceRow::default() });
        let known = &mut row.experience;
        match self.what {
            What::Learned { value, count } => (known.learn, known.learn_count) = (value, count),
            What::Own(_) if known.user_value.is_some() => return row,
            What::Own(own) => {
                *known = learn::experience::merge(known, &Experience { own, ..Experience::default() });
            }
            What::Search(found) => *known = learn::experience::merge(known, &found),
            What::Set { setting, priority } => {
                if let Some(setting) = setting {
                    setting.apply(known);
                }
                if setting == Some(UserSetting::Clear) {
                    row.taught.retain(|taught| matches!(taught.lesson, Lesson::Learn | Lesson::Search));
                }
                known.priority = priority.or(known.priority);
            }
            What::Seen => {}
        }
        row.taught = crate::experience::join_taught(&row.taught, &self.taught);
        row
    }
}

/// Two ascending streams of changes as one.
pub(super) fn merged<'c>(
    first: impl Iterator<Item = Change> + 'c,
    second: impl Iterator<Item = Change> + 'c,
) -> impl Iterator<Item = Change> + 'c {
    let (mut first, mut second): (Peekable<_>, Peekable<_>) = (first.peekable(), second.peekable());
    std::iter::from_fn(move || match (first.peek(), second.peek()) {
        (Some(a), Some(b)) if b.id().cmp(&a.id()) == Ordering::Less => second.next(),
        (None, _) => second.next(),
        _ => first.next(),
    })
}
