//! What one stage hands to the next.

use std::{path::PathBuf, sync::Arc};

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
            Flow::Book(_) => Port::Book,
            Flow::File => Port::File,
        }
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
