//! `book-experience`: writes the experience of a book to an experience file.

use std::path::{Path, PathBuf};

use book::Book;
use clap::Args;
use experience::{ExperienceHeader, ExperienceWriter};
use query::sources_of;
use run::{Context, FileFormat, Output, Result, SettingError};
use serde::{Deserialize, Serialize};
use stage::{Flow, FlowFile, Inputs, Parallelism, Port, Signature, Stage, StageInputs};

/// Settings of `book-experience`.
#[derive(Args, Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct BookExperience {
    /// The experience file to write; if left out, the experience is used only in this run
    #[arg(short, long, value_name = "FILE", help_heading = "Outputs")]
    pub output: Option<PathBuf>,
}

impl Stage for BookExperience {
    fn signature(&self) -> Signature {
        Signature::new(&[Port::Book], Port::Experience, Parallelism::Sequential)
    }

    fn note(&self) -> String {
        "what it knows beyond counts".into()
    }

    fn outputs(&self) -> Vec<Output> {
        FileFormat::Experience.at(&self.output)
    }

    fn check(&self, _: &Inputs<'_>) -> Result<(), SettingError> {
        self.output.as_deref().map_or(Ok(()), |output| SettingError::check_not_stdout("output", output))
    }

    fn run(&self, context: &Context, _: &str, inputs: Vec<Flow>) -> Result<Flow> {
        let book = StageInputs::new(inputs).take().book()?;
        let written = write_experience(context, &book.path, self.output.as_deref())?;
        Ok(Flow::Experience(written.into()))
    }
}

/// Writes the experience of the book at `path` to the file `named` or, if it is `None`, to a file that only
/// this run uses.
pub(crate) fn write_experience(context: &Context, path: &Path, named: Option<&Path>) -> Result<FlowFile> {
    let book = Book::open(path)?;
    let header =
        ExperienceHeader::new(None, None, sources_of(&book)?).with_evaluations(book.has_evaluations());
    let output = FlowFile::output(context, named, "experience");
    let mut writer = ExperienceWriter::create(&output, &header, context.existing())?;
    for row in book.experience() {
        writer.push(&row?)?;
    }
    Ok(FlowFile::written(context, named, writer.prepare()?.1))
}
