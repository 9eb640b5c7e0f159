//! `learn-annotations` turns the marks of moves in annotated lines into values set by hand (Terra: marks).

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use clap::Args;
use experience::{Base, Change, ExperienceFile, Lessons, join_taught};
use games::{
    GameStream,
    driver::{
        Read, Reading,
        in_order::{InOrder, OrderedSink},
        tee::SecondSink,
    },
};
use learn::annotations::{UserSetting, user_value};
use pgn::{
    annotated::{AnnotatedBatch, AnnotatedGame, Annotator, Form},
    batches::Batch as _,
    filter::day_of,
    verdict::Verdict,
};
use position::{Contribution, ExperienceKind, Key, Lesson, PackedMove};
use run::{Context, FileFormat, Output, Result, SettingError, Status};
use serde::{Deserialize, Serialize};
use stage::{Flow, FlowFile, Inputs, Parallelism, Port, Signature, Stage, StageInputs, check_annotated};

/// The reason given in the list of rejects for a line that was cut off at an illegal move.
const CUT: &str = "cut";

/// Settings of `learn-annotations`.
#[derive(Args, Clone, Debug, Default, Deserialize, Serialize)]
#[command(next_help_heading = "Outputs")]
#[serde(default)]
pub struct LearnAnnotations {
    /// The experience file to write
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Continue from this experience file
    #[arg(id = "continue", long = "continue", value_name = "FILE")]
    #[serde(rename = "continue")]
    pub old: Option<PathBuf>,
    /// Whether games may have no marks at all.
    #[arg(skip)]
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub optional: bool,
}

impl Stage for LearnAnnotations {
    fn signature(&self) -> Signature {
        Signature::new(&[Port::Observations], Port::Experience, Parallelism::Sequential)
    }

    fn note(&self) -> String {
        "the last mark of a move".into()
    }

    fn outputs(&self) -> Vec<Output> {
        FileFormat::Experience.at(&self.output)
    }

    fn reads(&self) -> Vec<&Path> {
        self.old.as_deref().into_iter().collect()
    }

    fn check(&self, inputs: &Inputs<'_>) -> Result<(), SettingError> {
        self.output.as_deref().map_or(Ok(()), |output| SettingError::check_not_stdout("output", output))?;
        check_annotated(inputs)
    }

    fn run(&self, context: &Context, _: &str, inputs: Vec<Flow>) -> Result<Flow> {
        let stream = StageInputs::new(inputs).take().observations()?;
        // If a count also reads these lines, the count lists the errors in them, so these errors are not
        // listed here.
        let stream = if self.optional { &stream.unlisted() } else { &*stream };
        let (marks, read) = stream.drive_annotated(context, Form::Loose, self.sink())?;
        self.learned(context, marks, read)
    }
}

impl LearnAnnotations {
    /// Whether the marks of `stream` are read in the same pass as its count. This is done for a repertoire,
    /// unless the count is recorded so that a later run can resume it: the record has no place for marks.
    pub fn reads_with_count(context: &Context, stream: &GameStream) -> bool {
        stream.replay.options.counting.repertoire && context.options.resume.is_none()
    }

    /// Returns a second sink, which reads the marks of `stream` in the same pass as its count.
    pub fn beside_count<'c>(&self, context: &'c Context, stream: &GameStream) -> SecondMarks<'c> {
        let annotator = Annotator::new(&stream.read_options(Form::Loose));
        SecondSink::new(context, InOrder::new(annotator, self.sink(), context.threads))
    }

    /// Writes an experience file with the marks that were read during a count.
    pub fn learned_beside(&self, context: &Context, marks: SecondMarks<'_>) -> Result<Flow> {
        let (marks, read) = marks.finish();
        self.learned(context, marks.into_sink(), read)
    }

    /// Adds the marks to the older experience, and writes the result to an experience file.
    fn learned(&self, context: &Context, marks: Marks, mut read: Read) -> Result<Flow> {
        let old = self.old.as_deref().map(ExperienceFile::open).transpose()?;
        if !self.optional {
            warn_of_cut_lines(context, read.counts.sum().cut);
            read.check_any(context)?;
        }
        if !self.optional || read.counts.sum().accepted > 0 {
            read.report_lessons(context);
        }
        let sources = read.experience_sources("annotations");
        let base = Base { old: old.as_ref(), sources, ..Base::default() };
        FlowFile::of_changes(context, self.output.as_deref(), &base, marks.of_moves.into_iter().map(change))
    }

    fn sink(&self) -> Marks {
        Marks { optional: self.optional, of_moves: BTreeMap::new() }
    }
}

fn warn_of_cut_lines(context: &Context, lines: u64) {
    if lines > 0 {
        context.summary().warnings.push(format!(
            "{lines} annotated lines contain something that is not a legal move; only the moves before it are used, and the list of rejected games has these lines"
        ));
    }
}

/// A second sink, which reads marks in the same pass as a count.
pub type SecondMarks<'c> = SecondSink<'c, InOrder<Annotator, Marks>>;

/// The last mark of each move, and the sources that marked the move.
pub struct Marks {
    optional: bool,
    of_moves: BTreeMap<(Key, PackedMove), (u8, Vec<Contribution>)>,
}

impl OrderedSink<AnnotatedBatch> for Marks {
    fn may_be_empty(&self) -> bool {
        self.optional
    }

    fn push(&mut self, batch: AnnotatedBatch, reading: &Reading<'_>) -> Result<()> {
        let mut status = reading.chunk_status(batch.place());
        for game in batch.games() {
            let Verdict::Accepted { plies, cut, .. } = *game.verdict else {
                status.note_game(&game, Status::of(game.verdict));
                continue;
            };
            if cut {
                status.list_game(&game, Status::Rejected { ply: Some(plies + 1), reason: CUT, text: "" });
            }
            let marked = self.take(&game);
            status.note_game(&game, if marked { Status::Accepted { cut } } else { Status::Idle("no-mark") });
            status.counts.cut += u64::from(cut && !marked);
        }
        reading.add(&status)
    }
}

impl Marks {
    /// Adds the marks of a game, and returns whether the game has any.
    fn take(&mut self, game: &AnnotatedGame<'_>) -> bool {
        let last = day_of(&game.tags).unwrap_or(0);
        let taught = Contribution { source: game.place.input, lesson: Lesson::Set, count: 1, last };
        let marked = game.plies.iter().filter_map(|ply| Some((ply, ply.notes.nag?)));
        let mut any = false;
        for (ply, nag) in marked.filter(|(_, nag)| user_value(*nag).is_some()) {
            let (mark, sources) = self.of_moves.entry((ply.key, ply.mv)).or_default();
            *mark = nag;
            *sources = join_taught(sources, &[taught]);
            any = true;
        }
        any
    }
}

fn change(((key, mv), (nag, taught)): ((Key, PackedMove), (u8, Vec<Contribution>))) -> Change {
    let lessons = Lessons::Set { setting: Some(UserSetting::Nag(nag)), priority: None };
    Change { key, mv, kind: ExperienceKind::Book, lessons, taught }
}
