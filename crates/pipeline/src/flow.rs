//! What one stage hands to the next.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use tempfile::TempPath;

use crate::{catalogue::Port, counts::Counts, stages};

/// A value on an edge of the graph. Games and observations are streams: the breaker that takes them pulls them through.
#[derive(Clone)]
pub enum Flow {
    /// Where games come from.
    Games(Arc<stages::GameStream>),
    /// Games and how they are replayed.
    Observations(Arc<stages::ObservationStream>),
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
    #[must_use]
    pub fn port(&self) -> Port {
        match self {
            Flow::Games(_) => Port::Games,
            Flow::Observations(_) => Port::Observations,
            Flow::Table(_) => Port::Table,
            Flow::Experience(_) => Port::Experience,
            Flow::Book(_) => Port::Book,
            Flow::File => Port::File,
        }
    }
}

/// A finished experience file; one that only this run needs goes when the last stage has let go of it.
pub struct ExperiencePath {
    path: PathBuf,
    _temporary: Option<TempPath>,
}

impl ExperiencePath {
    /// A file that stays.
    pub(crate) fn lasting(path: PathBuf) -> Self {
        Self { path, _temporary: None }
    }

    /// A file that goes with this value.
    pub(crate) fn temporary(path: TempPath) -> Self {
        Self { path: path.to_path_buf(), _temporary: Some(path) }
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

/// Takes the only input of a stage as the variant its catalogue line names.
macro_rules! only_input {
    ($inputs:expr, $variant:ident) => {
        match $inputs.into_iter().next() {
            Some($crate::Flow::$variant(value)) => value,
            _ => unreachable!("the plan checked that this stage takes one {}", stringify!($variant)),
        }
    };
}
pub(crate) use only_input;

/// Takes all inputs of a stage that come after others, as the variant its catalogue line names.
macro_rules! all_inputs {
    ($inputs:expr, $variant:ident) => {
        $inputs
            .into_iter()
            .map(|input| match input {
                $crate::Flow::$variant(value) => value,
                _ => unreachable!(
                    "the plan checked that this stage takes any number of {}",
                    stringify!($variant)
                ),
            })
            .collect::<Vec<_>>()
    };
}
pub(crate) use all_inputs;
