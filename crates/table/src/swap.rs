//! Lets a finished directory appear at its place, in one step, also where an older one stands.
//!
//! # Format
//!
//! Where the kernel can exchange two names (`renameat2` with `RENAME_EXCHANGE`, Linux 3.15 and most file systems) that is
//! all. Elsewhere, for a table `games.table`:
//!
//! 1. the new directory is renamed to `.games.table.next`: from here on it is complete;
//! 2. `games.table` is renamed to `.games.table.previous`;
//! 3. `.games.table.next` is renamed to `games.table`;
//! 4. `.games.table.previous` is removed.
//!
//! After a crash between 2 and 3 nothing stands at the table's name: [`recover`] does step 3, or undoes step 2.

use std::{
    ffi::OsString,
    fs, io,
    path::{Path, PathBuf},
};

use rustix::{
    fs::{CWD, RenameFlags, renameat_with},
    io::Errno,
};
use tempfile::TempDir;

use output::folder_of;

use crate::{Error, Result, manifest::MANIFEST_NAME};

/// How two directories change places.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Exchange {
    /// In one step, by the kernel; by renames where it cannot.
    Kernel,
    /// By renames.
    #[cfg(test)]
    Renames,
}

/// What the names of `path`'s temporary siblings start with.
pub(crate) fn sibling_prefix(path: &Path) -> OsString {
    let mut name = OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(".");
    name
}

fn sibling(path: &Path, role: &str) -> PathBuf {
    let mut name = sibling_prefix(path);
    name.push(role);
    folder_of(path).join(name)
}

/// Waits until the names in a directory are on disk.
pub(crate) fn sync_dir(dir: &Path) -> Result<()> {
    fs::File::open(dir).and_then(|dir| dir.sync_all()).map_err(Error::io(dir))
}

/// Whether a table may be written to `path`.
pub(crate) fn check_output(path: &Path, replace: bool) -> Result<()> {
    if path.file_name().is_none() {
        return Err(Error::NotATable { path: path.to_owned(), what: "the path names no file" });
    }
    match path.symlink_metadata() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(source) => Err(Error::Io { path: path.to_owned(), source }),
        Ok(_) if !replace => Err(Error::OutputExists { path: path.to_owned() }),
        Ok(_) if path.join(MANIFEST_NAME).is_file() => Ok(()),
        Ok(_) => Err(Error::NotATable { path: path.to_owned(), what: "only a table is replaced by one" }),
    }
}

/// Completes what a crash left half done at `path`, if it did.
pub(crate) fn recover(path: &Path) -> Result<()> {
    if path.symlink_metadata().is_ok() || path.file_name().is_none() {
        return Ok(());
    }
    let (next, previous) = (sibling(path, "next"), sibling(path, "previous"));
    if !previous.is_dir() {
        return Ok(());
    }
    let whole = if next.is_dir() { &next } else { &previous };
    match fs::rename(whole, path) {
        // Another process was faster.
        Err(_) if path.is_dir() => Ok(()),
        done => done.map_err(Error::io(path)).and_then(|()| sync_dir(folder_of(path))),
    }
}

/// Puts the finished directory at `path`.
pub(crate) fn publish(dir: TempDir, path: &Path, replace: bool, exchange: Exchange) -> Result<()> {
    let appeared = appear(dir.path(), path);
    let replaced = match appeared {
        Ok(()) => {
            forget(dir);
            None
        }
        Err(Errno::EXIST | Errno::NOTEMPTY) if replace => {
            check_output(path, replace)?;
            change_places(dir, path, exchange)?
        }
        Err(Errno::EXIST | Errno::NOTEMPTY) => return Err(Error::OutputExists { path: path.to_owned() }),
        Err(error) => return Err(Error::Io { path: path.to_owned(), source: error.into() }),
    };
    // Only what has surely been replaced is removed.
    sync_dir(folder_of(path))?;
    drop(replaced);
    Ok(())
}

/// The directory is no longer temporary.
fn forget(dir: TempDir) {
    let _moved_away = dir.keep();
}

/// Renames to a name that is free.
fn appear(dir: &Path, path: &Path) -> Result<(), Errno> {
    match renameat_with(CWD, dir, CWD, path, RenameFlags::NOREPLACE) {
        Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) if path.symlink_metadata().is_ok() => {
            Err(Errno::EXIST)
        }
        Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => rustix::fs::rename(dir, path),
        done => done,
    }
}

/// Puts the directory where an older one stands; the older one, if it still is on disk, vanishes when it is dropped.
fn change_places(dir: TempDir, path: &Path, exchange: Exchange) -> Result<Option<TempDir>> {
    let exchanged = match exchange {
        Exchange::Kernel => renameat_with(CWD, dir.path(), CWD, path, RenameFlags::EXCHANGE),
        #[cfg(test)]
        Exchange::Renames => Err(Errno::NOSYS),
    };
    match exchanged {
        // The temporary directory's name is now the old table's.
        Ok(()) => Ok(Some(dir)),
        Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => rename_twice(dir, path).map(|()| None),
        Err(error) => Err(Error::Io { path: path.to_owned(), source: error.into() }),
    }
}

fn rename_twice(dir: TempDir, path: &Path) -> Result<()> {
    let (next, previous) = (sibling(path, "next"), sibling(path, "previous"));
    remove(&next)?;
    remove(&previous)?;
    fs::rename(dir.path(), &next).map_err(Error::io(&next))?;
    forget(dir);
    sync_dir(folder_of(path))?;
    fs::rename(path, &previous).map_err(Error::io(path))?;
    recover(path)?;
    remove(&previous)
}

fn remove(dir: &Path) -> Result<()> {
    match fs::remove_dir_all(dir) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        done => done.map_err(Error::io(dir)),
    }
}
