//! A row of experience in the form that `probe`, `why` and `experience show` print.

mod words;

use crate::ExperienceSource;
use position::{Ban, Contribution, Experience, ExperienceKind, ExperienceRow, Lesson, OwnResults};
use serde::Serialize;

pub use self::words::signed;

/// The experience of one move or position.
#[derive(Clone, Debug, Serialize)]
#[must_use]
pub struct KnownExperience {
    /// `book`, `postbook`, `position`, `evaluation` or `minimax`.
    pub kind: &'static str,
    /// The learned value in pawns, from the mover's point of view.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub learn: Option<f32>,
    /// The number of lessons that the learned value was computed from.
    #[serde(skip_serializing_if = "is_zero")]
    pub learn_count: u32,
    /// Whether the move may be played, that is, whether no ban forbids it.
    pub playable: bool,
    /// The bans that forbid the move.
    #[serde(skip)]
    bans: Vec<Ban>,
    /// The results of the engine's own games.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub own: Option<OwnResults>,
    /// The value set by hand, 0–100.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user_value: Option<u8>,
    /// Lokasoft's priority, 0–5.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub priority: Option<u8>,
    /// The last mark, as text: `!`, `?!` …
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mark: Option<&'static str>,
    /// The value that a search found, in pawns from the mover's point of view.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub eval: Option<f32>,
    /// The number of moves to mate, from the mover's point of view, if the search found a mate; `eval` is
    /// then `None`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mate: Option<i16>,
    /// The depth of the search in plies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u16>,
    /// The number of nodes that the search visited.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// The sources of the values.
    pub sources: Vec<KnownSource>,
}

/// A source of one value.
#[derive(Clone, Debug, Serialize)]
pub struct KnownSource {
    /// The source's name.
    pub source: String,
    /// The kind of value that comes from this source: `learn`, `own`, `set` or `search`.
    pub value: &'static str,
    /// The number of records or games from the source that contributed to the value.
    pub count: u32,
    /// The latest date of these records or games, such as `1998-03-07`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last: Option<String>,
}

/// Marks by NAG.
const MARKS: [(u8, &str); 7] = [(1, "!"), (2, "?"), (3, "!!"), (4, "??"), (5, "!?"), (6, "?!"), (10, "=")];

/// The mark that a NAG stands for, such as `!?`.
#[must_use]
pub fn mark_of(nag: u8) -> Option<&'static str> {
    MARKS.iter().find(|(number, _)| *number == nag).map(|(_, mark)| *mark)
}

impl KnownExperience {
    /// Creates the view of a row. The row refers to its sources by their indexes in `sources`.
    pub fn of(row: &ExperienceRow, sources: &[ExperienceSource]) -> Self {
        let sources = row.taught.iter().map(|taught| KnownSource::of(taught, sources)).collect();
        Self { sources, ..Self::unsourced(row.kind, &row.experience) }
    }

    /// Creates the view of a row from its kind and its experience, without its sources.
    pub fn unsourced(kind: ExperienceKind, known: &Experience) -> Self {
        let own = known.own;
        let learned = known.learn != 0.0 || known.learn_count > 0;
        Self {
            kind: kind.into(),
            learn: learned.then_some(known.learn),
            learn_count: known.learn_count,
            playable: known.may_be_played(),
            bans: known.bans().collect(),
            own: (own.games() > 0).then_some(own),
            user_value: known.user_value,
            priority: known.priority,
            mark: known.nag.and_then(mark_of),
            eval: known.eval,
            mate: known.mate,
            depth: known.depth,
            nodes: known.nodes,
            sources: Vec::new(),
        }
    }

    /// Whether the value from this kind of lesson rules the move out.
    #[must_use]
    pub fn is_ruled_out_by(&self, lesson: Lesson) -> bool {
        self.bans.iter().any(|ban| ban.lesson() == lesson)
    }

    /// The sources of one value.
    pub fn sources_of(&self, lesson: Lesson) -> impl Iterator<Item = &KnownSource> {
        self.sources.iter().filter(move |source| source.value == <&str>::from(lesson))
    }
}

impl KnownSource {
    fn of(taught: &Contribution, sources: &[ExperienceSource]) -> Self {
        let Contribution { source, lesson, count, last } = *taught;
        let name =
            sources.get(source as usize).map_or_else(|| format!("source {source}"), |it| it.name.clone());
        let day = format!("{:04}-{:02}-{:02}", last / 10_000, last / 100 % 100, last % 100);
        Self { source: name, value: lesson.into(), count, last: (last > 0).then_some(day) }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde calls")]
fn is_zero(number: &u32) -> bool {
    *number == 0
}
