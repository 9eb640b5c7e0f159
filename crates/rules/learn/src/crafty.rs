//! Crafty's book learning, replayed from the records it exported.
//!
//! A [`Record`] holds the moves of one game, from the start position, and the value learned from it.
//! [`Learner`] replays records one after another over a [`LearningBook`], each by the rules of the [`Family`]
//! of versions that the record's version belongs to. Signs are as in learning from games. The importers of
//! most versions reverse some signs; this defect is not imitated.
//!
//! Source: `learn.c` and `book.c` of Crafty 11.13 to 20.14, and what those programs stored in real games.

mod book;
mod builder;
mod effect;
mod family;
mod learner;
mod limits;
mod positions;
mod provenance;
mod record;
mod replay;
mod version;

pub use book::{LearnedEdge, LearningBook};
pub use builder::LearningBookBuilder;
pub use effect::{Effect, LessonSummary, Nothing, Rejection};
pub use family::{Family, Rule};
pub use learner::{Learner, Options, ResultRecords};
pub use limits::LessonLimits;
pub use provenance::{Origin, SourceLessons};
pub use record::{RESULT_VALUE, Record, identity};
pub use version::{Version, is_crafty};
