//! A folder that appears whole or not at all, also in place of an older one.
//!
//! # Format
//!
//! Where the kernel can exchange two names (`renameat2` with `RENAME_EXCHANGE`, Linux 3.15 and most file
//! systems) one call replaces the older folder. Elsewhere, for a folder `games.table`:
//!
//! 1. the new folder is renamed to `.games.table.next`: from here on it is complete;
//! 2. `games.table` is renamed to `.games.table.previous`;
//! 3. `.games.table.next` is renamed to `games.table`;
//! 4. `.games.table.previous` is removed.
//!
//! After a crash between 2 and 3 nothing is at the folder's name: [`recover`] does step 3, or undoes step 2.

use std::{
    ffi::OsString,
    fs::{self, File, Permissions},
    io,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

use tempfile::TempDir;

use crate::{Existing, disk, folder_of};

/// Why a folder cannot be written or appear.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// Writing, syncing or renaming failed.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// Something is at the output's place and must not be replaced.
    #[error("{} exists", path.display())]
    Exists {
        /// The output.
        path: PathBuf,
    },
    /// Something is at the output's place and is not a folder of the same kind.
    #[error("{} is not replaced: it has no {marker}", path.display())]
    NoMarker {
        /// The output.
        path: PathBuf,
        /// The file that every folder of this kind has.
        marker: &'static str,
    },
    /// The path ends in `..` or is empty.
    #[error("{}: the path names no folder", path.display())]
    NoName {
        /// The output.
        path: PathBuf,
    },
}

impl FolderError {
    fn io(path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Io { path: path.to_owned(), source }
    }
}

type Result<T, E = FolderError> = std::result::Result<T, E>;

/// A folder under another name in the same parent until it is finished; dropped before that, it is gone.
///
/// Every folder of a kind has a file of one name, the marker: only a folder with that file is replaced, so
/// that a mistyped path never costs a home directory.
#[derive(Debug)]
pub struct OutputFolder {
    path: PathBuf,
    dir: TempDir,
    marker: &'static str,
    existing: Existing,
    exchange: Exchange,
}

/// How two folders change places.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Exchange {
    /// In one step, by the kernel; by renames where it cannot.
    Kernel,
    /// By renames.
    #[cfg(test)]
    Renames,
}

impl OutputFolder {
    /// Begins a folder that will appear at `path` and has the file `marker`. A replacement there that was
    /// interrupted is completed first.
    ///
    /// # Errors
    ///
    /// If something is at `path` that must not be replaced, or no folder can be made in its parent.
    pub fn create(path: &Path, marker: &'static str, existing: Existing) -> Result<Self> {
        recover(path)?;
        check(path, marker, existing)?;
        let dir = tempfile::Builder::new()
            .prefix(&sibling_prefix(path))
            .suffix(".tmp")
            .permissions(Permissions::from_mode(0o777)) // less the process's mask
            .tempdir_in(folder_of(path))
            .map_err(FolderError::io(path))?;
        Ok(Self { path: path.to_owned(), dir, marker, existing, exchange: Exchange::Kernel })
    }

    /// The name the folder will have.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The folder to write into. The caller syncs the files, [`finish`](Self::finish) the folders.
    #[must_use]
    pub fn dir(&self) -> &Path {
        self.dir.path()
    }

    /// Writes the marker, waits until it and all folders are on disk, and lets the folder appear.
    ///
    /// # Errors
    ///
    /// If something cannot be written or renamed, or something that must not be replaced has
    /// come to exist meanwhile.
    pub fn finish(self, marker_bytes: &[u8]) -> Result<()> {
        write_synced(&self.dir().join(self.marker), marker_bytes)?;
        sync_tree(self.dir())?;
        let path = self.path.clone();
        let replaced = self.appear()?;
        // The old folder is removed only when its replacement is on disk.
        sync(folder_of(&path))?;
        drop(replaced);
        Ok(())
    }

    /// Renames to the final name; the older folder, if it still is on disk, vanishes when it is dropped.
    fn appear(self) -> Result<Option<TempDir>> {
        match disk::rename_to_free(self.dir(), &self.path) {
            Ok(()) => {
                forget(self.dir);
                Ok(None)
            }
            Err(error) if is_taken(&error) => {
                check(&self.path, self.marker, self.existing)?;
                self.change_places()
            }
            Err(source) => Err(FolderError::Io { path: self.path, source }),
        }
    }

