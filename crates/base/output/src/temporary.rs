//! Files and folders with temporary names, which consist of `.tabia-`, ten letters or digits, and `.partial`.
//!
//! The process that makes a temporary file or folder holds a lock on it (`flock`), which the kernel releases
//! no matter how the process ends. A temporary file or folder without a lock was therefore left by a killed
//! run, and [`sweep`] removes it. On a file system without such locks nothing is removed.

use std::{
    ffi::OsStr,
    fs::{self, File, OpenOptions, Permissions},
    io,
    os::unix::fs::{MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _},
    path::{Path, PathBuf},
};

use rustix::fs::OFlags;

use crate::{
    disk, folder_of,
    lock::{again_if_interrupted, try_lock},
    place::inode,
};

const PREFIX: &str = ".tabia-";
const RANDOM_LETTERS: usize = 10;
const SUFFIX: &str = ".partial";

/// Whether an output is a file or a folder.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum OutputKind {
    File,
    Folder,
}

/// A file or folder under a temporary name. Dropping this value removes the file or folder, unless `kept` is
/// set.
#[derive(Debug)]
pub(crate) struct Temporary {
    pub(crate) path: PathBuf,
    pub(crate) kind: OutputKind,
    /// The locked file or folder.
    pub(crate) handle: File,
    /// Whether the file or folder must not be removed, because it has become an output, or because another
    /// process will complete the work.
    kept: bool,
}

impl Temporary {
    /// Makes an empty file or folder in `folder`.
    pub(crate) fn create(kind: OutputKind, folder: &Path) -> io::Result<Self> {
        loop {
            let (handle, path) = match kind {
                OutputKind::File => {
                    builder(0o666).tempfile_in(folder)?.keep().map_err(|error| error.error)?
                }
                OutputKind::Folder => {
                    let path = builder(0o777).tempdir_in(folder)?.keep();
                    match File::open(&path) {
                        // Another process has swept this folder away.
                        Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                        opened => (opened?, path),
                    }
                }
            };
            // On a file system without locks, locking fails. This error is ignored, because `sweep` removes
            // nothing on such a file system.
            let _unlockable = again_if_interrupted(|| handle.lock());
            let temporary = Self { path, kind, handle, kept: false };
            let number = temporary.handle.metadata()?.ino();
            // Another process may have swept this name away before it was locked.
            if inode(&temporary.path)? == Some(number) {
                return Ok(temporary);
            }
        }
    }

    /// Sets the permissions.
    pub(crate) fn set_mode(&self, mode: u32) -> io::Result<()> {
        disk::set_mode(&self.handle, mode)
    }

    /// Leaves the file or folder on disk under its present name.
    pub(crate) fn keep(&mut self) {
        self.kept = true;
    }

    /// Leaves the file or folder on disk and returns the locked handle.
    pub(crate) fn into_file(mut self) -> io::Result<File> {
        let file = self.handle.try_clone()?;
        self.kept = true;
        Ok(file)
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if !self.kept {
            // If this fails, a later run removes the file or folder.
            let _ = remove(self.kind, &self.path);
        }
    }
}

fn builder(mode: u32) -> tempfile::Builder<'static, 'static> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(PREFIX).rand_bytes(RANDOM_LETTERS).suffix(SUFFIX);
    builder.permissions(Permissions::from_mode(mode)); // less the process's mask
    builder
}

/// Removes a file, or a folder with its contents.
pub(crate) fn remove(kind: OutputKind, path: &Path) -> io::Result<()> {
    match kind {
        OutputKind::File => disk::unlink(path),
        OutputKind::Folder => disk::remove_folder(path),
    }
}

/// Whether `name` belongs to a temporary file or folder.
fn is_temporary(name: &OsStr) -> bool {
    let letters = name.to_str().and_then(|name| name.strip_prefix(PREFIX)?.strip_suffix(SUFFIX));
    letters.is_some_and(|letters| {
        letters.len() == RANDOM_LETTERS && letters.bytes().all(|letter| letter.is_ascii_alphanumeric())
    })
}

/// Removes a folder with its contents. The folder's name becomes free immediately. If the process is killed
/// before it has removed all contents, a later run removes the rest, like any temporary folder. A folder that
/// is already gone is not an error.
///
/// # Errors
///
/// Fails if the folder can neither be renamed nor removed.
pub fn remove_folder(path: &Path) -> io::Result<()> {
    let renamed = Temporary::create(OutputKind::Folder, folder_of(path)).and_then(|temporary| {
        disk::rename(path, &temporary.path.join("removed"))?;
        Ok(temporary)
    });
    // The folder is now inside a temporary folder. Dropping the temporary folder removes both. If the disk is
    // too full to create a temporary folder, the folder is removed without being moved first.
    renamed.map(drop).or_else(|_| disk::remove_folder(path))
}

/// Removes the temporary files and folders that killed runs have left in `folder`, except those for whose
/// name `is_needed` returns true. Whatever cannot be removed is left in place.
pub(crate) fn sweep(folder: &Path, is_needed: impl Fn(&OsStr) -> bool) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        if is_temporary(&name) {
            remove_unlocked_unless(&entry.path(), || is_needed(&name));
        }
    }
}

/// Removes a file or folder that no one has locked.
pub(crate) fn remove_unlocked(path: &Path) {
    remove_unlocked_unless(path, || false);
}

/// `is_needed` is called only when the lock is held, so the process that made the file or folder has ended
/// and will write no more intents.
fn remove_unlocked_unless(path: &Path, is_needed: impl FnOnce() -> bool) {
    let kind = match path.symlink_metadata() {
        Ok(found) if found.is_file() => OutputKind::File,
        Ok(found) if found.is_dir() => OutputKind::Folder,
        _ => return,
    };
    let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed();
    let opened = OpenOptions::new().read(true).write(kind == OutputKind::File).custom_flags(flags).open(path);
    if let Ok(handle) = opened
        && try_lock(&handle).is_ok()
        && !is_needed()
    {
        // Another sweep may remove the file at the same time.
        let _ = remove(kind, path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::names;

    #[test]
    fn only_what_no_one_has_locked_is_swept() {
        let dir = tempfile::tempdir().unwrap();
        let living =
            [OutputKind::File, OutputKind::Folder].map(|kind| Temporary::create(kind, dir.path()).unwrap());
        let mut dead =
            [OutputKind::File, OutputKind::Folder].map(|kind| Temporary::create(kind, dir.path()).unwrap());
        fs::write(dead[1].path.join("inside"), "text").unwrap();
        dead.iter_mut().for_each(Temporary::keep);
        let dead = dead.map(|temporary| temporary.path.clone());
        for name in [".tabia-short.partial", ".tabia-0123456789.other", "tabia-0123456789.partial"] {
            fs::write(dir.path().join(name), "another's").unwrap();
        }
        sweep(dir.path(), |name| dead[0].file_name() == Some(name));
        assert!(living.each_ref().map(|temporary| &temporary.path).iter().all(|path| path.exists()));
        assert_eq!(dead.each_ref().map(|path| path.exists()), [true, false], "one is needed");
        sweep(dir.path(), |_| false);
        drop(living);
        assert_eq!(names(dir.path()).len(), 3, "what has another name is another's");
    }
}
