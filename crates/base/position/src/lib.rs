//! The chess values that all other crates use: keys, packed moves, outcomes, tallies, and the
//! observations that replay emits.
//!
//! The main types: [`Board`] plays SAN and updates its [`Key`]; [`Observation`] is one move of one game with
//! its outcome, in sixteen bytes; [`Tally`] is the sum of observations. The crate performs no input or
//! output.
//!
//! # Flow
//!
//! 1. A [`Board`] starts at the first position of a game and plays one SAN after another.
//! 2. Each ply yields a [`PackedMove`] and a [`Step`]; together with the key before the move and the game's
//!    outcome they make an [`Observation`].
//! 3. Observations with the same key, move and [`Group`] add up to a [`Tally`]: an edge of the table.
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

mod after;
mod ban;
mod board;
mod edge;
mod epd;
mod experience;
mod group;
mod key;
mod named;
mod names;
mod observation;
mod only_side;
mod outcome;
mod packed_move;
mod placement;
mod players;
mod ratings;
mod ratio;
mod root;
mod rules;
mod score;
mod spread;
mod step;
mod tally;

pub use after::position_after;
pub use ban::{Ban, UNPLAYABLE, is_playable};
pub use board::{Board, FenError, Ply};
pub use edge::Edge;
pub use epd::push_epd;
pub use experience::{Contribution, Experience, ExperienceKind, ExperienceRow, Lesson, OwnResults};
pub use group::{Group, GroupField, RatingBand, Speed};
pub use key::{Key, ParseKeyError};
pub use named::{NamedLine, NamedPositionError, named_line, named_move, named_position, played_line};
pub use names::no_name_of;
pub use observation::Observation;
pub use only_side::only_side;
pub use outcome::Outcome;
pub use packed_move::PackedMove;
pub use placement::{Placement, legal_position};
pub use players::{Fingerprint, Players};
pub use ratings::RatingSums;
pub use ratio::ratio;
pub use root::Root;
pub use rules::{IllegalMove, Repeats, ResultFrom, Spelling, UnknownResult};
pub use score::Score;
pub use step::Step;
pub use tally::Tally;
