//! Learning: what records, games and annotations teach, laid down as an experience file.
//!
//! # Flow
//!
//! 1. Everything is read once, in parallel, and what each game or record holds waits in a `spool`, in input order.
//! 2. The positions met are looked up in the counts, in one pass over the shards: `fetch` gives the book moves there.
//! 3. What waits teaches, one after another in one thread, because averaging depends on the order.
//! 4. `lay` writes the lessons over the experience that was there before.
//!
//! # Memory
//!
//! A spool keeps what it holds in a temporary file past a few megabytes; in memory stay eight bytes a position met, the book moves
//! at those that the counts have (about thirty bytes each), and eight bytes a game or record that taught.

mod annotations;
mod crafty;
mod export;
mod fetch;
mod games;
mod lay;
mod lessons;
mod own_game;
mod reading;
mod refused;
mod set;
mod tallies;

pub(crate) use annotations::learn_annotations;
pub(crate) use crafty::{CraftyLearning, learn_crafty};
pub use export::{CraftyExport, export_crafty};
pub(crate) use games::{GameRule, GamesLearning, learn_games};
pub(crate) use reading::{chunk_options, show_progress};
pub use set::{SetOptions, learn_set};
pub(crate) use tallies::Tallies;
