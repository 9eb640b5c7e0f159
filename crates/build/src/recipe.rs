//! Recipes into plans into runs.
//!
//! # Flow
//!
//! 1. [`Recipe::parse`] reads a recipe (`text.rs`); [`builtin`] makes one from the settings of a command.
//! 2. [`Plan::new`] checks it: edges, settings, outputs. A plan draws itself (`draw.rs`).
//! 3. [`run()`] runs the stages in order, each on what its inputs gave (`stage/flow.rs`).
//!
//! The stages there are: `kinds.rs`. How their settings are read: `settings.rs`.

pub mod builtin;
mod cluster;
mod draw;
mod kinds;
mod plan;
mod run;
mod settings;
mod text;

pub use cluster::{Cluster, SharedCount};
pub use kinds::{AnyStage, KINDS};
pub use plan::{Node, Plan};
pub use run::run;
pub(crate) use run::{Recorded, Run, prepare};
pub use text::{Recipe, RecipeStage};

pub use crate::{
    error::{RecipeError, SettingError},
    stage::{Port, Signature, Spread, values::parse_policy_setting},
};
