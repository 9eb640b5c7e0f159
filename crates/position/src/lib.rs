//! The chess values every other crate speaks in: keys, packed moves, outcomes, tallies, and the observation that replay emits.
//!
//! Four types carry the weight: [`Board`] plays SAN and keeps its [`Key`] as it goes; [`Observation`] is one move of one game
//! with its outcome in sixteen bytes; [`Tally`] is what observations add up to. There is no input or output here.
//!
//! # Flow
//!
//! 1. A [`Board`] stands at the start of a game and plays one SAN after another.
//! 2. Each ply gives a [`PackedMove`] and a [`Step`]; with the key before it and the game's outcome that is an [`Observation`].
//! 3. Observations of equal key, move and [`Group`] add up to a [`Tally`]: an edge of the table.
//!
//! # Example
//!
//! ```
//! use position::{Board, Key};
//! use shakmaty::san::San;
//!
//! let mut board = Board::start();
//! assert_eq!(board.key(), Key::START);
//! let ply = board.play_san(&San::from_ascii(b"e4")?)?;
//! assert_eq!(ply.mv.to_string(), "e2e4");
//! assert_eq!(board.key(), Key(0x823c_9b50_fd11_4196));
//! assert_eq!(ply.step.child(Key::START, ply.mv), board.key());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod board;
mod experience;
mod group;
mod key;
mod observation;
mod outcome;
mod packed_move;
mod ratings;
mod rules;
mod step;
mod tally;

pub use board::{Board, FenError, Ply};
pub use experience::{Experience, ExperienceRow, Kind, Lesson, OwnResults, Taught};
pub use group::{Group, RatingBand, Speed};
pub use key::{Key, ParseKeyError};
pub use observation::Observation;
pub use outcome::Outcome;
pub use packed_move::PackedMove;
pub use ratings::RatingSums;
pub use rules::{IllegalMove, Repeats};
pub use step::Step;
pub use tally::Tally;
