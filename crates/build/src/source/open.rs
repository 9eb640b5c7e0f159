//! `open` and its kin: something made earlier.

use std::path::{Path, PathBuf};

use clap::Args;
use query::Artefact;
use serde::{Deserialize, Serialize};
use table::ExperienceFile;

use crate::{
    Context, Error, Result,
    counts::Counts,
    stage::{ExperiencePath, Flow, Port, Signature, Spread, Stage, Taken},
};

/// Settings of `open`: a table, a book or an experience file; which one, its content says.
#[derive(Args, Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct Open {
    /// A table or a book
    #[arg(value_name = "FILE")]
    pub path: PathBuf,
}

/// Settings of `open-table`.
#[derive(Args, Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct OpenTable {
    /// The table
    #[arg(value_name = "TABLE")]
    pub path: PathBuf,
}

/// Settings of `open-book`.
#[derive(Args, Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct OpenBook {
    /// The book
    #[arg(value_name = "BOOK")]
    pub path: PathBuf,
}

/// Settings of `open-experience`.
#[derive(Args, Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct OpenExperience {
    /// The experience file
    #[arg(value_name = "FILE")]
    pub path: PathBuf,
}

/// Settings of `book-counts` (formerly `unfold-book`), the counts of a book for stages that
/// take a table only: none.
#[derive(Args, Clone, Copy, Debug, Default, Deserialize, Serialize)]
pub struct BookCounts {}

fn opens(port: Port) -> Signature {
    Signature::new(&[], port, Spread::Sequential)
}

impl Stage for Open {
    fn signature(&self) -> Signature {
        opens(Port::Artefact)
    }

    fn note(&self) -> String {
        self.path.display().to_string()
    }

    fn reads(&self) -> Vec<&Path> {
        vec![&self.path]
    }

    fn run(&self, _: &Context, _: &str, _: Vec<Flow>) -> Result<Flow> {
        Ok(match Artefact::open(&self.path)? {
            Artefact::Table(table) => Flow::Table(Counts::Table(table).into()),
            Artefact::Book(_) => Flow::Book(self.path.clone()),
            Artefact::Experience(_) => Flow::Experience(ExperiencePath::lasting(self.path.clone()).into()),
            Artefact::Polyglot(_) => return Err(Error::NoCounts { path: self.path.clone() }),
        })
    }
}

impl Stage for OpenTable {
    fn signature(&self) -> Signature {
        opens(Port::Table)
    }

    fn note(&self) -> String {
        self.path.display().to_string()
    }

    fn reads(&self) -> Vec<&Path> {
        vec![&self.path]
    }

    fn run(&self, _: &Context, _: &str, _: Vec<Flow>) -> Result<Flow> {
        Ok(Flow::Table(Counts::Table(Artefact::open(&self.path)?.into_table()?).into()))
    }
}

impl Stage for OpenBook {
    fn signature(&self) -> Signature {
        opens(Port::Book)
    }

    fn note(&self) -> String {
        self.path.display().to_string()
    }

    fn reads(&self) -> Vec<&Path> {
        vec![&self.path]
    }

    fn run(&self, _: &Context, _: &str, _: Vec<Flow>) -> Result<Flow> {
        Artefact::open(&self.path)?.book()?;
        Ok(Flow::Book(self.path.clone()))
    }
}

impl Stage for OpenExperience {
    fn signature(&self) -> Signature {
        opens(Port::Experience)
    }

    fn note(&self) -> String {
        self.path.display().to_string()
    }

    fn reads(&self) -> Vec<&Path> {
        vec![&self.path]
    }

    fn run(&self, _: &Context, _: &str, _: Vec<Flow>) -> Result<Flow> {
        let file = ExperienceFile::open(&self.path)?;
        Ok(Flow::Experience(ExperiencePath::lasting(file.path().to_owned()).into()))
    }
}

impl Stage for BookCounts {
    fn signature(&self) -> Signature {
        Signature::new(&[Port::Book], Port::Table, Spread::Sequential)
    }

    fn note(&self) -> String {
        "its counts".into()
    }

    fn run(&self, context: &Context, _: &str, inputs: Vec<Flow>) -> Result<Flow> {
        Ok(Flow::Table(Taken::new(inputs).next().counts(context)?))
    }
}
