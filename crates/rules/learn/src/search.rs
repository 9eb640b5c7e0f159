//! Learns from searches: the first ten searches after leaving the book yield learned values for book moves.
//!
//! There are four steps, in this order: [`key_search`] chooses one of the first ten values,
//! [`learn_function`] scales it according to depth and ratings, [`back_up`] spreads it over the plies of the
//! game, and [`updated`] averages it with the value that a move already has. [`LiveGame`] does all four for
//! an engine as it plays.
//!
//! Source: Crafty's `learn.c` and the paper *Book Learning* (Crafty: key search, learn function, back-up,
//! average). As in the program, all arithmetic is in f32 and truncates like C. In f64, one input in two
//! hundred would give a different result.

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
