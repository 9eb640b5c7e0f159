//! Turns recipes into plans, and plans into runs.
//!
//! # Flow
//!
//! 1. [`Recipe::parse`] reads a recipe (`text.rs`); [`builtin`] makes one from the settings of a command.
//! 2. [`Plan::new`] checks the recipe's settings and outputs, and how its stages are connected. `draw.rs`
//!    draws the plan.
//! 3. [`run()`] runs the stages in order and passes each one the results of its inputs (`stage/flow.rs`).
//!
//! `kinds.rs` lists the kinds of stages, and `settings.rs` reads their settings.

pub mod builtin;
mod cluster;
mod draw;
mod error;
mod kinds;
mod plan;
mod run;
mod settings;
mod text;

pub use cluster::{Cluster, SharedCount};
pub use error::RecipeError;
pub use kinds::{AnyStage, kinds};
pub use plan::{Plan, Step};
pub(crate) use run::prepare;
pub use run::run;
pub use text::{Recipe, RecipeStage};
