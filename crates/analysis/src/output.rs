//! The folder that an export appears as: written beside its place, then renamed.

use std::{
    ffi::OsString,
    fs::{self, File},
    io,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
};

use output::folder_of;
use rustix::{
    fs::{CWD, RenameFlags, renameat_with},
    io::Errno,
};
use tempfile::TempDir;

use crate::{Error, Result};

/// The file that says what an export is. It is in every export, and only exports are replaced by exports.
pub const MANIFEST_NAME: &str = "export.json";

/// An output that is being written.
pub(crate) struct Output {
    path: PathBuf,
    dir: TempDir,
    force: bool,
}

impl Output {
    /// A folder beside `path`, whose parent folder exists.
    pub(crate) fn create(path: &Path, force: bool) -> Result<Self> {
        check(path, force)?;
        let mut prefix = OsString::from(".");
        prefix.push(path.file_name().unwrap_or_default());
        prefix.push(".");
        let dir = tempfile::Builder::new()
            .prefix(&prefix)
            .permissions(fs::Permissions::from_mode(0o777))
            .tempdir_in(folder_of(path))
            .map_err(Error::io(path))?;
        Ok(Self { path: path.to_owned(), dir, force })
    }

    /// The folder to write into.
    pub(crate) fn dir(&self) -> &Path {
        self.dir.path()
    }

    /// Writes the manifest and lets the folder appear.
    pub(crate) fn publish(self, manifest: &serde_json::Value) -> Result<()> {
        let path = self.dir().join(MANIFEST_NAME);
        fs::write(&path, format!("{manifest:#}\n")).map_err(Error::io(&path))?;
        sync_tree(self.dir())?;
        self.appear()
    }

    fn appear(self) -> Result<()> {
        let Output { path, dir, force } = self;
        match rename(dir.path(), &path, RenameFlags::NOREPLACE) {
            Ok(()) => forget(dir),
            Err(Errno::EXIST | Errno::NOTEMPTY) => {
                check(&path, force)?;
                // The temporary folder then holds the old export; dropping it removes that.
                let exchanged = rename(dir.path(), &path, RenameFlags::EXCHANGE);
                exchanged.map_err(|error| Error::Io { path: path.clone(), source: error.into() })?;
            }
            Err(error) => return Err(Error::Io { path, source: error.into() }),
        }
        sync(folder_of(&path))
    }
}

/// Renames with `flags`; where the file system knows none, a free name is taken and a taken one is moved away first.
fn rename(from: &Path, to: &Path, flags: RenameFlags) -> Result<(), Errno> {
    match renameat_with(CWD, from, CWD, to, flags) {
        Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) if flags == RenameFlags::NOREPLACE => {
            if to.symlink_metadata().is_ok() { Err(Errno::EXIST) } else { rustix::fs::rename(from, to) }
        }
        Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => {
            let aside = from.with_extension("previous");
            rustix::fs::rename(to, &aside)?;
            rustix::fs::rename(from, to)?;
            rustix::fs::rename(&aside, from)
        }
        done => done,
    }
}

/// The directory is no longer temporary.
fn forget(dir: TempDir) {
    let _moved_away = dir.keep();
}

/// Whether an export may be written to `path`.
fn check(path: &Path, force: bool) -> Result<()> {
    match path.symlink_metadata() {
        _ if path.file_name().is_none() => {
            Err(Error::NotAnExport { path: path.to_owned(), what: "the path names no file" })
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(source) => Err(Error::Io { path: path.to_owned(), source }),
        Ok(_) if !force => Err(Error::OutputExists { path: path.to_owned() }),
        Ok(_) if path.join(MANIFEST_NAME).is_file() => Ok(()),
        Ok(_) => Err(Error::NotAnExport { path: path.to_owned(), what: "it has no export.json" }),
    }
}

/// Waits until the names in all folders are on disk.
fn sync_tree(dir: &Path) -> Result<()> {
    for entry in fs::read_dir(dir).map_err(Error::io(dir))? {
        let path = entry.map_err(Error::io(dir))?.path();
        if path.is_dir() {
            sync_tree(&path)?;
        }
    }
    sync(dir)
}

fn sync(dir: &Path) -> Result<()> {
    File::open(dir).and_then(|dir| dir.sync_all()).map_err(Error::io(dir))
}
