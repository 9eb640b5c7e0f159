//! What all teachers have in common while they read.

use std::sync::{Arc, atomic::Ordering::Relaxed};

use pgn::input::{ChunkOptions, Progress};

use crate::{Context, Result};

/// How inputs are read: all games or records of them, or the first few.
pub(crate) fn chunk_options(context: &Context, games_max: Option<u64>) -> ChunkOptions {
    let (threads, cancel) = (context.threads, Arc::clone(&context.cancel));
    ChunkOptions { threads, games_max, cancel, ..ChunkOptions::default() }
}

pub(crate) fn show_progress(context: &Context, read: Progress, items: u64) {
    let shown = &context.progress;
    shown.bytes_done.store(read.bytes_done, Relaxed);
    shown.bytes_total.store(read.bytes_total.unwrap_or(0), Relaxed);
    shown.games.fetch_add(items, Relaxed);
}

/// Records between two looks at the clock's side of things: progress, and whether to stop.
const RECORDS_A_LOOK: u64 = 1024;

/// Tells how far the one thread that teaches has come.
pub(crate) struct Teaching<'c> {
    context: &'c Context,
    done: u64,
}

impl<'c> Teaching<'c> {
    /// Enters the phase, with so many records or games to come.
    pub(crate) fn begin(context: &'c Context, records: u64) -> Self {
        context.progress.enter_steps("learning", records, "records");
        Self { context, done: 0 }
    }

    /// One more is done; stops if the user asked for it.
    pub(crate) fn step(&mut self) -> Result<()> {
        self.done += 1;
        if self.done.is_multiple_of(RECORDS_A_LOOK) {
            self.context.progress.steps_done(RECORDS_A_LOOK);
            self.context.check_cancelled()?;
        }
        Ok(())
    }
}
