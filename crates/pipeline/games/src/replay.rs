//! `replay`: decides which games count, replays them, and selects the moves to use.

use std::{
    collections::BTreeMap,
    path::PathBuf,
    sync::{Arc, atomic::AtomicBool},
    time::{Duration, Instant},
};

use clap::Args;
use pgn::{
    annotated::{AnnotatedBatch, AnnotatedOptions, Annotator, Form},
    batches::ReadChunk,
    filter::Where,
    input::{Chunk, ChunkOptions, GameBounds, Input, InputDone, Piece, PieceKind, Unit},
    replay::{self, ReplayOptions},
    tags::Tags,
    verdict::{Rejection, Verdict},
};
use run::{Context, Error, Result, RunError, SettingError};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::ReadGames;
use crate::{
    EmptyCount,
    copies::{self, Candidates, Copies, Dedup, Section},
    driver::{
        Read, Reading, drive,
        in_order::{InOrder, OrderedSink},
        source::{Order, Source, StageNames},
    },
    rejects::RejectLog,
    resume::{Job, Resume, job_inputs},
};

/// Settings of `replay`. A filter that is not set accepts every game.
#[derive(Args, Clone, Debug, Default, Deserialize, Serialize)]
pub struct Replay {
    /// Which games are counted, and how.
    #[command(flatten)]
    #[serde(flatten)]
    pub options: ReplayOptions,
    /// Whether copies of games count.
    #[command(flatten)]
    #[serde(flatten)]
    pub dedup: Dedup,
    /// Where games that do not count are listed.
    #[command(flatten)]
    #[serde(flatten)]
    pub list: RejectList,
}

/// Where games that do not count are listed.
#[derive(Args, Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct RejectList {
    /// Write a list of rejected games to this file, one JSON object per line; `-` is standard output
    #[arg(long, value_name = "FILE", help_heading = "Outputs")]
    pub rejects: Option<PathBuf>,
    /// Also write filtered games to the file given with --rejects
    #[arg(long, requires = "rejects", help_heading = "Outputs")]
    pub rejects_filtered: bool,
    /// Whether the list covers only one section of the inputs, and will be joined with the lists of the other
    /// sections.
    #[arg(skip)]
    #[serde(skip)]
    pub unplaced: bool,
}

impl Replay {
    /// Checks that the settings can be used together.
    pub fn check(&self) -> Result<(), SettingError> {
        let needed = SettingError::because("rejects_filtered", "needs `rejects`, the file to list them in");
        needed.unless(!self.list.rejects_filtered || self.list.rejects.is_some())?;
        let why = "knows games by their players and moves: the lines of a repertoire are not copies";
        let is_known = !self.options.counting.repertoire || self.dedup.dedup_games.is_off();
        SettingError::because("dedup_games", why).unless(is_known)?;
        self.options.check().map_err(SettingError::of_replay)
    }
}

/// The inputs that games are read from, and how the games are replayed.
#[must_use]
pub struct GameStream {
    /// The inputs.
    pub read: ReadGames,
    /// How games are replayed.
    pub replay: Replay,
    /// The names under which the times spent reading and replaying are recorded.
    pub stages: StageNames,
}

impl GameStream {
    /// The units that inputs are split into: records for a repertoire, games otherwise.
    pub fn unit(&self) -> Unit {
        if self.replay.options.counting.repertoire { Unit::Records } else { Unit::Games }
    }

    /// Begins the list of games that do not count, if the user asked for one. With `resume`, its lines are
    /// kept in a file that a later run can continue.
    pub fn reject_log(&self, context: &Context, resume: Option<&Resume>) -> Result<Option<RejectLog>> {
        let RejectList { rejects, rejects_filtered, unplaced } = &self.replay.list;
        let create = |path| {
            let mut log = RejectLog::create(path, *rejects_filtered, context, resume)?;
            log.unplaced = *unplaced;
            Ok(log)
        };
        rejects.as_deref().map(create).transpose()
    }

    /// The same stream, restricted to games that the expression admits.
    pub fn only(&self, admitted: Option<&Where>) -> Self {
        let mut replay = self.replay.clone();
        replay.options.filters = replay.options.filters.with_expression(admitted);
        Self { read: self.read.clone(), replay, stages: self.stages.clone() }
    }

    /// Returns the same stream without a list of games that do not count, for use when another stage lists
    /// them.
    pub fn unlisted(&self) -> Self {
        let replay = Replay { list: RejectList::default(), ..self.replay.clone() };
        Self { read: self.read.clone(), replay, stages: self.stages.clone() }
    }

