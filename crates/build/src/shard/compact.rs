//! `compact`: a table's counts through the book filter into the final book.

mod book;
mod leaves;
mod positions;
mod promoted;

use std::path::PathBuf;

use clap::Args;
use serde::{Deserialize, Serialize};

use self::promoted::Promote;
use super::KeptMoves;
use crate::{
    Context, Result,
    error::SettingError,
    stage::{BookFile, Flow, Inputs, Port, Signature, Spread, Stage, Taken},
    summary::BookReport,
};

/// Settings of `compact`.
#[derive(Args, Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct Compact {
    /// The book to write
    #[arg(short, long, value_name = "BOOK", help_heading = "Outputs")]
    pub output: PathBuf,
    /// What it keeps.
    #[command(flatten)]
    #[serde(flatten)]
    pub keep: KeptMoves,
    /// What it keeps besides, of what its engine played after the book.
    #[command(flatten)]
    #[serde(flatten)]
    pub promote: Promote,
}

impl Stage for Compact {
    fn signature(&self) -> Signature {
        Signature::new(&[Port::Table], Port::Book, Spread::PerShard).and_any(Port::Experience)
    }

    fn note(&self) -> String {
        let kept = [self.keep.filter().describe(), self.promote.describe()];
        let kept = kept.into_iter().filter(|text| !text.is_empty());
        [self.output.display().to_string()].into_iter().chain(kept).collect::<Vec<_>>().join(", ")
    }

    fn outputs(&self) -> Vec<PathBuf> {
        vec![self.output.clone()]
    }

    fn check(&self, _: &Inputs<'_>) -> Result<(), SettingError> {
        SettingError::check_not_stdout("output", &self.output)
    }

    fn run(&self, context: &Context, _: &str, inputs: Vec<Flow>) -> Result<Flow> {
        let mut inputs = Taken::new(inputs);
        let (counts, experience) = (inputs.next().table()?, inputs.experience()?);
        let made = book::make(context, counts, self, &experience)?;
        context.summary().add_book(
            made.rows,
            BookReport {
                path: self.output.display().to_string(),
                positions: made.book.positions,
                moves: made.book.edges,
                experience: made.experience,
                promoted: made.promoted,
            },
        );
        Ok(Flow::Book(BookFile { named: self.output.clone(), path: made.path }))
    }
}
