//! `export-polyglot`: a book in the format that every engine and GUI reads.

use std::path::PathBuf;

use book::{Book, polyglot, polyglot::Weight};
use clap::Args;
use serde::{Deserialize, Serialize};

use crate::{
    Context, Error, Result,
    stage::{Flow, Port, Signature, Spread, Stage, Taken, values::as_text},
};

/// Settings of `export-polyglot`.
#[derive(Args, Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct ExportPolyglot {
    /// The Polyglot book to write
    #[arg(short, long, value_name = "FILE", help_heading = "Outputs")]
    pub output: PathBuf,
    /// How moves are weighed.
    #[command(flatten)]
    #[serde(flatten)]
    pub weighing: Weighing,
}

/// How the moves of a Polyglot book are weighed.
#[derive(Args, Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct Weighing {
    /// Polyglot weight: wins-draws (2 wins + draws), games, score, uniform, or win=2,draw=1,loss=0
    #[arg(long, value_name = "RULE", default_value_t, help_heading = "Outputs")]
    #[serde(with = "as_text")]
    pub weight: Weight,
}

impl Stage for ExportPolyglot {
    fn signature(&self) -> Signature {
        Signature::new(&[Port::Book], Port::File, Spread::Sequential)
    }

    fn note(&self) -> String {
        format!("{}, weight {}", self.output.display(), self.weighing.weight)
    }

    fn outputs(&self) -> Vec<PathBuf> {
        vec![self.output.clone()]
    }

    fn run(&self, context: &Context, _: &str, inputs: Vec<Flow>) -> Result<Flow> {
        let book = Book::open(&Taken::new(inputs).next().book()?)?;
        if book.stats().edges == 0 && !context.options.allow_empty {
            return Err(Error::NothingKept { why: format!("{} holds none", book.path().display()) });
        }
        context.progress.enter("writing the Polyglot book", 1);
        let written = polyglot::write(&book, &self.output, self.weighing.weight, context.existing())?;
        context.progress.shard_done();
        context.wrote(&self.output);
        if written.skipped_zero_key > 0 {
            let moves = written.skipped_zero_key;
            context.summary().warnings.push(format!(
                "{moves} moves of the position whose key is 0 are left out: a Polyglot book cannot hold that key"
            ));
        }
        Ok(Flow::File)
    }
}
