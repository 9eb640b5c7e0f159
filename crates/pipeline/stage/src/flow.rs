//! The values that stages pass on to later stages.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use book::polyglot::Reader;
use count::Counts;
use experience::{
    Base, Change, EvaluationRow, WrittenFile, prepare_evaluations, prepare_update, warnings_of,
};
use games::{GameStream, ReadGames};
use output::Prepared;
use query::Artefact;
use run::{Context, Error, Result, RunError};

use super::Port;

/// A value that one stage passes to another. Games and observations only describe what to read; the sink that
/// takes them does the reading.
#[derive(Clone)]
pub enum Flow {
    /// The name of the stage that reads games, and its settings.
    Games(Arc<(String, ReadGames)>),
    /// Games and how they are replayed.
    Observations(Arc<GameStream>),
    /// Edges with their tallies, sorted: a table on disk, or sorted runs.
    Table(Arc<Counts>),
    /// An experience file.
    Experience(Arc<FlowFile>),
    /// A finished book.
    Book(Arc<FlowFile>),
    /// A Polyglot book that was recognised by its content. Stages that need counts refuse such a book.
    Polyglot(Arc<Reader>),
    /// A finished file for other programs.
    File,
}

impl Flow {
    /// Returns the port that the value belongs to.
    #[must_use]
    pub fn port(&self) -> Port {
        match self {
            Flow::Games(_) => Port::Games,
            Flow::Observations(_) => Port::Observations,
            Flow::Table(_) => Port::Table,
            Flow::Experience(_) => Port::Experience,
            Flow::Book(_) => Port::Book,
            Flow::Polyglot(_) => Port::Artefact,
            Flow::File => Port::File,
        }
    }

    /// The games.
    pub fn games(self) -> Result<Arc<(String, ReadGames)>> {
        if let Flow::Games(games) = self { Ok(games) } else { Err(self.wrong(Port::Games)) }
    }

    /// The games, and how they are replayed.
    pub fn observations(self) -> Result<Arc<GameStream>> {
        if let Flow::Observations(stream) = self { Ok(stream) } else { Err(self.wrong(Port::Observations)) }
    }

    /// The counts of a table.
    pub fn table(self) -> Result<Arc<Counts>> {
        if let Flow::Table(counts) = self { Ok(counts) } else { Err(self.wrong(Port::Table)) }
    }

    /// The counts of a table or a book.
    pub fn counts(self, context: &Context) -> Result<Arc<Counts>> {
        match self {
            Flow::Table(counts) => Ok(counts),
            Flow::Book(book) => Ok(Arc::new(count::of_book(context, &book::Book::open(&book.path)?)?)),
            other => Err(other.wrong(Port::Counts)),
        }
    }

    /// The experience file.
    pub fn experience(self) -> Result<Arc<FlowFile>> {
        if let Flow::Experience(file) = self { Ok(file) } else { Err(self.wrong(Port::Experience)) }
    }

    /// The book.
    pub fn book(self) -> Result<Arc<FlowFile>> {
        if let Flow::Book(book) = self { Ok(book) } else { Err(self.wrong(Port::Book)) }
    }

    /// A book to play from: a book or a Polyglot book.
    pub fn playable(self) -> Result<Artefact> {
        match self {
            Flow::Polyglot(book) => Ok(Artefact::open(book.path())?),
            other => Ok(Artefact::open(&other.book()?.path)?),
        }
    }

    /// Returns the error for an input of the wrong kind. Since the plan has checked all ports, an input can
    /// be of the wrong kind only if its kind depends on the file's content.
    fn wrong(&self, expected: Port) -> Error {
        if let Flow::Polyglot(book) = self {
            return RunError::NoCounts(book.path().into()).into();
        }
        RunError::WrongArtefact { expected: expected.thing(), got: self.port().thing() }.into()
    }
}

/// The inputs of a stage, taken one after another.
pub struct StageInputs(std::vec::IntoIter<Flow>);

