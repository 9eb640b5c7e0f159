//! Files that appear whole or not at all.

use std::{
    fs::{File, Permissions},
    io,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

use tempfile::NamedTempFile;

use crate::{Error, Result};

/// What to do about a file that stands where an output should go.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Existing {
    /// Leave it and fail.
    #[default]
    Refuse,
    /// Replace it, in one step at the end; those who have it open stay on the old one.
    Replace,
}

/// A file under another name beside `path` until it is done; it goes when dropped before.
#[derive(Debug)]
pub(crate) struct Output {
    path: PathBuf,
    existing: Existing,
    temp: NamedTempFile,
}

impl Output {
    pub(crate) fn create(path: &Path, existing: Existing) -> Result<Self> {
        if existing == Existing::Refuse && path.symlink_metadata().is_ok() {
            return Err(Error::OutputExists { path: path.to_owned() });
        }
        let temp = tempfile::Builder::new()
            .prefix(".tabia-")
            .suffix(".partial")
            .permissions(Permissions::from_mode(0o666)) // less the process's mask
            .tempfile_in(directory(path))
            .map_err(Error::io(path))?;
        Ok(Self { path: path.to_owned(), existing, temp })
    }

    /// The name the file will have.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// What happens to a file of that name.
    pub(crate) fn existing(&self) -> Existing {
        self.existing
    }

    /// The name it has for now.
    pub(crate) fn temp_path(&self) -> &Path {
        self.temp.path()
    }

    /// Does something with the file.
    pub(crate) fn with<T>(&mut self, work: impl FnOnce(&mut File) -> io::Result<T>) -> Result<T> {
        work(self.temp.as_file_mut()).map_err(Error::io(&self.path))
    }

    /// Lets the file appear, when it is safe on disk.
    pub(crate) fn finish(self) -> Result<()> {
        let Self { path, existing, temp } = self;
        temp.as_file().sync_all().map_err(Error::io(&path))?;
        let persisted = match existing {
            Existing::Refuse => temp.persist_noclobber(&path),
            Existing::Replace => temp.persist(&path),
        };
        match persisted {
            Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => {
                return Err(Error::OutputExists { path });
            }
            other => other.map_err(|error| Error::Io { path: path.clone(), source: error.error })?,
        };
        let directory = File::open(directory(&path)).and_then(|directory| directory.sync_all());
        directory.map_err(Error::io(&path))
    }
}

fn directory(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}