    fn change_places(self) -> Result<Option<TempDir>> {
        let exchanged = match self.exchange {
            Exchange::Kernel => disk::exchange(self.dir(), &self.path),
            #[cfg(test)]
            Exchange::Renames => Err(io::ErrorKind::Unsupported.into()),
        };
        match exchanged {
            // The temporary folder's name is now the old folder's. What renames that were interrupted have
            // left would otherwise come back once the folder is deleted.
            Ok(()) => {
                remove(&sibling(&self.path, "next"))?;
                remove(&sibling(&self.path, "previous"))?;
                Ok(Some(self.dir))
            }
            Err(error) if error.kind() == io::ErrorKind::Unsupported => {
                rename_twice(self.dir, &self.path).map(|()| None)
            }
            Err(source) => Err(FolderError::Io { path: self.path, source }),
        }
    }
}

/// Completes or undoes a replacement at `path` that a crash left half done, if there is one.
///
/// # Errors
///
/// If the folder cannot be renamed.
pub fn recover(path: &Path) -> Result<()> {
    if path.symlink_metadata().is_ok() || path.file_name().is_none() {
        return Ok(());
    }
    let (next, previous) = (sibling(path, "next"), sibling(path, "previous"));
    if !previous.is_dir() {
        return Ok(());
    }
    let whole = if next.is_dir() { &next } else { &previous };
    match disk::rename(whole, path) {
        // Another process was faster.
        Err(_) if path.is_dir() => Ok(()),
        done => done.map_err(FolderError::io(path)).and_then(|()| sync(folder_of(path))),
    }
}

/// Whether a folder with this marker may be written to `path`.
fn check(path: &Path, marker: &'static str, existing: Existing) -> Result<()> {
    let path_owned = || path.to_owned();
    if path.file_name().is_none() {
        return Err(FolderError::NoName { path: path_owned() });
    }
    match path.symlink_metadata() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(source) => Err(FolderError::Io { path: path_owned(), source }),
        Ok(_) if existing == Existing::Refuse => Err(FolderError::Exists { path: path_owned() }),
        Ok(_) if path.join(marker).is_file() => Ok(()),
        Ok(_) => Err(FolderError::NoMarker { path: path_owned(), marker }),
    }
}

/// What the names of `path`'s temporary siblings start with.
fn sibling_prefix(path: &Path) -> OsString {
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

/// The folder is no longer temporary.
fn forget(dir: TempDir) {
    let _moved_away = dir.keep();
}

/// Whether a rename failed because something is at the new name.
fn is_taken(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::AlreadyExists | io::ErrorKind::DirectoryNotEmpty)
}

fn rename_twice(dir: TempDir, path: &Path) -> Result<()> {
    let (next, previous) = (sibling(path, "next"), sibling(path, "previous"));
    remove(&next)?;
    remove(&previous)?;
    disk::rename(dir.path(), &next).map_err(FolderError::io(&next))?;
    forget(dir);
    sync(folder_of(path))?;
    disk::rename(path, &previous).map_err(FolderError::io(path))?;
    recover(path)?;
    remove(&previous)
}

fn remove(dir: &Path) -> Result<()> {
    disk::remove_folder(dir).map_err(FolderError::io(dir))
}

fn write_synced(path: &Path, bytes: &[u8]) -> Result<()> {
    let write = || {
        let file = File::create_new(path)?;
        disk::write(&file, bytes)?;
        disk::sync_file(&file)
    };
    write().map_err(FolderError::io(path))
}

/// Waits until the names in a folder and in all below it are on disk.
fn sync_tree(dir: &Path) -> Result<()> {
    for entry in fs::read_dir(dir).map_err(FolderError::io(dir))? {
        let path = entry.map_err(FolderError::io(dir))?.path();
        if path.is_dir() {
            sync_tree(&path)?;
        }
    }
    sync(dir)
}

fn sync(dir: &Path) -> Result<()> {
    disk::sync_folder(dir).map_err(FolderError::io(dir))
}

#[cfg(test)]
mod tests {
    use tempfile::tempdir;

    use super::*;

    const MARKER: &str = "kind.json";

