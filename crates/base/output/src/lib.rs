//! Files and folders that appear whole or not at all.
//!
//! An [`OutputFile`] or [`OutputFolder`] is written under another name in the same folder, synced, and
//! renamed. If the value is dropped before that, the temporary file or folder is removed. A file whose path
//! is a URL is written in the system's temporary folder, and is then sent to its store. [`Existing`] says
//! what happens to an older output of the same name. All outputs of a command are [`Prepared`] first, and are
//! then published together. In the meantime, an [`OutputLock`] keeps other writers out. [`grouped`] formats
//! numbers in messages about outputs.
//!
//! # Flow
//!
//! 1. `create` finishes or removes the outputs that killed runs have left in the folder, fails if the path
//!    must not be replaced, and makes the temporary file or folder.
//! 2. The caller writes to [`OutputFile::file`], or into [`OutputFolder::dir`].
//! 3. `prepare` waits until all bytes have been synced to disk.
//! 4. [`publish`] gives all outputs of a command their final names; `finish` does so for a single output.
//! 5. Before a program opens an artefact, it calls [`recover()`] to finish the renames of a killed command.
//!
//! # Example
//!
//! ```
//! use std::io::Write;
//! use output::{Existing, OutputFile};
//!
//! let dir = tempfile::tempdir()?;
//! let path = dir.path().join("book.tabia");
//! let mut file = OutputFile::create(&path, Existing::Refuse)?;
//! file.file().write_all(b"whole")?;
//! assert!(!path.exists());
//! file.finish()?;
//! assert_eq!(std::fs::read(&path)?, b"whole");
//! # Ok::<(), std::io::Error>(())
//! ```

mod background_sync;
mod disk;
mod error;
mod file;
mod folder;
mod intent;
mod lock;
mod numbers;
mod place;
mod prepared;
mod recover;
mod replace;
mod temporary;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;

use std::path::Path;

pub use error::Error;
pub use file::{OutputFile, prepare_text, write_text};
pub use folder::OutputFolder;
pub use lock::{LockError, OutputLock, Waiting, try_lock};
pub use numbers::grouped;
pub use place::{Marker, check_file, check_file_or_folder, check_folder, make_folder};
pub use prepared::{Prepared, PublishError, publish};
pub use recover::{recover, sweep, take_notices};
pub use temporary::remove_folder;

/// What happens to a file or folder that already has the output's name.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
#[must_use]
pub enum Existing {
    /// The old file is kept, and writing the output fails.
    #[default]
    Refuse,
    /// The old file is replaced in one step at the end. A process that has it open keeps reading the old
    /// content.
    Replace,
}

impl Existing {
    /// [`Replace`](Existing::Replace) if `replace`, else [`Refuse`](Existing::Refuse).
    pub fn replaced_if(replace: bool) -> Self {
        if replace { Self::Replace } else { Self::Refuse }
    }
}

/// The parent folder of `path`, or `.` if it is a bare name.
#[must_use]
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Whether an output is standard output, which is written `-`. To name a file `-`, write `./-`.
#[must_use]
pub fn is_stdout(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Whether an output is standard output or a URL, and thus not a path in the file system.
#[must_use]
pub fn is_streamed(path: &Path) -> bool {
    is_stdout(path) || path.to_str().is_some_and(store::is_url)
}
