//! Games that do not count and are met in input order, by one thread.

use std::path::PathBuf;

use pgn::{annotated::AnnotatedGame, input::Sources};

use super::{Fate, Line, Number, RejectList};
use crate::{Context, Result, spool::Spool, stages::ObservationStream};

/// Lets games that do not count wait for the names of their inputs, if anybody wants a list of them.
pub(crate) struct WaitingRejects(Option<Waiting>);

struct Waiting {
    path: PathBuf,
    filtered: bool,
    spool: Spool,
}

impl WaitingRejects {
    /// For the list that the settings of `stream` ask for.
    pub(crate) fn new(context: &Context, stream: &ObservationStream) -> Self {
        let waiting = |path: &PathBuf| Waiting {
            path: path.clone(),
            filtered: stream.rejects_filtered,
            spool: Spool::new(&context.temp_dir),
        };
        Self(stream.rejects.as_ref().map(waiting))
    }

    /// Notes a game by its verdict: one that counts not at all.
    pub(crate) fn note(&mut self, game: &AnnotatedGame<'_>) -> Result<()> {
        Fate::of(game.verdict).map_or(Ok(()), |fate| self.push(game, fate))
    }

    /// Notes a game for a reason.
    pub(crate) fn push(&mut self, game: &AnnotatedGame<'_>, fate: Fate<'_>) -> Result<()> {
        let Some(waiting) = &mut self.0 else { return Ok(()) };
        if !waiting.filtered && matches!(fate, Fate::Filtered { .. }) {
            return Ok(());
        }
        waiting.spool.push(|entry| {
            entry.place(game.place, game.number);
            fate.write(entry);
        })
    }

    /// Writes the list.
    pub(crate) fn finish(self, context: &Context, sources: &Sources) -> Result<()> {
        let Some(Waiting { path, spool, .. }) = self.0 else { return Ok(()) };
        let mut list = RejectList::create(&path, context.existing())?;
        spool.for_each(|mut entry| {
            let (place, number) = entry.place();
            let (start, fate) = (sources.locate(place), Fate::read(&mut entry));
            let number = Number::Game(number);
            list.push(&Line { input: &start.name, offset: start.offset, number, fate })
        })?;
        context.wrote(&list.finish()?);
        Ok(())
    }
}
