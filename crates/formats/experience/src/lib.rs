//! Experience files: values that were learned or set by hand, with a row for each edge.
//!
//! This crate reads, joins, changes and writes whole files of rows; the rules of learning are in the crate
//! `learn`.
//!
//! # Flow
//!
//! 1. A [`Union`] reads several files as one; [`show()`], [`Summary::of`] and [`diff()`] return the content
//!    of files for printing.
//! 2. [`merge`], [`age`] and [`clear`] write a new file row by row.
//! 3. New experience from games, records or a user is a stream of [`Change`]s in ascending order;
//!    [`update()`] applies them to an older file and writes the result to a new file.
//! 4. [`export_crafty`] writes learned lines in Crafty's layout, and [`export_csv`] writes all rows as text.
//!    [`KnownExperience`] is a row in the form in which it is printed for people and other programs.
//!
//! # Memory
//!
//! Most functions hold only one row of each file in memory; [`show()`] and [`export_crafty`] hold all rows.

mod change;
mod clear;
mod csv;
mod diff;
mod error;
mod evaluation;
mod export;
mod file;
mod known;
mod loaded;
mod rewrite;
mod seen;
mod set;
mod show;
mod union;
mod update;

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use output::Existing;

pub use change::{Change, EvaluationRow, Lessons, merged};
pub use clear::Clear;
pub use csv::{export_csv, import_csv};
pub use diff::{Difference, Differences, diff};
pub use error::{Error, Result};
pub use export::{CraftyExport, KeptMovesOf, SourceBook, export_crafty};
pub use file::{
    EXPERIENCE_VERSION, ExperienceFile, ExperienceHeader, ExperienceRows, ExperienceSource, ExperienceWriter,
};
pub use known::{KnownExperience, KnownSource, mark_of, signed};
pub use loaded::LoadedRows;
pub use rewrite::{age, clear, merge};
pub use seen::identities_seen;
pub use set::{SetOptions, Setting, SettingsSource, set};
pub use show::{RowWithLine, ShowOptions, ShownRow, Summary, show};
pub use union::{Union, UnionRows, join_taught, warnings_of};
pub use update::{Base, prepare_evaluations, prepare_update, update};

/// How a file is written.
#[derive(Clone, Copy, Debug)]
pub struct Job<'j> {
    /// What to do if a file already exists at the output's path.
    pub existing: Existing,
    /// A flag that the caller sets to stop the work, in which case nothing is written.
    pub stop: &'j AtomicBool,
}

/// A file that was written.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct WrittenFile {
    /// The number of rows in the file, not counting rows that are identities of games; for an export, the
    /// number of records written.
    pub rows: u64,
    /// Warnings for the user; they are not failures.
    pub warnings: Vec<String>,
}

impl Job<'_> {
    /// Fails if the caller has asked to stop.
    ///
    /// # Errors
    ///
    /// Fails with [`fault::Stop`] if the caller has asked to stop.
    pub fn check_stop(&self) -> Result<()> {
        if self.stop.load(Relaxed) { Err(fault::Stop.into()) } else { Ok(()) }
    }
}
