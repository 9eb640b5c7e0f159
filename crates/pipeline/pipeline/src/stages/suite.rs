//! `suite`: openings for engine tests, chosen from counts or from a Polyglot book's own play.

mod error;
mod weights;

use std::{
    io::{BufWriter, Write as _},
    path::{Path, PathBuf},
};

use book::Ratio;
use clap::Args;
use count::Counts;
use craft::{Bounds, OtherSuite, Plies, Spread, Suite, SuiteFormat, SuiteInputs, SuiteOptions};
use output::OutputFile;
use position::{Key, PackedMove, named_line};
use run::{
    Context, FileFormat, Output, Result, SettingError, StageError,
    values::{as_text, number_or_text, option_as_text},
};
use serde::{Deserialize, Serialize};
use stage::{Flow, Inputs, Parallelism, Port, Signature, Stage, StageInputs};
use walk::Work;

use self::error::NoOpening;
use super::known::{Known, openings_of};

/// Settings of `suite`.
#[derive(Args, Clone, Debug, Deserialize, Serialize)]
#[serde(default)]
pub struct MakeSuite {
    /// The suite to write; `-` is standard output
    #[arg(short, long, value_name = "FILE", help_heading = "Outputs")]
    pub output: PathBuf,
    /// How it is written [default: by the output's extension]
    #[arg(long, value_name = "epd|fen|pgn", help_heading = "Outputs")]
    #[serde(with = "option_as_text", skip_serializing_if = "Option::is_none")]
    pub format: Option<SuiteFormat>,
    /// Plies of an opening from the start position: 8, or the fewest and the most, as 6..16
    #[arg(long, value_name = "N|A..B", default_value_t = SuiteOptions::default().plies)]
    #[serde(with = "as_text")]
    pub plies: Plies,
    /// Only positions that N games reached [default: 5]
    #[arg(long, value_name = "N")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_games: Option<u64>,
    /// Of a Polyglot book: only by moves that have this share of their position's weights, as 0.05
    #[arg(long, value_name = "S", default_value_t = Ratio::ZERO, hide_default_value = true)]
    #[serde(with = "number_or_text")]
    pub min_share: Ratio,
    /// Only positions where White scores so, as 0.45..0.55
    #[arg(long, value_name = "A..B")]
    #[serde(with = "option_as_text", skip_serializing_if = "Option::is_none")]
    pub score: Option<Bounds>,
    /// Only positions with that share of draws, as 0.2..0.5
    #[arg(long, value_name = "A..B")]
    #[serde(with = "option_as_text", skip_serializing_if = "Option::is_none")]
    pub draws: Option<Bounds>,
    /// Only positions with that advantage of White in pawns, searched or learned, as 0.6..1.2
    #[arg(long, value_name = "A..B", allow_hyphen_values = true)]
    #[serde(with = "option_as_text", skip_serializing_if = "Option::is_none")]
    pub eval: Option<Bounds>,
    /// No two within N plies of a position that both come from; 0: no position twice
    #[arg(long, value_name = "N", default_value_t = SuiteOptions::default().apart)]
    pub apart: u16,
    /// How openings spread over ECO codes: by their games, each code alike, or as it comes
    #[arg(long, value_name = "games|even|any", default_value_t)]
    #[serde(with = "as_text")]
    pub spread: Spread,
    /// The most openings
    #[arg(long, value_name = "N", default_value_t = SuiteOptions::default().lines)]
    pub lines: usize,
    /// Seed of the draw: the same seed draws the same suite
    #[arg(long, value_name = "N", default_value_t = SuiteOptions::default().seed)]
    pub seed: u64,
    /// Only what follows these moves, in SAN or UCI: "e4 c5" or "1. e4 c5"
    #[arg(long, value_name = "MOVES")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<String>,
    /// Names of openings: a TSV of eco, name and pgn [default: the bundled catalogue]
    #[arg(long, value_name = "TSV")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub openings: Option<PathBuf>,
    /// Also count the positions that it shares with other suites, files of EPD or FEN
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub compare: Vec<PathBuf>,
}

impl Default for MakeSuite {
    fn default() -> Self {
        let SuiteOptions { plies, apart, lines, seed, .. } = SuiteOptions::default();
        Self {
            output: PathBuf::new(),
            format: None,
            plies,
            min_games: None,
            min_share: Ratio::ZERO,
            score: None,
            draws: None,
            eval: None,
            apart,
            spread: Spread::default(),
            lines,
            seed,
            line: None,
            openings: None,
            compare: Vec::new(),
        }
    }
}

