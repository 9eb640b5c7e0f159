//! `refine-suite`: keeps the openings of a suite whose match results are within given limits.

use std::path::{Path, PathBuf};

use clap::Args;
use craft::{Bounds, MatchGame, RefineOptions, RefineRows, Refinement, SuiteFormat, of_writing};
use output::OutputFile;
use pgn::annotated::{AnnotatedGame, Form};
use run::{
    Context, FileFormat, Output, Result, RunError, SettingError, Status,
    values::{defaults, option_as_text},
};
use serde::{Deserialize, Serialize};
use stage::{
    EachGame, Flow, GameSink, Inputs, Parallelism, Port, Signature, Stage, StageInputs, check_whole_games,
};

/// Settings of `refine-suite`.
#[derive(Args, Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct RefineSuite {
    /// The suite to write, with the unchanged lines of the openings that are kept; `-` is standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    /// The suite to refine, an EPD or FEN file
    #[arg(long, value_name = "FILE")]
    pub refine: PathBuf,
    /// Which openings are kept, and which reports are written.
    #[command(flatten)]
    #[serde(flatten)]
    pub rules: RefineRules,
}

/// The limits on match results that decide which openings are kept, and the reports about all openings.
#[derive(Args, Clone, Debug, Deserialize, Serialize)]
#[serde(default)]
pub struct RefineRules {
    /// Keep openings whose share of drawn games is in this range, such as 0.1..0.9
    #[arg(long, value_name = "A..B")]
    #[serde(with = "option_as_text")]
    pub match_draws: Option<Bounds>,
    /// Keep openings whose share of drawn pairs is in this range; in a drawn pair, each player scores one
    /// point
    #[arg(long, value_name = "A..B")]
    #[serde(with = "option_as_text")]
    pub match_pair_draws: Option<Bounds>,
    /// Keep openings in which White's score minus one half is in this range, such as -0.1..0.3
    #[arg(long, value_name = "A..B", allow_hyphen_values = true)]
    #[serde(with = "option_as_text")]
    pub match_bias: Option<Bounds>,
    /// Apply the limits only to openings with at least N pairs, and keep all others
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub min_pairs: u64,
    /// Write a Parquet file with one row per opening
    #[arg(long, value_name = "FILE")]
    pub parquet: Option<PathBuf>,
    /// Write an SVG picture with histograms of the openings by share of draws, by share of drawn pairs and by
    /// bias
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
}

impl Default for RefineRules {
    fn default() -> Self {
        defaults(&[])
    }
}

impl Stage for RefineSuite {
    fn signature(&self) -> Signature {
        Signature::new(&[Port::Observations], Port::File, Parallelism::Sequential)
    }

    fn note(&self) -> String {
        format!("{} of {}", self.output.display(), self.refine.display())
    }

    fn outputs(&self) -> Vec<Output> {
        let format = match SuiteFormat::of(&self.output) {
            Some(SuiteFormat::Fen) => FileFormat::Fen,
            _ => FileFormat::Epd,
        };
        let RefineRules { parquet, svg, .. } = &self.rules;
        [format.at([&self.output]), FileFormat::Parquet.at(parquet), FileFormat::Svg.at(svg)].concat()
    }

    fn reads(&self) -> Vec<&Path> {
        vec![&self.refine]
    }

    fn check(&self, inputs: &Inputs<'_>) -> Result<(), SettingError> {
        let RefineRules { match_draws, match_pair_draws, match_bias, parquet, svg, .. } = &self.rules;
        let shares = [("match_draws", match_draws), ("match_pair_draws", match_pair_draws)];
        let shares = shares.map(|(key, bounds)| (key, bounds, (0.0, 1.0), "within 0..1"));
        let bias = ("match_bias", match_bias, (-0.5, 0.5), "within -0.5..0.5");
        for (key, bounds, (low, high), expected) in shares.into_iter().chain([bias]) {
            if let Some(bounds) = bounds.filter(|bounds| bounds.low < low || bounds.high > high) {
                return Err(SettingError::new(key, expected, bounds));
            }
        }
        for (key, path) in [("parquet", parquet), ("svg", svg)] {
            path.as_deref().map_or(Ok(()), |path| SettingError::check_not_stdout(key, path))?;
        }
        check_whole_games(inputs)
    }

    fn run(&self, context: &Context, _: &str, inputs: Vec<Flow>) -> Result<Flow> {
        let stream = StageInputs::new(inputs).take().observations()?;
        let matches = EachGame(Matches(Refinement::read(&self.refine)?));
        let (EachGame(Matches(refined)), read) = stream.drive_annotated(context, Form::Finished, matches)?;
        let options = self.rules.options();
        let report = refined.report(&options);
        if report.kept == 0 && !context.options.allow_empty {
            let why = "no opening stays: the bounds are too narrow for these games".to_owned();
            return Err(RunError::Empty(why).into());
        }
        let text = refined.kept(&options);
        let kept = output::prepare_text(&self.output, &text, context.existing());
        context.prepared(kept.map_err(fault::output(&self.output))?);
        if let Some(path) = &self.rules.parquet {
            write_rows(context, path, &refined, &options)?;
        }
        if let Some(path) = &self.rules.svg {
            let picture = output::prepare_text(path, &report::refined(&report), context.existing());
            context.prepared(picture.map_err(fault::output(path))?);
        }
        let mut summary = context.summary();
        summary.add_games(&read.counts.sum());
        summary.refined = Some(report);
        Ok(Flow::File)
    }
}

impl RefineRules {
    /// Whether any of these settings is given.
    #[must_use]
    pub fn are_given(&self) -> bool {
        let Self { match_draws, match_pair_draws, match_bias, min_pairs, parquet, svg } = self;
        [match_draws, match_pair_draws, match_bias].iter().any(|bounds| bounds.is_some())
            || [parquet, svg].iter().any(|path| path.is_some())
            || *min_pairs != Self::default().min_pairs
    }

    fn options(&self) -> RefineOptions {
        let &Self { match_draws, match_pair_draws, match_bias, min_pairs, .. } = self;
        RefineOptions { draws: match_draws, pair_draws: match_pair_draws, bias: match_bias, min_pairs }
    }
}

fn write_rows(context: &Context, path: &Path, refined: &Refinement, options: &RefineOptions) -> Result<()> {
    let mut output = OutputFile::create(path, context.existing()).map_err(fault::output(path))?;
    let mut rows = RefineRows::new(output.file()).map_err(of_writing(path))?;
    for opening in &refined.openings {
        rows.push(opening, options).map_err(of_writing(path))?;
    }
    rows.finish().map_err(of_writing(path))?;
    context.prepared(output.prepare().map_err(fault::output(path))?);
    Ok(())
}

/// Collects the results of match games, in the order of the input.
struct Matches(Refinement);

impl GameSink for Matches {
    fn take<'g>(&mut self, game: &AnnotatedGame<'g>) -> Result<Status<'g>> {
        let keys = game.plies.iter().map(|ply| ply.key);
        let Some(opening) = self.0.opening_of(game.fen().is_some(), keys) else {
            return Ok(Status::Filtered("other-opening"));
        };
        let [white, black] = ["White", "Black"].map(|name| game.tag(name).unwrap_or_default());
        let Some(outcome) = game.outcome else { return Ok(Status::Filtered("no-result")) };
        let round = game.tag("Round");
        self.0.add(opening, &MatchGame { players: [&white, &black], round: round.as_deref(), outcome });
        Ok(Status::Accepted { cut: false })
    }
}
