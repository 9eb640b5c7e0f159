//! Recipes become plans and then runs: `read-games ─▶ replay ─▶ sort-merge ─▶ compact ─▶ export-polyglot`.
//!
//! A pipeline is data: a [`Recipe`](recipe::Recipe) describes stages and how they are connected, a
//! [`Plan`](recipe::Plan) is a recipe that has been checked, and [`run`](recipe::run) executes a plan. The
//! `tabia` commands that a recipe can express have built-in recipes ([`recipe::builtin`]), which run the same
//! way.
//!
//! # Flow
//!
//! 1. Games are read in chunks, and an operator turns each chunk into observations or annotated games, which
//!    a *sink* takes. One driver ([`games::driver`]) does all of this reading, on all threads.
//! 2. A sink that is a *breaker* returns a result that the later stages read: sorted counts
//!    ([`count::Counts`]) are made into books, exports and pages, shard by shard ([`stages`]).
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
