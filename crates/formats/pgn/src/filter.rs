//! Filters decide from a game's tags whether the game counts; groups decide which rows of the table it is
//! counted in.
//!
//! A game that a filter refuses is *filtered*, not rejected; its moves are never read unless the filter needs
//! them. A tag that is missing or cannot be read satisfies no comparison and no filter. There is one
//! exception: a player without a title passes the filter for bots. [`Filters::refuse`] judges a game, and
//! [`Filter`] names the filter that refused it. [`Where`] is an expression over any tags, and `group_of`
//! computes the group.
//!
//! # Example
//!
//! ```
//! use pgn::{filter::{Filter, Filters}, tags::TagBuffer};
//!
//! let expression = Some("Event !~ \"Bullet\"".parse()?);
//! let filters = Filters { min_elo: Some(2400), expression, ..Filters::default() };
//! let mut buffer = TagBuffer::default();
//! let game = b"[Event \"Rated Blitz game\"]\n[WhiteElo \"2451\"]\n[BlackElo \"2390\"]\n\n1. e4 *";
//! let tags = buffer.read(game);
//! assert_eq!(filters.refuse(&tags), Some(Filter::MinElo));
//! # Ok::<(), pgn::Error>(())
//! ```

mod clock;
mod date;
mod describe;
mod eco;
mod expression;
mod facts;
mod filters;
mod group_by;
mod kind;
mod player;
mod rated;
mod rating;
mod result;

#[cfg(test)]
pub(crate) mod testing;

pub use date::DateBound;
pub use date::whole_day;
pub use eco::EcoRange;
pub use expression::{ExprError, Where};
pub(crate) use facts::known_date_of;
pub use facts::{day_of, known_day_of};
pub use filters::Filters;
pub use group_by::Dimension;
pub(crate) use group_by::group_of;
pub use kind::Filter;
pub use player::PlayerName;
pub use rating::elos_of;

crate::setting::settings_by_from_str!(DateBound, EcoRange, PlayerName, Where);
