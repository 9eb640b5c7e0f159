//! Files and folders that appear whole or not at all.
//!
//! An [`OutputFile`] or [`OutputFolder`] is written under another name in the same folder, synced, and
//! renamed; dropped before that, it is gone. [`Existing`] says what happens to an older
//! output of the same name.
//!
//! # Flow
//!
//! 1. `create` refuses a place that must not be replaced, and makes the temporary file or folder.
//! 2. The caller writes to [`OutputFile::file`], or into [`OutputFolder::dir`].
//! 3. `finish` waits until all of it is on disk and lets it appear in one step.
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
mod file;
mod folder;

use std::path::Path;

pub use file::{OutputFile, write_text};
pub use folder::{FolderError, OutputFolder, recover};

/// What happens to a file or folder that is at the output's place already.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Existing {
    /// It stays, and the output fails.
    #[default]
    Refuse,
    /// It is replaced, in one step at the end; a process that has it open goes on reading the old one.
    Replace,
}

impl Existing {
    /// [`Replace`](Existing::Replace) if `replace`.
    #[must_use]
    pub fn replaced_if(replace: bool) -> Self {
        if replace { Self::Replace } else { Self::Refuse }
    }
}

/// The folder that `path` is in: `.` for a bare name.
#[must_use]
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}
