//! `book-experience`: what a book knows beyond its counts, as an experience file.

use std::path::PathBuf;

use book::Book;
use serde::{Deserialize, Serialize};
use table::{ExperienceHeader, ExperienceWriter};

use super::experience_output::ExperienceOutput;
use crate::{
    Context, Flow, Result, catalogue::Stage, flow::only_input, inspect::sources_of, recipe::read_settings,
};

/// Settings of `book-experience`.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct BookExperienceSettings {
    /// The experience file; left out, it serves this run alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<PathBuf>,
}

/// Takes experience out of a book.
pub struct BookExperience {
    settings: BookExperienceSettings,
}

impl BookExperience {
    pub(crate) fn read(section: &str, settings: toml::Table) -> Result<Self> {
        Ok(Self { settings: read_settings(section, settings)? })
    }
}

impl Stage for BookExperience {
    fn note(&self) -> String {
        "what it knows beyond counts".into()
    }

    fn outputs(&self) -> Vec<PathBuf> {
        self.settings.output.iter().cloned().collect()
    }

    fn run(&self, context: &Context, inputs: Vec<Flow>) -> Result<Flow> {
        let book = Book::open(&only_input!(inputs, Book))?;
        let output = ExperienceOutput::create(context, self.settings.output.as_deref())?;
        let header = ExperienceHeader::new(None, None, sources_of(&book)?);
        let mut writer = ExperienceWriter::create(output.path(), &header, context.existing())?;
        for row in book.experience() {
            writer.push(&row?)?;
        }
        writer.finish()?;
        Ok(output.finish(context))
    }
}
