//! The parts that all runs have in common: options and limits, memory and threads, progress, outputs that
//! appear together, and the summary.
//!
//! # Flow
//!
//! 1. Before anything is read, [`check_paths`] refuses outputs that conflict with inputs or with each other.
//! 2. [`Context`] is the state that the stages of one run share. Each stage adds to the run's [`Summary`] and
//!    hands over its finished outputs, which still have temporary names ([`Context::prepared`]).
//! 3. [`Run::publish`] makes all outputs appear together, releases the locks, and returns the summary.

#![expect(
    clippy::missing_errors_doc,
    reason = "an error of the pipeline is any error that ends the run: `fault::Error`"
)]

mod collisions;
mod context;
mod error;
mod format;
mod limits;
mod memory;
mod on_drop;
mod progress;
mod publish;
mod status;
mod summary;
pub mod values;

pub use self::{
    collisions::{Collisions, PathError, SamePath, check_paths, resolved},
    context::{Context, Outputs, RunOptions},
    error::{Error, Result, RunError, SettingError, StageError},
    format::{FileFormat, OtherFormat, Output},
    limits::{ByteSize, Limits, MEMORY_MIB_END, MemoryMib, ParseMemoryError},
    memory::Memory,
    on_drop::OnDrop,
    progress::Progress,
    publish::{CannotResume, LeftOver, Resumable, Run, RunRecord, RunRecords},
    status::{InputStatus, Status, StatusCounts},
    summary::{
        Beginning, BookReport, DRAWN, InputReport, LEFT_OUT_MOVES, LEFT_OUT_POSITIONS, LearningReport,
        NEVER_PLAYED_MOVES, NEVER_PLAYED_POSITIONS, POSTBOOK_POSITIONS, PartReport, RejectedGame,
        ResumedReport, StrictError, Summary, UNREACHED_MOVES, UNREACHED_POSITIONS, UNSCORED_MOVES,
        UnplayableMove, WITHOUT_FEN, base_name, peak_rss_bytes,
    },
};
