//! `replay`: which games count, how they are played, and which moves they give.

use std::{
    path::PathBuf,
    sync::{Arc, atomic::AtomicBool},
    time::{Duration, Instant},
};

use clap::Args;
use pgn::{
    annotated::{AnnotatedBatch, AnnotatedOptions, Annotator},
    input::{Chunk, PieceKind, Unit},
    replay::{self, CountingOptions, ReplayOptions},
    verdict::{Rejection, Verdict},
};
use serde::{Deserialize, Serialize};

use crate::{
    Context, Result,
    driver::{
        Read, Reading, drive,
        in_order::{InOrder, OrderedSink},
        source::{Order, Source, StageNames},
    },
    error::SettingError,
    rejects::{ChunkStatus, RejectLog},
    source::ReadGames,
    stage::{Flow, Inputs, Port, Signature, Spread, Stage, Taken},
    status::Status,
};

/// Settings of `replay`. What is left out filters nothing.
#[derive(Args, Clone, Debug, Default, Deserialize, Serialize)]
pub struct Replay {
    /// How games are counted, and which.
    #[command(flatten)]
    #[serde(flatten)]
    pub options: ReplayOptions,
    /// Where games that do not count are listed.
    #[command(flatten)]
    #[serde(flatten)]
    pub list: RejectList,
}

/// Where games that do not count are listed.
#[derive(Args, Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct RejectList {
    /// List rejected games in this file, one JSON object a line
    #[arg(long, value_name = "FILE", help_heading = "Outputs")]
    pub rejects: Option<PathBuf>,
    /// List filtered games there too
    #[arg(long, requires = "rejects", help_heading = "Outputs")]
    pub rejects_filtered: bool,
}

impl Stage for Replay {
    fn signature(&self) -> Signature {
        Signature::new(&[Port::Games], Port::Observations, Spread::Parallel)
    }

    fn replays(&self) -> Option<&ReplayOptions> {
        Some(&self.options)
    }

    fn note(&self) -> String {
        let limit = match self.options.counting.max_ply {
            0 => "whole games".into(),
            plies => format!("{plies} plies"),
        };
        let filters = self.options.filters.describe();
        if filters.is_empty() { limit } else { format!("{limit}, {filters}") }
    }

    fn outputs(&self) -> Vec<PathBuf> {
        self.list.rejects.iter().cloned().collect()
    }

    fn check(&self, _: &Inputs<'_>) -> Result<(), SettingError> {
        if self.list.rejects_filtered && self.list.rejects.is_none() {
            return Err(SettingError::because(
                "rejects_filtered",
                "needs `rejects`, the file to list them in",
            ));
        }
        self.options.check().map_err(SettingError::of_replay)
    }

    fn run(&self, _: &Context, name: &str, inputs: Vec<Flow>) -> Result<Flow> {
        let games = Taken::new(inputs).next().games()?;
        let stages = StageNames { source: Some(games.0.clone()), operator: Some(name.to_owned()) };
        Ok(Flow::Observations(Arc::new(GameStream { read: games.1.clone(), replay: self.clone(), stages })))
    }
}

/// Refuses settings of the replay that feeds a stage and that the stage would ignore: a reader of what is
/// written to moves takes every visit, without groups and ratings.
pub(crate) fn check_annotated(inputs: &Inputs<'_>) -> Result<(), SettingError> {
    let Some(options) = inputs.first().and_then(|input| input.replays()) else { return Ok(()) };
    let defaults = CountingOptions::default();
    let CountingOptions { repeats, by, ratings, .. } = &options.counting;
    let ignored = [
        ("repeats", *repeats != defaults.repeats),
        ("by", *by != defaults.by),
        ("ratings", *ratings != defaults.ratings),
    ];
    let ignored = ignored.into_iter().find(|(_, is_set)| *is_set);
    ignored.map_or(Ok(()), |(key, _)| {
        Err(SettingError::because(
            key,
            "has no meaning here: each move of a game is read, nothing is counted",
        ))
    })
}

/// Games, and how they are replayed.
pub(crate) struct GameStream {
    read: ReadGames,
    replay: Replay,
    stages: StageNames,
}

impl GameStream {
    /// How games are replayed.
    pub(crate) fn replay(&self) -> &ReplayOptions {
        &self.replay.options
    }

    /// The list of games that do not count, if there is to be one.
    pub(crate) fn reject_log(&self, context: &Context) -> Result<Option<RejectLog>> {
        let RejectList { rejects, rejects_filtered } = &self.replay.list;
        let create = |path| RejectLog::create(path, *rejects_filtered, context);
        rejects.as_deref().map(create).transpose()
    }

    /// Opens the games for a pass.
    pub(crate) fn open(
        &self,
        context: &Context,
        how: (Order, Unit),
        stop: Arc<AtomicBool>,
    ) -> Result<Source> {
        self.read.open(context, how, self.replay(), stop, self.stages.clone())
    }

    /// Reads the games with what is written to their moves, in the order of the input, into a sink; the sink,
    /// and what was read. `loose`: as annotation files are written.
    pub(crate) fn drive_annotated<S>(&self, context: &Context, loose: bool, sink: S) -> Result<(S, Read)>
    where
        S: OrderedSink<AnnotatedBatch>,
    {
        let reading = Reading::new(context, self.reject_log(context)?);
        let options = AnnotatedOptions { replay: self.replay().clone(), loose };
        let source = self.open(context, (Order::Input, options.unit()), reading.stop())?;
        let sink = InOrder::new(Annotator::new(&options), sink, context.threads);
        let read = drive(reading, source, &sink)?;
        Ok((sink.into_sink(), read))
    }
}

/// One in this many games is timed.
const TIMED: usize = 64;

/// Replays the games of chunks.
pub(crate) struct ReplayOperator(replay::Replay);

impl ReplayOperator {
    pub(crate) fn new(options: &ReplayOptions) -> Self {
        Self(replay::Replay::new(options))
    }

    /// Replays the games of `chunk`, notes what becomes of each, and pushes those that count: `push` reads
    /// them from the replay. About how long it took, without the pushing.
    pub(crate) fn games(
        &mut self,
        chunk: &Chunk,
        status: &mut ChunkStatus,
        mut push: impl FnMut(&replay::Replay) -> Result<()>,
    ) -> Result<Duration> {
        let (start, mut pushing) = (Instant::now(), Duration::ZERO);
        for (number, piece) in chunk.games().enumerate() {
            let verdict = match piece.kind {
                PieceKind::Game => self.0.game(piece.text),
                PieceKind::Fragment => Verdict::Rejected(Rejection::fragment(piece.text)),
                PieceKind::Oversized => self.0.too_large(piece.text),
            };
            if let Verdict::Accepted { .. } = verdict {
                let timed = number.is_multiple_of(TIMED).then(Instant::now);
                push(&self.0)?;
                pushing += timed.map_or(Duration::ZERO, |timed| timed.elapsed() * TIMED as u32);
            }
            status.note(piece.offset, Status::of(&verdict));
        }
        Ok(start.elapsed().saturating_sub(pushing))
    }
}