    /// Whether copies of games are left out.
    #[must_use]
    pub fn leaves_out_copies(&self) -> bool {
        !self.replay.dedup.dedup_games.is_off()
    }

    /// The inputs that games are read from.
    pub fn inputs(&self, context: &Context) -> Result<Vec<Input>> {
        self.read.inputs(context)
    }

    /// If copies are left out, finds the copies among the games in `inputs`. Returns the inputs for the next
    /// pass, and the copies that were found. `options` and `order` must be those of the pass that follows. If
    /// `keep` is set, the fingerprints of the games that are not copies are kept.
    pub fn find_copies(
        &self,
        context: &Context,
        inputs: Vec<Input>,
        options: &AnnotatedOptions,
        (order, keep): (Order, bool),
    ) -> Result<(Vec<Input>, Option<Arc<Copies>>)> {
        let dedup = &self.replay.dedup;
        if dedup.dedup_games.is_off() {
            return Ok((inputs, None));
        }
        if context.options.resume.is_some() {
            let why = "which games are copies is known only when all are read";
            return Err(RunError::NotResumable(why.into()).into());
        }
        let open = |inputs, reading: &Reading<'_>| {
            self.open(context, inputs, (order, options.unit()), reading.stop(), None)
        };
        context.summary().copies = Some(0);
        let (inputs, copies) = copies::find(context, (dedup, keep), options, inputs, open)?;
        Ok((inputs, Some(Arc::new(copies))))
    }

    /// Finds the games in a section that may be copies of other games, or of which other games may be copies.
    pub fn candidates(&self, context: &Context, input: Input, section: &Section) -> Result<Candidates> {
        let options = self.read_options(Form::Finished);
        let open = |inputs, reading: &Reading<'_>| {
            self.open(context, inputs, (Order::Any, options.unit()), reading.stop(), None)
        };
        copies::candidates(context, section, &options, input, open)
    }

    /// Describes the count by its inputs and settings. A run can resume the count only if its inputs and
    /// settings are the same.
    ///
    /// # Errors
    ///
    /// Fails with [`RunError::NotResumable`] if games cannot be read twice, or if the number of games is
    /// limited.
    pub fn job(&self, inputs: &[Input], shards: u32) -> Result<Job> {
        if self.read.options.limit.is_some() {
            let why = "a limit takes games in the order of the input, which parts of it do not have";
            return Err(RunError::NotResumable(why.into()).into());
        }
        let (read, replay) = (serde_json::to_value(&self.read), serde_json::to_value(&self.replay));
        let (Ok(Value::Object(read)), Ok(Value::Object(replay))) = (read, replay) else {
            unreachable!("settings are objects")
        };
        let mut settings: BTreeMap<String, Value> = read.into_iter().chain(replay).collect();
        // `paths` is left out because inputs are recorded one by one, and `chunk_kib` because counts do not
        // depend on how text is cut into chunks.
        settings.retain(|name, _| name != "paths" && name != "chunk_kib");
        // It does not matter where the list of rejected games is written, only whether there is one.
        settings.insert("rejects".into(), self.replay.list.rejects.is_some().into());
        settings.insert("shards".into(), shards.into());
        let GameBounds { max_game_bytes, max_game_plies } = self.read.options.bounds;
        settings.insert("max_game_bytes".into(), max_game_bytes.into());
        settings.insert("max_game_plies".into(), max_game_plies.into());
        Ok(Job::new(settings, job_inputs(inputs)?))
    }

    /// Opens the games for a pass. If this run resumes an earlier one, `done` contains the parts that the
    /// earlier run has read.
    pub fn open(
        &self,
        context: &Context,
        inputs: Vec<Input>,
        (order, unit): (Order, Unit),
        stop: Arc<AtomicBool>,
        done: Option<Arc<Vec<InputDone>>>,
    ) -> Result<Source> {
        let options = self.read.chunk_options(context, &self.replay.options);
        let options = ChunkOptions { unit, done, ..options };
        Source::open(inputs, order, &options, stop, self.stages.clone())
    }

    /// Reads the games, with the annotations of their moves, into a sink in the order of the input. Returns
    /// the sink and what was read.
    pub fn drive_annotated<S>(&self, context: &Context, form: Form, sink: S) -> Result<(S, Read)>
    where
        S: OrderedSink<AnnotatedBatch>,
    {
        let options = self.read_options(form);
        self.drive_in_order(context, &options, Annotator::new(&options), sink)
    }

    /// The options for reading games in the form `form`.
    #[must_use]
    pub fn read_options(&self, form: Form) -> AnnotatedOptions {
        AnnotatedOptions { replay: self.replay.options.clone(), form }
    }

    /// Passes the games through `operator` into a sink in the order of the input. Returns the sink and what
    /// was read.
    pub fn drive_in_order<O, S>(
        &self,
        context: &Context,
        options: &AnnotatedOptions,
        operator: O,
        sink: S,
    ) -> Result<(S, Read)>
    where
        O: ReadChunk,
        S: OrderedSink<O::Batch>,
    {
        let reading =
            Reading::new(context, self.reject_log(context, None)?).possibly_empty(sink.may_be_empty());
        let (inputs, copies) =
            self.find_copies(context, self.inputs(context)?, options, (Order::Input, false))?;
        let how = (Order::Input, options.unit());
        let source = self.open(context, inputs, how, reading.stop(), None)?.marking(copies);
        let sink = InOrder::new(operator, sink, context.threads);
        let read = drive(reading, source, &sink).map_err(|error| self.explained(error))?;
        Ok((sink.into_sink(), read))
    }

    /// If the error is that no game counted, adds the tags and players that the filters ask for but that no
    /// game has.
    #[must_use]
    pub fn explained(&self, mut error: Error) -> Error {
        if let Some(nothing) = error.downcast_mut::<EmptyCount>() {
            nothing.look_again((&self.read.paths, self.read.options.limit), &self.replay.options.filters);
        }
        error
    }
}

