//! Recipes into plans into runs: `read-games ─▶ replay ─▶ sort-merge ─▶ compact ─▶ export-polyglot`.
//!
//! A pipeline is data: a [`Recipe`] names stages and how they feed each other, a [`Plan`] is a recipe that makes sense, and
//! [`run()`] executes a plan. The commands of `tabia` are built-in recipes ([`builtin`]) that take the same path. The kinds of
//! stage stand in the [`catalogue`].
//!
//! # Flow
//!
//! 1. [`Recipe::parse`] reads a recipe; [`builtin`] makes one from settings.
//! 2. [`Plan::new`] checks it: kinds, settings, edges, outputs. A plan draws itself.
//! 3. [`run()`] runs the stages in order; `sort-merge` pulls games through `read-games` and `replay` on every thread.
//! 4. The [`Report`] says what was read, counted, rejected and written.
//!
//! # Example
//!
//! ```
//! use pipeline::{Plan, Recipe};
//!
//! let recipe = Recipe::parse(
//!     "[pipeline]\nformat = 1\n\
//!      [stage.table]\nkind = \"open-table\"\npath = \"games.table\"\n\
//!      [stage.book]\nkind = \"compact\"\ninputs = [\"table\"]\noutput = \"book.tabia\"\nmin_games = 5\n",
//! )?;
//! println!("{}", Plan::new(&recipe)?);
//! # Ok::<(), pipeline::Error>(())
//! ```

mod bookmaking;
pub mod builtin;
pub mod catalogue;
pub mod choosing;
mod count;
mod counts;
mod draw;
mod error;
pub mod experience;
mod exporting;
mod flow;
pub mod inspect;
pub mod learning;
mod limits;
pub mod numbers;
mod plan;
mod progress;
mod recipe;
mod rejects;
pub mod report;
mod reporting;
mod run;
mod shards;
mod shares;
mod spool;
pub mod stages;
pub mod tables;

pub use counts::Counts;
pub use error::{Error, Result};
pub use flow::Flow;
pub use limits::{Limits, MemoryMib};
pub use plan::{Node, Plan};
pub use progress::Progress;
pub use recipe::{Header, Recipe, StageText};
pub use report::Report;
pub use run::{Context, RunOptions, run};
