//! `compact`: passes a table's counts through the book filter and makes the final book.

mod book;
mod leaves;
mod positions;
mod promoted;
mod provenance;
mod queue;
mod shards;
mod way;

use std::path::PathBuf;

use clap::Args;
use count::KeptMoves;
use run::{BookReport, Context, FileFormat, Output, Result, SettingError};
use serde::{Deserialize, Serialize};
use stage::{Flow, FlowFile, Inputs, Parallelism, Port, Signature, Stage, StageInputs};

use self::promoted::Promote;

/// Settings of `compact`.
#[derive(Args, Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct Compact {
    /// The book to write
    // A recipe may leave out the output. In that case, only later stages of the recipe read the book.
    #[arg(short, long, value_name = "BOOK", required = true, help_heading = "Outputs")]
    pub output: Option<PathBuf>,
    /// Which moves the book keeps.
    #[command(flatten)]
    #[serde(flatten)]
    pub keep: KeptMoves,
    /// Which of the moves that the engine played after leaving the book are also kept.
    #[command(flatten)]
    #[serde(flatten)]
    pub promote: Promote,
    /// Also put all evaluations of the experience files into the book
    #[arg(long, help_heading = "What the book keeps")]
    pub evaluations: bool,
    /// If games were counted from the end of a line, also keep the moves of the line, so that the book begins
    /// at the start position
    #[arg(long, help_heading = "What the book keeps")]
    pub from_start: bool,
}

impl Stage for Compact {
    fn signature(&self) -> Signature {
        Signature::new(&[Port::Table], Port::Book, Parallelism::PerShard).and_any(Port::Experience)
    }

    fn note(&self) -> String {
        let way = if self.from_start { "from the start" } else { "" };
        let kept = [self.keep.describe(), self.promote.describe(), way.to_owned()];
        let kept = kept.into_iter().filter(|text| !text.is_empty());
        let output = self.output.as_ref().map(|path| path.display().to_string());
        output.into_iter().chain(kept).collect::<Vec<_>>().join(", ")
    }

    fn outputs(&self) -> Vec<Output> {
        FileFormat::Book.at(&self.output)
    }

    fn check(&self, inputs: &Inputs<'_>) -> Result<(), SettingError> {
        self.keep.check()?;
        let what = "needs experience files that have them: --experience FILE";
        SettingError::because("evaluations", what).unless(!self.evaluations || inputs.len() >= 2)?;
        self.output.as_deref().map_or(Ok(()), |output| SettingError::check_not_stdout("output", output))
    }

    fn run(&self, context: &Context, _: &str, inputs: Vec<Flow>) -> Result<Flow> {
        let mut inputs = StageInputs::new(inputs);
        let counts = inputs.take().table()?;
        let experience = inputs.experience()?;
        let made = book::make(context, counts, self, &experience)?;
        if let Some(output) = &self.output {
            let path = output.display().to_string();
            context.summary().add_book(made.rows, BookReport { path, ..made.report });
        }
        Ok(Flow::Book(FlowFile::written(context, self.output.as_deref(), made.prepared).into()))
    }
}
