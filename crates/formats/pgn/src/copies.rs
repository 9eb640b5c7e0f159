//! How copies of a game are recognised: by a fingerprint of its moves, and by who played it and when.
//!
//! Databases of master games are assembled from other databases, so they often contain a game several times:
//! with different tags, line breaks and comments, without accents, or with names or dates that are partly
//! unknown.
//!
//! - [`Fingerprinter`] computes the [`GameFacts`] of every game that counts. One of these facts is the
//!   [`Fingerprint`].
//! - Copies of a game have the same [`Fingerprint::game`]. The [`Players`] then decide which of the games
//!   with the same fingerprint are copies. A game of fewer than [`SHORT_PLIES`] plies may well be played
//!   twice by chance, so it counts as a copy only if both surnames and the year are known. The fingerprint of
//!   a game this short includes the players' names and the date, so two short games that differ in any of
//!   these are not copies.
//!
//! # What agrees
//!
//! Two names agree if they have the same surname and first initial; a part that either name lacks is not
//! compared. Only letters and digits count, case is ignored, and accents are folded (`Hübner, R` is
//! `Huebner, Robert`). The surname is the text before the comma. If there is no comma, it is the whole name,
//! except that a last word of only one letter is left out (`Carlsen M`). A surname is unknown if it has no
//! letter or digit (`?`), or if it is `NN`, `Anonymous` or `Unknown`. Dates agree if the parts that are known
//! in both are equal; `UTCDate` is preferred to `Date`, as for filters.

mod fingerprint;
mod players;

pub use fingerprint::{Fingerprinter, GameFacts, SHORT_PLIES};
pub use position::{Fingerprint, Players};
