//! Makes opening suites for engine tests from the lines of a book, and checks repertoires.
//!
//! [`diff()`] compares two books or tables, and [`write_lines`] writes the lines of a book or table as PGN,
//! EPD or CSV. [`check()`] reports findings about a repertoire, such as lines that end early;
//! [`FindingKind`] lists the kinds of findings. A [`Reviewer`] finds where a player's games left a book, and
//! [`minimax()`] computes the values of a book's moves from evaluations. [`suite()`] chooses openings from a
//! table or a book according to [`SuiteOptions`], and [`SuiteFormat`] writes them as EPD, FEN or PGN. A
//! [`SuiteReport`] describes a suite. Nothing in this crate opens output files or prints anything.
//!
//! # Flow
//!
//! 1. The walk (crate [`walk`]) finds the positions up to the last requested ply.
//! 2. The rows of each shard are joined with these positions. Suitable positions become candidates; the
//!    others are counted by the reason why they are unsuitable.
//! 3. Openings are picked at random from each ECO code in turn. The walk has already labelled each position
//!    with its code.
//! 4. A tree of the openings' lines is used to name the openings and to write their moves.
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
mod decimal;
mod diff;
mod epd;
mod error;
mod frequency;
mod graph;
mod lines;
mod minimax;
mod pgn;
mod refine;
mod review;
mod row_file;
mod suite;
mod threads;
mod written;

pub use bounds::{Bounds, Pieces, Plies};
pub use check::{BookCheck, CheckOptions, Finding, FindingKind, KindReport, check};
pub use diff::{Change, Diff, DiffOptions, DiffRows, Found, MoveDifference, Ranking, SetByHand, diff};
pub use error::{Error, Result, of_writing};
pub use frequency::Frequency;
pub use minimax::{EvalRow, Minimax, MinimaxOptions, MinimaxReport, OutOfBook, ValueRow, minimax};
pub use refine::{MatchGame, RefineOptions, RefineReport, RefineRows, RefinedOpening, Refinement};
pub use review::{
    Departure, DepartureReport, Exit, ExitPlace, Places, Results, Review, ReviewRows, ReviewedGame, Reviewer,
    drill, push_annotated,
};
pub use suite::{
    Bin, BoardRules, EvalView, ExperienceLookUp, Opening, OtherSuite, Overlap, Spread, Suite, SuiteFormat,
    SuiteInputs, SuiteOptions, SuiteReport, WdlModel, suite,
};
pub use written::{GamesLayout, LinesFormat, LinesOptions, LinesWork, Written, write_lines};
