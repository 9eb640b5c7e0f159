//! How copies of a game are recognised: by a fingerprint of its moves, and by who played it and when.
//!
//! Databases of master games are put together from others, so one game often comes several times: with other
//! tags, line breaks and comments, without accents, with names or dates that are partly unknown.
//!
//! - [`Fingerprinter`] gives the [`Fingerprint`] of every game that counts, and what else is [`Known`] of it.
//! - Games are copies of each other only if [`Fingerprint::game`] is the same; which of them are is a matter
//!   of their [`Players`]. A game of fewer than [`SHORT_PLIES`] plies may well be played twice, so its names
//!   and its year must be known, and they and the date are part of the fingerprint: no game that says
//!   anything else is a copy of it.
//!
//! # What agrees
//!
//! Names agree in the letters and digits of the surname and the first initial, in any case, accents folded
//! (`Hübner, R` is `Huebner, Robert`). The surname comes before the comma; without a comma it is all words
//! but a last single letter (`Carlsen M`). A surname of `?`, `NN` or nothing is unknown. Dates agree in year,
//! month and day, each where known; `UTCDate` goes before `Date`, as for filters.

mod fingerprint;
mod players;

pub use fingerprint::{Fingerprinter, Known, SHORT_PLIES};
pub use position::{Fingerprint, Players};
