//! What one stage hands to the next.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use tempfile::TempPath;

use super::Port;
use crate::{
    Context, Error, Result,
    counts::{self, Counts},
    operator::GameStream,
    source::ReadGames,
};

/// A value on an edge of the graph. Games and observations are descriptions: the sink
/// that takes them drives them.
#[derive(Clone)]
pub(crate) enum Flow {
    /// Where games come from, and the name of that stage.
    Games(Arc<(String, ReadGames)>),
    /// Games and how they are replayed.
    Observations(Arc<GameStream>),
    /// Sorted edges, as a table on disk or as sorted runs.
    Table(Arc<Counts>),
    /// What was learned.
    Experience(Arc<ExperiencePath>),
    /// A finished book.
    Book(PathBuf),
    /// A finished file for others.
    File,
}

impl Flow {
    /// The port it fits.
    pub(crate) fn port(&self) -> Port {
        match self {
            Flow::Games(_) => Port::Games,
            Flow::Observations(_) => Port::Observations,
            Flow::Table(_) => Port::Table,
            Flow::Experience(_) => Port::Experience,
            Flow::Book(_) => Port::Book,
            Flow::File => Port::File,
        }
    }

    /// The games.
    pub(crate) fn games(self) -> Result<Arc<(String, ReadGames)>> {
        if let Flow::Games(games) = self { Ok(games) } else { Err(self.wrong(Port::Games)) }
    }

    /// The games, and how they are replayed.
    pub(crate) fn observations(self) -> Result<Arc<GameStream>> {
        if let Flow::Observations(stream) = self { Ok(stream) } else { Err(self.wrong(Port::Observations)) }
    }

    /// The counts of a table.
    pub(crate) fn table(self) -> Result<Arc<Counts>> {
        if let Flow::Table(counts) = self { Ok(counts) } else { Err(self.wrong(Port::Table)) }
    }

    /// The counts of a table or a book.
    pub(crate) fn counts(self, context: &Context) -> Result<Arc<Counts>> {
        match self {
            Flow::Table(counts) => Ok(counts),
            Flow::Book(path) => Ok(Arc::new(counts::of_book(context, &book::Book::open(&path)?)?)),
            other => Err(other.wrong(Port::Counts)),
        }
    }

    /// The experience file.
    pub(crate) fn experience(self) -> Result<Arc<ExperiencePath>> {
        if let Flow::Experience(path) = self { Ok(path) } else { Err(self.wrong(Port::Experience)) }
    }

    /// The book.
    pub(crate) fn book(self) -> Result<PathBuf> {
        if let Flow::Book(path) = self { Ok(path) } else { Err(self.wrong(Port::Book)) }
    }

    /// Only an artefact that was opened by its content can be something else than the plan checked.
    fn wrong(&self, expected: Port) -> Error {
        Error::WrongArtefact { expected: expected.thing(), got: self.port().thing() }
    }
}

/// The inputs of a stage, taken one after another.
pub(crate) struct Taken(std::vec::IntoIter<Flow>);

impl Taken {
    pub(crate) fn new(inputs: Vec<Flow>) -> Self {
        Self(inputs.into_iter())
    }

    /// The next input.
    ///
    /// # Panics
    ///
    /// If the stage takes more than its signature says.
    pub(crate) fn next(&mut self) -> Flow {
        let Some(input) = self.0.next() else { unreachable!("the plan checked the number of inputs") };
        input
    }

    /// All experience that is left.
    pub(crate) fn experience(self) -> Result<Vec<Arc<ExperiencePath>>> {
        self.0.map(Flow::experience).collect()
    }
}

/// An experience file, from the moment it is to be written; one that only this run needs is removed when
/// the last stage drops it.
pub(crate) struct ExperiencePath {
    path: PathBuf,
    temporary: Option<TempPath>,
}

impl ExperiencePath {
    /// A file that stays.
    pub(crate) fn lasting(path: PathBuf) -> Self {
        Self { path, temporary: None }
    }

    /// The output that a user named, or else a file for this run alone.
    pub(crate) fn output(context: &Context, named: Option<&Path>) -> Result<Self> {
        if let Some(path) = named {
            return Ok(Self::lasting(path.into()));
        }
        let folder = &context.temp_dir;
        let failed = |source| Error::File { action: "write in", path: folder.clone(), source };
        let file = tempfile::Builder::new().prefix(".tabia-").suffix(".experience").tempfile_in(folder);
        let temporary = file.map_err(failed)?.into_temp_path();
        // The name is reserved; the writer makes the file itself.
        std::fs::remove_file(&temporary).map_err(failed)?;
        Ok(Self { path: temporary.to_path_buf(), temporary: Some(temporary) })
    }

    /// Whether only this run needs it.
    pub(crate) fn is_temporary(&self) -> bool {
        self.temporary.is_some()
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// What flows on from the stage that wrote it; a file that stays is recorded.
    pub(crate) fn written(self, context: &Context) -> Flow {
        if self.temporary.is_none() {
            context.wrote(&self.path);
        }
        Flow::Experience(Arc::new(self))
    }
}
