//! Looking into what was made: probing, describing and verifying books, tables and Polyglot books.

mod artefact;
mod info;
mod known;
mod position;
mod probe;
mod sources;
mod verify;
mod why;

pub use artefact::Artefact;
pub use info::{Fact, Info, info};
pub use known::{Known, KnownResults, KnownSource};
pub use position::position;
pub use probe::{KnownMove, Probe, ProbedMove, probe};
pub(crate) use probe::{counts, names, probe_artefact};
pub(crate) use sources::sources_of;
pub use verify::verify;
pub use why::{Counted, Why, why};
