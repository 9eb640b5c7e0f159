//! Writes and reads part files.

mod checks;
mod codes;
mod columns;
mod decode;
mod encode;
mod file;
mod inspect;
mod lookup;
mod reader;
pub(crate) mod schema;
mod syncer;
mod workspace;
mod writer;

pub(crate) use file::Part;
pub use file::guarded;
pub use inspect::{check_part, check_roots};
pub use reader::ShardRows;

pub(crate) use syncer::{SyncQueue, Syncer};
pub(crate) use workspace::Workspaces;
pub use writer::ShardWriter;
