//! Learns from an engine's own games: from the results of the book moves that it chose, from its first moves
//! out of book, and from its searches.
//!
//! # Flow
//!
//! 1. A [`PlayedGame`] is a game from the point of view of one of its players; [`PlayedGame::of_pgn`] makes
//!    it from a game that was read from PGN.
//! 2. [`GameRules`] are the rules that decide what is learned from a game.
//! 3. [`GameLessons`] takes games one at a time, because averages depend on their order. It holds the book
//!    moves of all positions in these games.
//! 4. [`GameLessons::into_changes`] returns the lessons learned from the games, as changes to experience.
//!
//! A [`Teacher`] does the same with each game as it is played; [`games_in`] reads games from PGN text.
//!
//! It makes no difference whether a game was just played or read from PGN, because equal [`PlayedGame`]s lead
//! to the same lessons.
//!
//! # Example
//!
//! ```
//! use learn::crafty::LearningBook;
//! use lessons::{GameLessons, GameRules, PlayedGame, SearchResult};
//! use position::{Key, Outcome, PackedMove};
//! use shakmaty::Color;
//!
//! let e4 = PackedMove(0x31c);
//! let mut book = LearningBook::builder();
//! book.push(Key::START, [(e4, 0.0, 0)])?;
//! let mut lessons = GameLessons::new(book.finish(), GameRules::default());
//!
//! let mut game = PlayedGame::new(Color::White, Some(Outcome::Black));
//! game.push(Key::START, e4, SearchResult::default());
//! game.identify(["Engine", "Opponent"], None, None);
//! lessons.teach(&game).expect("a lost game teaches");
//! let changes: Vec<_> = lessons.into_changes().collect();
//! assert_eq!(changes.len(), 2, "the loss of 1.e4, and that the game has taught");
//! # Ok::<(), learn::Error>(())
//! ```

mod bans;
mod crafty_record;
mod game_lessons;
mod of_pgn;
mod opponents;
mod played;
mod records;
mod rules;
mod teacher;
mod text;

pub use crafty_record::each_crafty_record;
pub use game_lessons::{GameLessons, NoLesson};
pub use of_pgn::ADJUDICATED;
pub use opponents::OpponentWeight;
pub use played::{PlayedGame, SearchResult};
pub use records::{Record, Records};
pub use rules::{GameRule, GameRules};
pub use teacher::{GameLesson, TeachResult, Teacher};
pub use text::games_in;
