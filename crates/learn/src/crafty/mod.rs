//! Crafty's book learning, replayed from the records it exported.
//!
//! A [`Record`] holds the moves of one game, from the start, and the value it taught. [`Learner`] replays records one after
//! another over a [`LearningBook`], each by the rules of the [`Family`] of versions that wrote it, with the signs of real
//! games: the importers of most versions turn signs around, which is a defect nobody wants repeated.
//!
//! Source: `learn.c` and `book.c` of Crafty 11.13 to 20.14, and what those programs stored in real games.

mod book;
mod builder;
mod effect;
mod family;
mod learner;
mod positions;
mod provenance;
mod record;
mod replay;
mod seen;
mod version;

pub use book::{LearnedEdge, LearningBook};
pub use builder::LearningBookBuilder;
pub use effect::{Counters, Effect, Lesson, Nothing, Rejection};
pub use family::{Family, Rule};
pub use learner::{Learner, Options};
pub use provenance::{Origin, Taught};
pub use record::{RESULT_VALUE, Record, identity};
pub use version::{Version, is_crafty};
