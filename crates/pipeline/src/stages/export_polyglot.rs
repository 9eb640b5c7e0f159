//! `export-polyglot`: a book in the format that every engine and GUI reads.

use std::path::PathBuf;

use book::{Book, polyglot, polyglot::Weight};
use serde::{Deserialize, Serialize};

use crate::{Context, Error, Flow, Result, catalogue::Stage, flow::only_input, recipe::read_settings};

/// Settings of `export-polyglot`.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct PolyglotSettings {
    /// The Polyglot book.
    pub output: PathBuf,
    /// How moves are weighed: `wins-draws`, `games`, `score`, `uniform`, or `win=2,draw=1,loss=0`.
    #[serde(default = "default_weight")]
    pub weight: String,
}

fn default_weight() -> String {
    "wins-draws".into()
}

/// Writes a Polyglot book.
pub struct ExportPolyglot {
    settings: PolyglotSettings,
    weight: Weight,
}

impl ExportPolyglot {
    pub(crate) fn read(section: &str, settings: toml::Table) -> Result<Self> {
        let settings: PolyglotSettings = read_settings(section, settings)?;
        let weight =
            settings.weight.parse().map_err(|why| Error::Recipe(format!("{section} `weight`: {why}")))?;
        Ok(Self { settings, weight })
    }
}

impl Stage for ExportPolyglot {
    fn note(&self) -> String {
        format!("{}, weight {}", self.settings.output.display(), self.settings.weight)
    }

    fn outputs(&self) -> Vec<PathBuf> {
        vec![self.settings.output.clone()]
    }

    fn run(&self, context: &Context, inputs: Vec<Flow>) -> Result<Flow> {
        let book = Book::open(&only_input!(inputs, Book))?;
        context.progress.enter("writing the Polyglot book", 1);
        let written = polyglot::write(&book, &self.settings.output, self.weight, context.existing())?;
        context.progress.shard_done();
        context.wrote(&self.settings.output);
        if written.skipped_zero_key > 0 {
            let moves = written.skipped_zero_key;
            let warning =
                format!("{moves} moves of the position whose key is 0 have no place in a Polyglot book");
            context.report().warnings.push(warning);
        }
        Ok(Flow::File)
    }
}