impl StageInputs {
    /// The inputs of a stage, in the order of its ports.
    #[must_use]
    pub fn new(inputs: Vec<Flow>) -> Self {
        Self(inputs.into_iter())
    }

    /// The next input.
    ///
    /// # Panics
    ///
    /// Panics if the stage takes more inputs than its signature declares.
    pub fn take(&mut self) -> Flow {
        let Some(input) = self.0.next() else { unreachable!("the plan checked the number of inputs") };
        input
    }

    /// Returns the remaining inputs, which must all be experience files.
    pub fn experience(self) -> Result<Vec<Arc<FlowFile>>> {
        self.0.map(Flow::experience).collect()
    }
}

/// A book or an experience file that is complete on disk. A file that only this run needs is removed when the
/// last stage drops it.
#[must_use]
pub struct FlowFile {
    /// The name that the file has now, or will have when the run is done.
    pub named: PathBuf,
    /// The path from which the stages of this run read the file.
    pub path: PathBuf,
    temporary: Option<Prepared>,
}

impl FlowFile {
    /// A file that existed before the run.
    pub fn lasting(path: PathBuf) -> Self {
        Self { named: path.clone(), path, temporary: None }
    }

    /// The path to which a stage writes a `book` or `experience`. Unless the user named an output, this is a
    /// file in the folder for spilled runs, and only this run uses the file.
    pub fn output(context: &Context, named: Option<&Path>, kind: &str) -> PathBuf {
        named.map_or_else(|| context.temp_dir.join(format!(".tabia-{kind}")), Path::to_owned)
    }

    /// The file that a stage wrote. If the user named the file, it appears at `named` when the run is done.
    /// Otherwise, the file is temporary, and is removed when no stage needs it any more.
    pub fn written(context: &Context, named: Option<&Path>, prepared: Prepared) -> Self {
        let path = prepared.temporary_path().to_owned();
        match named {
            Some(named) => {
                Self { named: named.to_owned(), path: context.prepared(prepared), temporary: None }
            }
            None => Self { named: path.clone(), path, temporary: Some(prepared) },
        }
    }

    /// Adds a stage's lessons to the older experience, and writes the result to the output that the user
    /// named or to a file that only this run uses.
    pub fn of_changes(
        context: &Context,
        named: Option<&Path>,
        base: &Base<'_>,
        changes: impl Iterator<Item = Change>,
    ) -> Result<Flow> {
        let write = |output: &Path| prepare_update(base, changes, output, context.experience_job());
        Self::with(context, named, base, write)
    }

    /// Writes evaluations as new experience, when there is no older experience. No position or move may have
    /// more than one evaluation.
    pub fn of_evaluations(
        context: &Context,
        named: Option<&Path>,
        base: &Base<'_>,
        found: impl Iterator<Item = EvaluationRow>,
    ) -> Result<Flow> {
        let write = |output: &Path| prepare_evaluations(base, found, output, context.experience_job());
        Self::with(context, named, base, write)
    }

    fn with(
        context: &Context,
        named: Option<&Path>,
        base: &Base<'_>,
        write: impl FnOnce(&Path) -> experience::Result<(WrittenFile, Prepared)>,
    ) -> Result<Flow> {
        context.progress().enter("writing experience", 0);
        let (written, prepared) = write(&Self::output(context, named, "experience"))?;
        let mut summary = context.summary();
        summary.experience_rows = written.rows;
        if let Some(old) = base.old {
            summary.warnings.extend(warnings_of(old, base.table.as_deref(), base.book.as_deref()));
        }
        drop(summary);
        Ok(Flow::Experience(Self::written(context, named, prepared).into()))
    }

    /// Whether only this run needs the file.
    #[must_use]
    pub fn is_temporary(&self) -> bool {
        self.temporary.is_some()
    }

    /// In `text`, replaces the path of the file with the name that the user gave the file.
    #[must_use]
    pub fn name_in(&self, text: String) -> String {
        let [place, name] = [&self.path, &self.named].map(|path| path.display().to_string());
        if place == name { text } else { text.replace(&place, &name) }
    }
}
