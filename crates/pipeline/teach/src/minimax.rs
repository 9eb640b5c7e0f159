//! `minimax` backs evaluations of positions and moves up to earlier positions and moves of a book, and stores
//! the resulting values as rows of kind `minimax`. [`craft::minimax`] describes how the values are computed.

use std::path::PathBuf;

use clap::Args;
use craft::{EvalRow, Minimax, MinimaxOptions, OutOfBook, ValueRow};
use experience::{Base, Change, ExperienceSource, Union};
use position::{ExperienceKind, ExperienceRow};
use run::{Context, FileFormat, Output, Result, SettingError, values::as_text};
use serde::{Deserialize, Serialize};
use stage::{Flow, FlowFile, Inputs, Parallelism, Port, Signature, Stage, StageInputs};

use crate::evaluation;

/// The name of the source that the experience file lists for these values.
const SOURCE: &str = "minimax";

/// Settings of `minimax`.
#[derive(Args, Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct BackUp {
    /// The experience file to write
    #[arg(short, long, value_name = "FILE", help_heading = "Outputs")]
    pub output: Option<PathBuf>,
    /// Treat positions N plies from the start position as ends of the book [default: where the book itself
    /// ends]
    #[arg(long, value_name = "N")]
    pub plies: Option<u32>,
    /// Use only evaluations of at least this depth, in plies
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub min_depth: u16,
    /// What to do with evaluated moves that are not in the book: ignore them, or let the side to move choose
    /// these moves too, with their evaluations as values
    #[arg(long, value_name = "ignore|evaluation", default_value_t)]
    #[serde(with = "as_text")]
    pub out_of_book: OutOfBook,
}

impl Stage for BackUp {
    fn signature(&self) -> Signature {
        Signature::new(&[Port::Book], Port::Experience, Parallelism::Breaker).and_any(Port::Experience)
    }

    fn note(&self) -> String {
        let plies = self.plies.map_or_else(|| "all plies".into(), |plies| format!("{plies} plies"));
        format!("{plies}, out of book {}", self.out_of_book)
    }

    fn outputs(&self) -> Vec<Output> {
        FileFormat::Experience.at(&self.output)
    }

    fn check(&self, inputs: &Inputs<'_>) -> Result<(), SettingError> {
        self.output.as_deref().map_or(Ok(()), |output| SettingError::check_not_stdout("output", output))?;
        SettingError::new("plies", "at least 1", 0).unless(self.plies != Some(0))?;
        SettingError::missing("inputs", "experience with evaluations").unless(inputs.len() >= 2)
    }

    fn run(&self, context: &Context, _: &str, inputs: Vec<Flow>) -> Result<Flow> {
        let mut inputs = StageInputs::new(inputs);
        let book = inputs.take().playable()?;
        let files = inputs.experience()?;
        let union = Union::open(files.iter().map(|file| &*file.path))?;
        let options = MinimaxOptions {
            plies: self.plies.unwrap_or(u32::MAX),
            min_depth: self.min_depth,
            out_of_book: self.out_of_book,
            threads: context.threads,
            memory_bytes: context.memory.all(),
        };
        let evaluations = union.rows()?.filter_map(|row| row.map(|row| evaluated(&row)).transpose());
        let Minimax { values, report, .. } = craft::minimax(&book, evaluations, &options)?;
        if report.evaluations == 0 && !context.options.allow_empty {
            return Err(craft::Error::NoEvaluation(book.path().into()).into());
        }
        let source = ExperienceSource {
            name: SOURCE.into(),
            teacher: SOURCE.into(),
            records: report.evaluations,
            taught: report.evaluations,
            ..ExperienceSource::default()
        };
        let base = Base { sources: vec![source], evaluations: true, ..Base::default() };
        context.summary().minimax = Some(report);
        FlowFile::of_changes(context, self.output.as_deref(), &base, values.into_iter().map(change))
    }
}

/// The evaluation in a row; `None` if the row is of another kind.
fn evaluated(row: &ExperienceRow) -> Option<EvalRow> {
    let (key, mv, kind) = row.id();
    let score = row.score().filter(|_| kind == ExperienceKind::Evaluation)?;
    Some(EvalRow { key, mv, score, depth: row.experience.depth.unwrap_or(0) })
}

fn change(ValueRow { key, mv, score, depth }: ValueRow) -> Change {
    Change {
        kind: ExperienceKind::Minimax,
        ..Change::from(evaluation::evaluated((key, mv), 0, score, (depth, None)))
    }
}
