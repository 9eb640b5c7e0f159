//! A change that one game, record or user makes to the experience of an edge, before the change is written to
//! a file.

use itertools::Itertools as _;
use learn::{annotations::UserSetting, crafty::LearnedEdge};
use position::{
    Contribution, Experience, ExperienceKind, ExperienceRow, Key, Lesson, OwnResults, PackedMove,
};

use crate::{evaluation::better, union::join_taught};

/// New experience of one edge.
#[derive(Clone, Debug)]
#[must_use]
pub struct Change {
    /// The position.
    pub key: Key,
    /// The move; move 0 means the position itself.
    pub mv: PackedMove,
    /// The kind of row that changes.
    pub kind: ExperienceKind,
    /// The values.
    pub lessons: Lessons,
    /// The sources of the values, as indexes into [`Base::sources`](crate::Base::sources).
    pub taught: Vec<Contribution>,
}

/// New values, and how each is combined with an older value.
#[derive(Clone, Copy, Debug)]
pub enum Lessons {
    /// A learned value that was computed from the older value, and replaces it.
    Learned {
        /// The value in pawns, from the mover's point of view.
        value: f32,
        /// The number of lessons that the value was computed from.
        count: u32,
    },
    /// Results of the engine's own games. They are added to the older results, unless a user has set a value
    /// (Terra: user-set values).
    Own(OwnResults),
    /// Experience of a move that was played after the game had left the book. Results are added up, and of
    /// two searches the deeper one is kept.
    Search(Experience),
    /// A value or a mark that was set by hand.
    Set {
        /// A value or a mark.
        setting: Option<UserSetting>,
        /// Lokasoft's priority, 0 to 5.
        priority: Option<u8>,
    },
    /// The identity of a game or record, which is stored so that copies are recognised and nothing more is
    /// learned from them.
    Seen,
    /// An evaluation; if there is an older one, the better of the two is kept.
    Evaluation(Experience),
}

/// The value that one search found for a position (move 0) or a move.
#[derive(Clone, Copy, Debug)]
pub struct EvaluationRow {
    /// The position.
    pub key: Key,
    /// The move; move 0 means the position itself.
    pub mv: PackedMove,
    /// The list or engine that the value comes from, as an index into
    /// [`Base::sources`](crate::Base::sources).
    pub source: u32,
    /// The values of the search.
    pub experience: Experience,
}

impl EvaluationRow {
    /// Creates a row of kind `evaluation`; `source` is the index of its source in the file's header.
    pub(crate) fn row(&self, source: u32) -> ExperienceRow {
        let taught = vec![Contribution { source, lesson: Lesson::Search, count: 1, last: 0 }];
        let (Self { key, mv, experience, .. }, kind) = (*self, ExperienceKind::Evaluation);
        ExperienceRow { key, mv, kind, experience, taught }
    }
}

impl From<EvaluationRow> for Change {
    fn from(found: EvaluationRow) -> Self {
        let ExperienceRow { key, mv, kind, experience, taught } = found.row(found.source);
        Self { key, mv, kind, lessons: Lessons::Evaluation(experience), taught }
    }
}

impl Change {
    /// A change that gives an edge values learned from records or games.
    pub fn learned(edge: &LearnedEdge<'_>) -> Self {
        let taught = edge.taught().into_iter().map(|taught| Contribution {
            source: taught.source,
            lesson: Lesson::Learn,
            count: taught.count,
            last: taught.last_date,
        });
        let lessons = Lessons::Learned { value: edge.learn, count: edge.count };
        Self { key: edge.key, mv: edge.mv, kind: ExperienceKind::Book, lessons, taught: taught.collect() }
    }

    /// Creates a change that stores the identity of a game or record from which something was learned, so
    /// copies of it can be skipped. `date` is the day on which it was learned (yyyymmdd, 0 if unknown).
    pub fn seen(identity: u64, source: u32, date: u32) -> Self {
        let taught = vec![Contribution { source, lesson: Lesson::Learn, count: 1, last: date }];
        let (kind, lessons) = (ExperienceKind::Seen, Lessons::Seen);
        Self { key: Key(identity), mv: PackedMove::TERMINAL, kind, lessons, taught }
    }

    /// The sort key of changes and rows: the edge and the kind.
    pub fn id(&self) -> (Key, PackedMove, ExperienceKind) {
        (self.key, self.mv, self.kind)
    }

    /// Applies the change to `old`, or to a new row. The change and the row must refer to the same list of
    /// sources.
    #[must_use]
    pub fn apply(self, old: Option<ExperienceRow>) -> ExperienceRow {
        let (key, mv, kind) = self.id();
        if let Lessons::Evaluation(experience) = self.lessons {
            let row = ExperienceRow { key, mv, kind, experience, taught: self.taught };
            return match old {
                Some(old) => better(old, row),
                None => row,
            };
        }
        let mut row = old.unwrap_or(ExperienceRow { key, mv, kind, ..ExperienceRow::default() });
        let known = &mut row.experience;
        match self.lessons {
            Lessons::Learned { value, count } => (known.learn, known.learn_count) = (value, count),
            Lessons::Own(_) if known.user_value.is_some() => return row,
            Lessons::Own(own) => {
                *known = learn::experience::merge(known, &Experience { own, ..Experience::default() });
            }
            Lessons::Search(found) => *known = learn::experience::merge(known, &found),
            Lessons::Set { setting, priority } => {
                if let Some(setting) = setting {
                    setting.apply(known);
                }
                if setting == Some(UserSetting::Clear) {
                    row.taught.retain(|taught| matches!(taught.lesson, Lesson::Learn | Lesson::Search));
                }
                known.priority = priority.or(known.priority);
            }
            Lessons::Seen | Lessons::Evaluation(_) => {}
        }
        row.taught = join_taught(&row.taught, &self.taught);
        row
    }
}

/// Merges two streams of changes, both in ascending order, into one.
pub fn merged<'c>(
    first: impl Iterator<Item = Change> + 'c,
    second: impl Iterator<Item = Change> + 'c,
) -> impl Iterator<Item = Change> + 'c {
    first.merge_by(second, |a, b| a.id() <= b.id())
}
