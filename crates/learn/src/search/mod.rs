//! Learning from searches: the value of a game from the first ten searches out of book, and what becomes of it.
//!
//! Four steps, each a function of its own: [`key_search`] chooses one of the first ten values, [`learn_function`] weighs it
//! by depth and ratings, [`back_up`] spreads it over the plies of the game, [`updated`] averages it into what a move learned
//! before. [`LiveGame`] does all four for an engine that plays.
//!
//! Source: Crafty's `learn.c` and the paper *Book Learning* (seed Crafty, D2–D8). All arithmetic is in f32 with C's
//! truncation, as the program does it; f64 differs in one input of two hundred.

mod back_up;
mod function;
mod key_search;
mod live_game;
mod update;

pub use back_up::back_up;
pub(crate) use back_up::back_up_into;
pub use function::learn_function;
pub use key_search::{SEARCHES_MAX, SEARCHES_MIN, Searches, key_search};
pub use live_game::LiveGame;
pub use update::{UNPLAYABLE, is_playable, updated};
