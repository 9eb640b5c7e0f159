//! Opens and reads inputs: turns names into inputs, inputs into parts, and parts into chunks for workers that
//! read in parallel.

mod chunks;
mod done;
mod expand;
mod limit;
mod needed_window;
mod open_input;
mod origin;
mod part_reader;
mod places;
mod section;
mod text;
mod utf16;

pub use chunks::{BlockHashes, ChunkOptions, Chunks, ReadProgress};
pub use done::{InputDone, Spans};
pub use expand::{InputList, expand, is_named_pgn};
pub use expand::{WantedFiles, expand_to};
pub use limit::GameTest;
pub use origin::{Input, Stamp};
pub use places::{Location, Part, ReadInput, ReadInputs};
pub use section::{Sections, sections};
