//! Stages that a pipeline begins with. They read and replay games, or open an artefact made earlier.

mod book_experience;
mod open;
mod read_games;
mod replay;

pub use book_experience::BookExperience;
pub(crate) use book_experience::write_experience;
pub use open::{BookCounts, Expected, Open};