    fn names(dir: &Path) -> Vec<String> {
        let mut names: Vec<_> =
            dir.read_dir().unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// Writes a folder with a file in a folder below it, and `text` in its marker.
    fn write(path: &Path, existing: Existing, exchange: Exchange, text: &str) -> Result<()> {
        let mut folder = OutputFolder::create(path, MARKER, existing)?;
        folder.exchange = exchange;
        fs::create_dir(folder.dir().join("below")).unwrap();
        fs::write(folder.dir().join("below").join(text), text).unwrap();
        folder.finish(text.as_bytes())
    }

    fn read(path: &Path) -> String {
        fs::read_to_string(path.join(MARKER)).unwrap()
    }

    #[test]
    fn a_folder_replaces_another_either_way() {
        for exchange in [Exchange::Kernel, Exchange::Renames] {
            let dir = tempdir().unwrap();
            let path = dir.path().join("f");
            write(&path, Existing::Refuse, exchange, "one").unwrap();
            write(&path, Existing::Replace, exchange, "two").unwrap();
            assert_eq!((read(&path).as_str(), names(&path.join("below"))), ("two", vec!["two".to_owned()]));
            assert_eq!(names(dir.path()), ["f"]);
        }
    }

    #[test]
    fn an_interrupted_swap_is_completed_or_undone() {
        let dir = tempdir().unwrap();
        let [path, next, previous] = ["f", ".f.next", ".f.previous"].map(|name| dir.path().join(name));
        write(&previous, Existing::Refuse, Exchange::Kernel, "old").unwrap();
        write(&next, Existing::Refuse, Exchange::Kernel, "new").unwrap();
        recover(&path).unwrap();
        assert_eq!(read(&path), "new", "completed");
        fs::rename(&path, dir.path().join("elsewhere")).unwrap();
        recover(&path).unwrap();
        assert_eq!(read(&path), "old", "undone");
        // What an interruption just before the swap leaves does not disturb the next one.
        fs::rename(dir.path().join("elsewhere"), &next).unwrap();
        recover(&path).unwrap();
        assert_eq!(read(&path), "old");
        write(&path, Existing::Replace, Exchange::Renames, "newest").unwrap();
        assert_eq!((read(&path).as_str(), names(dir.path())), ("newest", vec!["f".to_owned()]));
    }

    #[test]
    fn a_new_folder_begins_with_recovery() {
        let dir = tempdir().unwrap();
        write(&dir.path().join(".f.previous"), Existing::Refuse, Exchange::Kernel, "old").unwrap();
        let path = dir.path().join("f");
        let refused = OutputFolder::create(&path, MARKER, Existing::Refuse);
        assert!(matches!(refused, Err(FolderError::Exists { .. })));
        assert_eq!(read(&path), "old");
    }

    #[test]
    fn only_a_folder_with_the_marker_is_replaced_and_only_when_asked() {
        let dir = tempdir().unwrap();
        let create =
            |name: &str, existing| OutputFolder::create(&dir.path().join(name), MARKER, existing).err();
        write(&dir.path().join("f"), Existing::Refuse, Exchange::Kernel, "one").unwrap();
        assert!(matches!(create("f", Existing::Refuse), Some(FolderError::Exists { .. })));
        fs::create_dir(dir.path().join("home")).unwrap();
        assert!(matches!(create("home", Existing::Replace), Some(FolderError::NoMarker { .. })));
        fs::write(dir.path().join("file"), "text").unwrap();
        // A file is no folder: looking for the marker in it fails.
        assert!(matches!(create("file", Existing::Replace), Some(FolderError::NoMarker { .. })));
        assert!(matches!(create("no/such/place", Existing::Refuse), Some(FolderError::Io { .. })));
        assert!(matches!(create("..", Existing::Replace), Some(FolderError::NoName { .. })));
    }

    #[test]
    fn a_folder_that_comes_to_exist_is_not_overwritten_and_a_dropped_one_leaves_nothing() {
        let dir = tempdir().unwrap();
        let path = dir.path().join("f");
        let folder = OutputFolder::create(&path, MARKER, Existing::Refuse).unwrap();
        fs::create_dir(&path).unwrap();
        assert!(matches!(folder.finish(b""), Err(FolderError::Exists { .. })));
        assert_eq!(names(dir.path()), ["f"]);
        drop(OutputFolder::create(&dir.path().join("g"), MARKER, Existing::Refuse).unwrap());
        assert_eq!(names(dir.path()), ["f"]);
    }
}