impl Stage for MakeSuite {
    fn signature(&self) -> Signature {
        Signature::new(&[Port::Counts], Port::File, Parallelism::PerShard).and_any(Port::Experience)
    }

    fn note(&self) -> String {
        let Self { output, plies, lines, .. } = self;
        format!("{}, up to {lines} openings of {plies} plies", output.display())
    }

    fn outputs(&self) -> Vec<Output> {
        let format = match self.written_as() {
            Ok(SuiteFormat::Pgn) => FileFormat::Pgn,
            Ok(SuiteFormat::Fen) => FileFormat::Fen,
            _ => FileFormat::Epd,
        };
        format.at([&self.output])
    }

    fn reads(&self) -> Vec<&Path> {
        self.openings.iter().chain(&self.compare).map(PathBuf::as_path).collect()
    }

    fn check(&self, _: &Inputs<'_>) -> Result<(), SettingError> {
        self.options()?;
        self.written_as().map(drop)
    }

    fn run(&self, context: &Context, name: &str, inputs: Vec<Flow>) -> Result<Flow> {
        let setting = |error| StageError::of(name)(error);
        let (options, format) = (self.options().map_err(setting)?, self.written_as().map_err(setting)?);
        let others =
            self.compare.iter().map(|path| OtherSuite::read(path)).collect::<craft::Result<Vec<_>>>()?;
        let mut inputs = StageInputs::new(inputs);
        let input = inputs.take();
        let known = Known::of(context, &input, inputs.experience()?, false)?;
        let mut suite = match input {
            Flow::Polyglot(book) => {
                self.check_weights().map_err(setting)?;
                self.of_weights(context, &book, &known, options)?
            }
            counted => {
                self.check_counts().map_err(setting)?;
                self.make(context, (&*counted.counts(context)?, None), &known, &options)?
            }
        };
        suite.report.overlaps = others.iter().map(|other| other.overlap(&suite.openings)).collect();
        if suite.openings.is_empty() && !context.options.allow_empty {
            return Err(NoOpening { left_out: suite.report.left_out }.into());
        }
        self.write(context, &suite, format).map_err(fault::output(&self.output))?;
        if suite.openings.len() < self.lines {
            let (found, wanted) = (suite.openings.len(), self.lines);
            context.summary().warnings.push(format!("{found} openings were found, and {wanted} asked for"));
        }
        context.summary().suite = Some(suite.report);
        Ok(Flow::File)
    }
}

impl MakeSuite {
    /// The options of the suite.
    fn options(&self) -> Result<SuiteOptions, SettingError> {
        let Self { plies, score, draws, eval, apart, spread, lines, seed, .. } = *self;
        let min_games = self.min_games.unwrap_or(SuiteOptions::default().min_games);
        let start = named_line(None, self.line.as_deref())?;
        let given = start.moves.len();
        if given > usize::from(plies.first) {
            let what = format!("begins with {given} plies, and openings of {plies} are asked for (--plies)");
            return Err(SettingError::because("line", what));
        }
        if lines == 0 {
            return Err(SettingError::new("lines", "at least 1", lines));
        }
        for (key, bounds) in [("score", score), ("draws", draws)] {
            if let Some(bounds) = bounds.filter(|bounds| bounds.low < 0.0 || bounds.high > 1.0) {
                return Err(SettingError::new(key, "within 0..1", bounds));
            }
        }
        Ok(SuiteOptions { plies, min_games, score, draws, eval, apart, spread, lines, seed, start })
    }

    fn written_as(&self) -> Result<SuiteFormat, SettingError> {
        let expected = "the output's name does not end in .epd, .fen or .pgn: name one of them";
        let format = self.format.or_else(|| SuiteFormat::of(&self.output));
        format.ok_or_else(|| SettingError::because("format", expected))
    }

    /// Makes a suite of counts. If the counts are of play by weights, `played` is the number of games that
    /// it begins with.
    fn make(
        &self,
        context: &Context,
        (counts, played): (&Counts, Option<u64>),
        known: &Known,
        options: &SuiteOptions,
    ) -> Result<Suite> {
        let work = Work {
            threads: context.threads,
            memory_bytes: counts.memory_beside(context),
            temp_dir: context.temp_dir.clone(),
            on_progress: &|done| context.walked(done),
        };
        let openings = openings_of(self.openings.as_deref())?;
        let known = |key: Key, mv: PackedMove| known.look_up(key, mv);
        craft::suite(
            &SuiteInputs { rows: counts, played, openings: &openings, known: &known },
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
