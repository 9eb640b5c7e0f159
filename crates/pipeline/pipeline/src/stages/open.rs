//! `open`, `open-table` and the like: open an artefact made earlier.

use std::path::{Path, PathBuf};

use clap::Args;
use count::Counts;
use experience::ExperienceFile;
use query::Artefact;
use run::{Context, Result};
use serde::{Deserialize, Serialize};
use stage::{Flow, FlowFile, Parallelism, Port, Signature, Stage, StageInputs};

/// Settings of `open`, `open-table`, `open-book` and `open-experience`.
#[derive(Args, Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct Open {
    /// A table or a book
    #[arg(value_name = "FILE")]
    pub path: PathBuf,
    /// The kind of artefact that the stage accepts; `open` accepts any kind and detects it from the content
    /// of the file.
    #[arg(skip)]
    #[serde(skip)]
    pub expected: InputKind,
}

/// What a stage opens.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum InputKind {
    /// A table, a book, an experience file or a Polyglot book.
    #[default]
    Any,
    /// A table.
    Table,
    /// A book.
    Book,
    /// An experience file.
    Experience,
}

impl InputKind {
    /// Each kind of input.
    pub(crate) const ALL: [Self; 4] = [Self::Any, Self::Table, Self::Book, Self::Experience];

    /// The kind of the stage that opens artefacts of this kind.
    pub(crate) fn stage_kind(self) -> &'static str {
        match self {
            InputKind::Any => "open",
            InputKind::Table => "open-table",
            InputKind::Book => "open-book",
            InputKind::Experience => "open-experience",
        }
    }
}

impl Open {
    /// Opens an artefact and determines its kind from the content of the file.
    fn open_any(&self) -> Result<Flow> {
        Ok(match Artefact::open(&self.path)? {
            Artefact::Table(table) => Flow::Table(Counts::Table(table).into()),
            Artefact::Book(_) => Flow::Book(FlowFile::lasting(self.path.clone()).into()),
            Artefact::Experience(_) => Flow::Experience(FlowFile::lasting(self.path.clone()).into()),
            Artefact::Polyglot(book) => Flow::Polyglot(book.into()),
        })
    }
}

/// Settings of `book-counts`, which gives the counts of a book to stages that take only a table. There are
/// none.
#[derive(Args, Clone, Copy, Debug, Default, Deserialize, Serialize)]
pub struct BookCounts {}

impl Stage for Open {
    fn signature(&self) -> Signature {
        let gives = match self.expected {
            InputKind::Any => Port::Artefact,
            InputKind::Table => Port::Table,
            InputKind::Book => Port::Book,
            InputKind::Experience => Port::Experience,
        };
        Signature::new(&[], gives, Parallelism::Sequential)
    }

    fn note(&self) -> String {
        self.path.display().to_string()
    }

    fn reads(&self) -> Vec<&Path> {
        vec![&self.path]
    }

    fn run(&self, _: &Context, _: &str, _: Vec<Flow>) -> Result<Flow> {
        Ok(match self.expected {
            InputKind::Any => self.open_any()?,
            InputKind::Table => Flow::Table(Counts::Table(Artefact::open(&self.path)?.into_table()?).into()),
            InputKind::Book => {
                Artefact::open(&self.path)?.book()?;
                Flow::Book(FlowFile::lasting(self.path.clone()).into())
            }
            InputKind::Experience => {
                let file = ExperienceFile::open(&self.path)?;
                Flow::Experience(FlowFile::lasting(file.path().to_owned()).into())
            }
        })
    }
}

impl Stage for BookCounts {
    fn signature(&self) -> Signature {
        Signature::new(&[Port::Book], Port::Table, Parallelism::Sequential)
    }

    fn note(&self) -> String {
        "its counts".into()
    }

    fn run(&self, context: &Context, _: &str, inputs: Vec<Flow>) -> Result<Flow> {
        Ok(Flow::Table(StageInputs::new(inputs).take().counts(context)?))
    }
}
