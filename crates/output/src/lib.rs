//! Files that appear whole or not at all.
//!
//! An [`OutputFile`] is written under another name beside its place, synced, and renamed; dropped before that, it is gone.
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

mod behind;

use std::{
    fs::{File, Permissions},
    io,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

use behind::Behind;
use tempfile::NamedTempFile;

/// Bytes after which what was written begins to be put on disk.
const BEHIND_BYTES: u64 = 4 << 20;

/// What to do about a file that stands where an output should go.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Existing {
    /// Leave it and fail.
    #[default]
    Refuse,
    /// Replace it, in one step at the end; those who have it open stay on the old one.
    Replace,
}

impl Existing {
    /// What a `--force` that is given or not says.
    #[must_use]
    pub fn replaced_if(force: bool) -> Self {
        if force { Self::Replace } else { Self::Refuse }
    }
}

/// A file under another name beside its path until it is done; it goes when dropped before.
#[derive(Debug)]
pub struct OutputFile {
    path: PathBuf,
    existing: Existing,
    temp: NamedTempFile,
    /// Bytes that it was told of since it last asked for them to be synced.
    unsynced_bytes: u64,
    behind: Option<Behind>,
}

impl OutputFile {
    /// Begins a file that will appear at `path`.
    ///
    /// # Errors
    ///
    /// [`io::ErrorKind::AlreadyExists`] if something is there and must not be replaced; else whatever the system says.
    pub fn create(path: &Path, existing: Existing) -> io::Result<Self> {
        if existing == Existing::Refuse && path.symlink_metadata().is_ok() {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        let temp = tempfile::Builder::new()
            .prefix(".tabia-")
            .suffix(".partial")
            .permissions(Permissions::from_mode(0o666)) // less the process's mask
            .tempfile_in(folder_of(path))?;
        Ok(Self { path: path.to_owned(), existing, temp, unsynced_bytes: 0, behind: None })
    }

    /// The name the file will have.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What happens to a file of that name.
    #[must_use]
    pub fn existing(&self) -> Existing {
        self.existing
    }

    /// The name it has for now.
    #[must_use]
    pub fn temp_path(&self) -> &Path {
        self.temp.path()
    }

    /// The file to write to.
    pub fn file(&mut self) -> &mut File {
        self.temp.as_file_mut()
    }

    /// Says that so many bytes were written: some megabytes of them begin to be put on disk while more are written, so that
    /// [`finish`](Self::finish) waits for less. Who says nothing waits then.
    ///
    /// # Errors
    ///
    /// If no thread can be started for it.
    pub fn wrote(&mut self, bytes: u64) -> io::Result<()> {
        self.unsynced_bytes += bytes;
        if self.unsynced_bytes < BEHIND_BYTES {
            return Ok(());
        }
        self.unsynced_bytes = 0;
        let behind = match self.behind.take() {
            Some(behind) => behind,
            None => Behind::start(self.temp.as_file())?,
        };
        self.behind.insert(behind).ask();
        Ok(())
    }

    /// Lets the file appear, when it is safe on disk.
    ///
    /// # Errors
    ///
    /// [`io::ErrorKind::AlreadyExists`] if somebody made the file meanwhile and it must not be replaced; else whatever the
    /// system says.
    pub fn finish(self) -> io::Result<()> {
        let Self { path, existing, temp, unsynced_bytes: _, behind } = self;
        behind.map_or(Ok(()), Behind::finish)?;
        temp.as_file().sync_all()?;
        let persisted = match existing {
            Existing::Refuse => temp.persist_noclobber(&path),
            Existing::Replace => temp.persist(&path),
        };
        persisted.map_err(|error| error.error)?;
        File::open(folder_of(&path))?.sync_all()
    }
}

/// The folder that `path` is in: `.` for a bare name.
#[must_use]
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn what_is_synced_while_it_is_written_is_whole() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("large");
        let mut output = OutputFile::create(&path, Existing::Refuse).unwrap();
        let part = vec![7; BEHIND_BYTES as usize / 3];
        for _ in 0..10 {
            output.file().write_all(&part).unwrap();
            output.wrote(part.len() as u64).unwrap();
        }
        assert!(output.behind.is_some());
        output.finish().unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), part.repeat(10));
    }
}
