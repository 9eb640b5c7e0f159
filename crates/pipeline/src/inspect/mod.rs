//! Looking into what was made: probing, describing and verifying books, tables and Polyglot books.

mod artefact;
mod info;
mod position;
mod probe;
mod verify;

pub use artefact::Artefact;
pub use info::{Fact, Info, info};
pub use position::position;
pub use probe::{Probe, ProbedMove, probe};
pub use verify::verify;
