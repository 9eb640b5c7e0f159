//! `compact`: a table's counts through the book filter into the final book.

use std::path::{Path, PathBuf};

use book::BookFilter;
use serde::{Deserialize, Serialize};

use super::KeepsSettings;
use crate::{
    Context, Flow, Result, bookmaking,
    catalogue::Stage,
    flow::{all_inputs, only_input},
    recipe::read_settings_besides,
};

/// Settings of `compact`.
#[derive(Clone, Debug, Serialize)]
pub struct CompactSettings {
    /// The book.
    pub output: PathBuf,
    /// What it keeps.
    #[serde(flatten)]
    pub keeps: KeepsSettings,
}

/// Makes a book.
pub struct Compact {
    output: PathBuf,
    filter: BookFilter,
}

impl Compact {
    pub(crate) fn read(section: &str, mut settings: toml::Table) -> Result<Self> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Own {
            output: PathBuf,
        }
        let filter = KeepsSettings::take(section, &mut settings)?;
        let own: Own = read_settings_besides(section, settings, &KeepsSettings::KEYS)?;
        Ok(Self { output: own.output, filter })
    }
}

impl Stage for Compact {
    fn note(&self) -> String {
        let (output, filter) = (self.output.display(), self.filter.describe());
        if filter.is_empty() { output.to_string() } else { format!("{output}, {filter}") }
    }

    fn outputs(&self) -> Vec<PathBuf> {
        vec![self.output.clone()]
    }

    fn run(&self, context: &Context, mut inputs: Vec<Flow>) -> Result<Flow> {
        let experience = all_inputs!(inputs.split_off(1), Experience);
        let counts = only_input!(inputs, Table);
        let made = bookmaking::make(context, counts, &self.filter, &experience, Path::new(&self.output))?;
        context.wrote(&self.output);
        let mut report = context.report();
        report.edges = made.rows;
        report.book_positions = made.book.positions;
        report.book_edges = made.book.edges;
        report.book_experience = made.experience;
        Ok(Flow::Book(self.output.clone()))
    }
}
