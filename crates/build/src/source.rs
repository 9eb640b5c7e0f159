//! Where a pipeline begins: games cut from inputs, or something made earlier.

mod book_experience;
mod open;
mod read_games;

pub use book_experience::BookExperience;
pub(crate) use book_experience::write_experience;
pub use open::{BookCounts, Expected, Open};
pub use read_games::{ReadGames, ReadOptions};
