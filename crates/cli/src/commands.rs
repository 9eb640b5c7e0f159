//! One function a command: arguments into a recipe or a call, and what came of it onto the terminal.

mod choosing;
mod cluster;
mod completions;
mod describe;
mod exchange;
mod experience;
mod json;
mod known;
mod learn;
mod listening;
mod manual;
mod merge;
mod pipelines;
mod probe;
mod serve;
mod sql;
mod tables;
mod uci;
mod why;

pub(crate) use choosing::{pick, policies, simulate};
pub(crate) use cluster::cluster;
pub(crate) use completions::{ASKED, completions};
pub(crate) use describe::{info, verify};
pub(crate) use exchange::exchange;
pub(crate) use experience::experience;
pub(crate) use json::import;
pub(crate) use learn::learn;
pub(crate) use manual::manual;
pub(crate) use merge::merge;
pub(crate) use pipelines::{build, compact, count, export, filter, plan, report, run_recipe};
pub(crate) use probe::probe;
pub(crate) use serve::serve;
pub(crate) use sql::sql;
pub(crate) use tables::change;
pub(crate) use uci::uci;
pub(crate) use why::why;
