//! Crafty's book learning, replayed from records that Crafty exported.
//!
//! A [`Record`] holds the moves of one game from the start position, and the value learned from it. A
//! [`Learner`] replays one record after another over a [`LearningBook`], by the rules of the [`Family`] to
//! which the record's version belongs. Signs are handled in the same way as when learning from games. Most
//! versions of Crafty get some signs wrong when they import records; this crate does not reproduce this bug.
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
