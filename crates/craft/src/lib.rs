//! What is made of a book's lines: opening suites for engine tests, and checks of repertoires.
//!
//! [`diff()`] compares two books or tables. [`check()`] finds what a player of a book should know: [`FindingKind`] lists it. [`suite()`] chooses openings from a table or a book by [`SuiteOptions`], and [`SuiteFormat`] writes them as
//! EPD, FEN or PGN. What a suite is like is its [`SuiteReport`]. Nothing here opens outputs or prints.
//!
//! # Flow
//!
//! 1. The walk (crate [`walk`]) finds the positions up to the last ply that is asked for.
//! 2. Each shard's rows are joined with it: positions that fit are candidates, the others are counted by why.
//! 3. A tree of the candidates' lines names their openings and shows which of them are alike.
//! 4. Openings are drawn from their ECO codes by turns; a second visit of the tree writes their moves.
//!
//! # Example
//!
//! ```
//! use craft::{Plies, SuiteOptions};
//!
//! let options = SuiteOptions { score: Some("0.45..0.55".parse()?), ..SuiteOptions::default() };
//! assert_eq!(options.plies, Plies { first: 8, last: 8 });
//! assert!(options.score.is_some_and(|bounds| bounds.hold(0.5)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bounds;
mod check;
mod diff;
mod error;
mod graph;
mod lines;
mod pgn;
mod suite;

pub use bounds::{Bounds, Plies};
pub use check::{CheckOptions, Checked, Finding, FindingKind, KindReport, check};
pub use diff::{Change, Changed, Diff, DiffOptions, DiffRows, Found, Ranking, diff};
pub use error::{Error, Result};
pub use suite::{
    Bin, KnownOf, Opening, OtherSuite, Overlap, Source, Spread, Suite, SuiteFormat, SuiteOptions,
    SuiteReport, suite,
};
