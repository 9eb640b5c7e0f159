//! Recipes become plans and then runs: `read-games ─▶ replay ─▶ sort-merge ─▶ compact ─▶ export-polyglot`.
//!
//! A pipeline is data: a [`Recipe`](recipe::Recipe) names stages and how they feed each other, a
//! [`Plan`](recipe::Plan) is a checked recipe, and [`run`](recipe::run) executes a plan. Commands of `tabia`
//! that a recipe could express are built-in recipes ([`recipe::builtin`]) and run the same way.
//!
//! # Flow
//!
//! 1. Games are read in chunks, and an operator turns each chunk into observations or annotated games, which
//!    a *sink* takes. One driver ([`games::driver`]) does all of this reading, on all threads.
//! 2. A sink that is a *breaker* is the source of the stages after it: sorted counts ([`count::Counts`]) are
//!    read shard by shard into books, exports and pages ([`stages`]).
//! 3. The [`run::Summary`] reports what was read, counted, rejected and written.
//!
//! # Example
//!
//! ```
//! use pipeline::recipe::{Plan, Recipe};
//!
//! let recipe = Recipe::parse(
//!     "[pipeline]\nformat = 1\n\
//!      [stage.table]\nkind = \"open-table\"\npath = \"games.table\"\n\
//!      [stage.book]\nkind = \"compact\"\ninputs = [\"table\"]\noutput = \"book.tabia\"\nmin_games = 5\n",
//! )?;
//! println!("{}", Plan::new(&recipe)?);
//! # Ok::<(), pipeline::recipe::RecipeError>(())
//! ```

pub mod recipe;
pub mod stages;
mod start;
mod sync;
pub mod tables;

pub use self::start::StartPosition;
