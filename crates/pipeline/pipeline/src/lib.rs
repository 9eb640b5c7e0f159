//! Recipes become plans and then runs: `read-games ─▶ replay ─▶ sort-merge ─▶ compact ─▶ export-polyglot`.
//!
//! A pipeline is data: a [`Recipe`](recipe::Recipe) names stages and how they feed each other, a
//! [`Plan`](recipe::Plan) is a recipe that makes sense, and [`run`](recipe::run) executes a plan. Commands of
//! `tabia` that people also write as recipes are built-in recipes ([`recipe::builtin`])
//! that take the same path.
//!
//! # Flow
//!
//! 1. Games ([`games`]) are read in chunks, and an operator turns each chunk into observations or annotated
//!    games, which a *sink* ([`sink`]) takes. One driver (`driver.rs`) runs every such reading on all
//!    threads.
//! 2. A sink that is a *breaker* is the source of what follows: sorted counts ([`Counts`]) go shard by shard
//!    into books, exports and pages ([`shard`]).
//! 3. The [`Summary`] says what was read, counted, rejected and written.
//!
//! # Example
//!
//! ```
//! use build::recipe::{Plan, Recipe};
//!
//! let recipe = Recipe::parse(
//!     "[pipeline]\nformat = 1\n\
//!      [stage.table]\nkind = \"open-table\"\npath = \"games.table\"\n\
//!      [stage.book]\nkind = \"compact\"\ninputs = [\"table\"]\noutput = \"book.tabia\"\nmin_games = 5\n",
//! )?;
//! println!("{}", Plan::new(&recipe)?);
//! # Ok::<(), build::recipe::RecipeError>(())
//! ```

pub mod books;
pub mod cluster;
mod collisions;
mod context;
mod copies;
mod counts;
mod diff;
mod driver;
mod error;
mod format;
pub mod games;
pub mod import;
mod limits;
mod lines;
mod memory;
mod nothing;
mod on_drop;
mod progress;
pub mod recipe;
mod rejects;
mod resume;
mod run;
pub mod shard;
pub mod sink;
pub mod source;
mod spool;
mod stage;
mod status;
mod summary;
mod sync;
pub mod tables;
mod values;

pub use collisions::{PathError, SamePath, check_paths};
pub(crate) use context::Context;
pub use context::RunOptions;
pub use copies::{Dedup, DedupGames};
pub use counts::Counts;
pub use diff::diff;
pub use error::{Error, Result, RunError};
pub use format::{FileFormat, OtherFormat};
pub use limits::{ByteSize, Limits, MemoryMib, ParseMemoryError};
pub use lines::export_lines;
pub use nothing::Nothing;
pub use progress::Progress;
pub use run::{CannotResume, Resumable};
pub use stage::StartPosition;
pub use summary::{
    Beginning, BookReport, DRAWN, InputReport, LEFT_OUT_MOVES, LEFT_OUT_POSITIONS, LearningReport,
    NEVER_PLAYED_MOVES, NEVER_PLAYED_POSITIONS, POSTBOOK_POSITIONS, PartReport, RejectedGame, ResumedReport,
    StrictError, Summary, UNREACHED_MOVES, UNREACHED_POSITIONS, UNSCORED_MOVES, UnplayableMove, WITHOUT_FEN,
};