/// One in this many calls of `take` is timed.
const TIMED: usize = 64;

/// Replays the games of chunks.
#[derive(Clone)]
#[must_use]
pub struct ReplayOperator {
    replay: replay::Replay,
    /// Whether the lines of a repertoire are read in place of games.
    repertoire: bool,
}

impl ReplayOperator {
    /// Makes an operator for one thread, which replays games with `options`.
    pub fn new(options: &ReplayOptions) -> Self {
        Self { replay: replay::Replay::new(options), repertoire: options.counting.repertoire }
    }

    /// Makes an operator that also keeps each accepted game in full, until the next game is replayed.
    pub fn keeping_games(options: &ReplayOptions) -> Self {
        Self { replay: replay::Replay::keeping_games(options), repertoire: options.counting.repertoire }
    }

    /// Returns the replayer, which contains the game that was replayed last.
    pub fn replay(&self) -> &replay::Replay {
        &self.replay
    }

    /// Decides what is done with a game in `chunk`.
    #[inline]
    pub fn verdict(&mut self, chunk: &Chunk, piece: &Piece<'_>) -> Verdict {
        self.verdict_if(chunk, piece, |_| true)
    }

    /// Decides what is done with a game in `chunk`. `admits` is an additional filter for games that pass all
    /// other filters.
    #[inline]
    fn verdict_if(
        &mut self,
        chunk: &Chunk,
        piece: &Piece<'_>,
        admits: impl FnOnce(&Tags<'_>) -> bool,
    ) -> Verdict {
        match (chunk.copy_at(piece.offset), piece.kind) {
            (Some(original), _) => Verdict::Copy(original),
            (None, PieceKind::Game) => self.replay.game_if(piece.text, admits),
            (None, PieceKind::Fragment) => Verdict::Rejected(Rejection::fragment(piece.text)),
            (None, PieceKind::Oversized) => self.replay.too_large(piece.text),
        }
    }

    /// Replays the games of `chunk`, or its lines if the chunk belongs to a repertoire. `admits` is an
    /// additional filter for games that pass all other filters. `take` is called with each game, its verdict
    /// and the replayer. Both functions get `taker`. Returns roughly how long replaying took, not including
    /// the time that `take` spent.
    pub fn each_game<T>(
        &mut self,
        chunk: &Chunk,
        taker: &mut T,
        admits: impl Fn(&mut T, &Tags<'_>) -> bool,
        mut take: impl FnMut(&mut T, &Piece<'_>, &Verdict, &replay::Replay) -> Result<()>,
    ) -> Result<Duration> {
        let (start, mut taking) = (Instant::now(), Duration::ZERO);
        if self.repertoire {
            for piece in chunk.games() {
                self.replay.records(piece, chunk.bounds, |replay, offset, verdict| {
                    take(taker, &Piece { offset, ..piece }, &verdict, replay)
                })?;
            }
            return Ok(start.elapsed());
        }
        for (number, piece) in chunk.games().enumerate() {
            let verdict = self.verdict_if(chunk, &piece, |tags| admits(taker, tags));
            let timed = number.is_multiple_of(TIMED).then(Instant::now);
            take(taker, &piece, &verdict, &self.replay)?;
            taking += timed.map_or(Duration::ZERO, |timed| timed.elapsed() * TIMED as u32);
        }
        Ok(start.elapsed().saturating_sub(taking))
    }
}
