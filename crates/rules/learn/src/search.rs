//! Learns from searches: makes new learned values from the first ten searches out of book.
//!
//! There are four steps, each a function: [`key_search`] chooses one of the first ten values,
//! [`learn_function`] weighs it by depth and ratings, [`back_up`] spreads it over the plies of the game, and
//! [`updated`] averages it with the value that a move learned before. [`LiveGame`] takes all four steps for
//! an engine that is playing.
//!
//! Source: Crafty's `learn.c` and the paper *Book Learning* (Crafty: key search, learn function, back-up,
//! average). All arithmetic is in f32 with C's truncation, as in the program; f64 gives another result
//! for one input in two hundred.

mod back_up;
mod function;
mod key_search;
mod live_game;
mod trust;
mod update;

pub use back_up::back_up;
pub use function::{LEARNED_MAX, learn_function};
pub use key_search::{SEARCHES_MAX, SEARCHES_MIN, key_search};
pub use live_game::LiveGame;
pub use position::{UNPLAYABLE, is_playable};
pub use trust::Trust;
pub use update::updated;
