//! `suite`: openings for engine tests, chosen from counts or by simulated play from a Polyglot book.

mod board;
mod choice;
mod engine;
mod source;

use std::{
    collections::BTreeMap,
    io::{BufWriter, Write as _},
    path::{Path, PathBuf},
};

use clap::Args;
use craft::{OtherSuite, Suite, SuiteFormat, SuiteInputs, SuiteOptions};
use output::OutputFile;
use position::{Key, PackedMove};
use run::{
    Context, Error, FileFormat, Output, Result, RunError, SettingError, StageError, values::option_as_text,
};
use serde::{Deserialize, Serialize};
use stage::{Flow, Inputs, Parallelism, Port, Signature, Stage, StageInputs};
use walk::Work;

use self::{choice::SuiteChoice, engine::SuiteEngine, source::SuiteSource};
use super::known::{KnownExperience, openings_of};

/// Settings of `suite`.
#[derive(Args, Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct MakeSuite {
    /// The suite to write; `-` is standard output
    #[arg(short, long, value_name = "FILE", help_heading = "Outputs")]
    pub output: PathBuf,
    /// The format of the output [default: according to the output's extension]
    #[arg(long, value_name = "epd|fen|pgn", help_heading = "Outputs")]
    #[serde(with = "option_as_text")]
    pub format: Option<SuiteFormat>,
    /// How the openings of the suite are chosen.
    #[command(flatten)]
    #[serde(flatten)]
    pub choice: SuiteChoice,
    /// The engine that evaluates the suite's positions.
    #[command(flatten)]
    #[serde(flatten)]
    pub engine: SuiteEngine,
}

impl Stage for MakeSuite {
    fn signature(&self) -> Signature {
        let source = if self.choice.every_line.is_some() { &[][..] } else { &[Port::Counts] };
        Signature::new(source, Port::File, Parallelism::PerShard).and_any(Port::Experience)
    }

    fn note(&self) -> String {
        let (output, SuiteChoice { plies, lines, .. }) = (self.output.display(), &self.choice);
        format!("{output}, up to {lines} openings of {plies} plies")
    }

    fn outputs(&self) -> Vec<Output> {
        let format = match self.written_as() {
            Ok(SuiteFormat::Pgn) => FileFormat::Pgn,
            Ok(SuiteFormat::Fen) => FileFormat::Fen,
            _ => FileFormat::Epd,
        };
        [format.at([&self.output]), FileFormat::Experience.at(&self.engine.evals)].concat()
    }

    fn reads(&self) -> Vec<&Path> {
        self.choice
            .openings
            .iter()
            .chain(&self.choice.compare)
            .chain(&self.choice.boards.exclude)
            .map(PathBuf::as_path)
            .collect()
    }

    fn check(&self, _: &Inputs<'_>) -> Result<(), SettingError> {
        self.choice.options()?;
        self.engine.check(self.choice.is_by_evaluation())?;
        self.written_as().map(drop)
    }

    fn run(&self, context: &Context, name: &str, inputs: Vec<Flow>) -> Result<Flow> {
        let setting = |error| StageError::of(name)(error);
        let (options, format) =
            (self.choice.options().map_err(setting)?, self.written_as().map_err(setting)?);
        let others = self
            .choice
            .compare
            .iter()
            .map(|path| OtherSuite::read(path))
            .collect::<craft::Result<Vec<_>>>()?;
        let mut options = SuiteOptions { board: self.choice.boards.rules()?, ..options };
        let mut inputs = StageInputs::new(inputs);
        let input = self.choice.every_line.is_none().then(|| inputs.take());
        let is_evaluated = self.choice.is_by_evaluation();
        let mut known = KnownExperience::of(context, input.as_ref(), inputs.experience()?, is_evaluated)?;
        let source = SuiteSource::of(context, (name, &self.choice), input.as_ref(), &mut options)?;
        let make =
            |known: &KnownExperience, options: &SuiteOptions| self.make(context, &source, known, options);
        self.engine.evaluate((context, name), &options, &mut known, make)?;
        let mut suite = make(&known, &options)?;
        suite.report.overlaps = others.iter().map(|other| other.overlap(&suite.openings)).collect();
        if suite.openings.is_empty() && !context.options.allow_empty {
            return Err(no_opening(&suite.report.left_out, source.counts.may_lack_roots()));
        }
        self.write(context, &suite, format).map_err(fault::output(&self.output))?;
        if suite.openings.len() < self.choice.lines {
            let (found, wanted) = (suite.openings.len(), self.choice.lines);
            context
                .summary()
                .warnings
                .push(format!("found only {found} of the {wanted} openings that were asked for"));
        }
        context.summary().suite = Some(suite.report);
        Ok(Flow::File)
    }
}

impl MakeSuite {
    fn written_as(&self) -> Result<SuiteFormat, SettingError> {
        let expected = "must be given, because the output's name does not end in .epd, .fen or .pgn";
        let format = self.format.or_else(|| SuiteFormat::of(&self.output));
        format.ok_or_else(|| SettingError::because("format", expected))
    }

    fn make(
        &self,
        context: &Context,
        SuiteSource { counts, played }: &SuiteSource,
        known: &KnownExperience,
        options: &SuiteOptions,
    ) -> Result<Suite> {
        let work = Work {
            threads: context.threads,
            memory_bytes: counts.memory_beside(context),
            temp_dir: context.temp_dir.clone(),
            on_progress: &|done| context.options.walked(done),
        };
        let openings = openings_of(self.choice.openings.as_deref())?;
        let known = |key: Key, mv: PackedMove| known.with_evaluation(key, mv);
        craft::suite(
            &SuiteInputs { rows: &**counts, played: *played, openings: &openings, known: &known },
            options,
            &work,
        )
    }

    fn write(&self, context: &Context, suite: &Suite, format: SuiteFormat) -> std::io::Result<()> {
        let mut output = OutputFile::create(&self.output, context.existing())?;
        let mut file = BufWriter::new(output.file());
        format.write(&suite.openings, &mut file)?;
        file.flush()?;
        drop(file);
        context.prepared(output.prepare()?);
        Ok(())
    }
}

/// The error for a suite without openings. `without_roots` is true if no roots are recorded, even though
/// the counted games may have started from a FEN.
fn no_opening(left_out: &BTreeMap<&'static str, u64>, without_roots: bool) -> Error {
    let reasons: Vec<_> = left_out.iter().map(|(why, positions)| format!("{why} {positions}")).collect();
    let mut text = if reasons.is_empty() {
        "no position qualifies: none has this number of plies".to_owned()
    } else {
        format!("no position qualifies; left out: {reasons}", reasons = reasons.join(", "))
    };
    if without_roots {
        text += "; if its games start from a FEN, they were counted before roots were kept: count them again";
    }
    RunError::Empty(text).into()
}
