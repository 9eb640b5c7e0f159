//! Learning for opening books: Crafty's learned values, an engine's own results, and values set by hand. The
//! rules are pure functions of keys and packed moves.
//!
//! [`crafty::LearningBook`] contains book moves with their learned values. [`crafty::Learner`] replays
//! exported records over it, one after another, and [`search::LiveGame`] learns in the same way from a game
//! that an engine is playing. All other rules work on [`position::Experience`]. The crate reads no files,
//! uses no clock and parses no PGN.
//!
//! # Flow
//!
//! 1. The caller puts the moves of a book into a [`crafty::LearningBook`], along with the values learned
//!    earlier.
//! 2. Records (or live games) are replayed in a fixed order, since averages depend on the order. The value of
//!    each record is spread over its plies, depending on the alternatives at each ply, and the learned values
//!    of all its book moves are updated.
//! 3. [`crafty::LearningBook::edges`] returns each edge with its learned value, its number of lessons, and
//!    the sources of these lessons.
//! 4. [`games`], [`annotations`] and [`position_learning`] make experience from other inputs;
//!    [`experience`] merges, ages and clears it; [`export`] writes it in Crafty's own layout.
//!
//! # Example
//!
//! ```
//! use learn::crafty::{Learner, LearningBook, Options, Origin, Record};
//! use position::{Board, Key, PackedMove};
//! use shakmaty::san::San;
//!
//! // A book of one position with two moves, 1.e4 and 1.d4.
//! let (e4, d4) = (PackedMove(0x31c), PackedMove(0x2db));
//! let mut builder = LearningBook::builder();
//! builder.push(Key::START, [(e4, 0.0, 0), (d4, 0.0, 0)])?;
//! let mut learner = Learner::new(builder.finish(), Options::default());
//!
//! let record = Record {
//!     white: "Crafty 15.17",
//!     black: "opponent",
//!     plies: &[(Key::START, e4)],
//!     value: -135,
//!     depth: 5,
//!     rating_difference: 0,
//! };
//! assert!(learner.learn(&record, Origin::default()).is_learned());
//! let learned: Vec<_> = learner.book().edges().map(|edge| (edge.mv, edge.learn)).collect();
//! assert_eq!(learned, [(d4, 0.0), (e4, -1.35)]);
//! # Ok::<(), learn::Error>(())
//! ```

pub mod annotations;
pub mod crafty;
mod error;
pub mod experience;
pub mod export;
pub mod games;
mod identity;
pub mod position_learning;
pub mod search;

pub use error::Error;
