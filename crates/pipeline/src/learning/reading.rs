//! What all teachers have in common while they read.

use std::{
    path::Path,
    sync::{Arc, atomic::Ordering::Relaxed},
};

use pgn::input::{ChunkOptions, Place, Progress, Sources};

use super::{
    rejected::{Rejected, RejectedList},
    spool::{Decoder, Encoder},
};
use crate::{Context, Result, bookmaking::existing};

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

/// The tag of a rejection in a spool; what else waits there has others.
pub(super) const REJECTION: u64 = 1;

/// Lets a rejection wait: its tag, place, ply or 0, reason, text.
pub(super) fn spool_rejection(
    entry: &mut Encoder<'_>,
    (place, number): (Place, u64),
    ply: Option<u32>,
    reason: &str,
    text: &str,
) {
    entry.number(REJECTION);
    entry.place(place, number);
    entry.number(u64::from(ply.unwrap_or(0)));
    entry.text(reason);
    entry.text(text);
}

/// Where rejections go: into a list, or nowhere.
pub(crate) struct Rejections(Option<RejectedList>);

impl Rejections {
    pub(crate) fn create(context: &Context, path: Option<&Path>) -> Result<Self> {
        path.map(|path| RejectedList::create(path, existing(context))).transpose().map(Self)
    }

    pub(crate) fn push(
        &mut self,
        sources: &Sources,
        (place, number): (Place, u64),
        ply: Option<u32>,
        reason: &str,
        text: &str,
    ) -> Result<()> {
        let Some(list) = &mut self.0 else { return Ok(()) };
        list.push(sources, &Rejected { place, number, ply, reason, text })
    }

    /// A rejection that waited in a spool, its tag already read.
    pub(super) fn spooled(&mut self, sources: &Sources, mut entry: Decoder<'_>) -> Result<()> {
        let (place, ply) = (entry.place(), entry.number() as u32);
        let (reason, text) = (entry.text(), entry.text());
        self.push(sources, place, (ply > 0).then_some(ply), reason, text)
    }

    pub(crate) fn finish(self, context: &Context) -> Result<()> {
        if let Some(list) = self.0 {
            context.wrote(&list.finish()?);
        }
        Ok(())
    }
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
