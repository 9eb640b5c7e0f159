//! The system calls that decide whether an output survives a crash. This crate renames, syncs, removes and
//! writes only through these functions, so that tests can count the calls, stop at any of them, and make any
//! of them fail.

use std::{
    fs::{self, File, Permissions},
    io::{self, Write as _},
    os::unix::fs::PermissionsExt as _,
    path::Path,
};

use rustix::{
    fs::{CWD, RenameFlags, renameat_with},
    io::Errno,
};

/// Runs before each system call below; tests use it to make calls fail.
#[cfg(not(test))]
#[expect(clippy::unnecessary_wraps, reason = "tests let it fail")]
fn point(_call: &'static str) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
use crate::testing::point;

/// Renames `from` to `to`, replacing a file or an empty folder there.
pub(crate) fn rename(from: &Path, to: &Path) -> io::Result<()> {
    point("rename")?;
    fs::rename(from, to)
}

/// Renames `from` to `to`, but fails with [`io::ErrorKind::AlreadyExists`] if `to` exists. On a file system
/// that cannot do this in one step, it checks first whether `to` exists.
pub(crate) fn rename_to_free(from: &Path, to: &Path) -> io::Result<()> {
    point("rename_to_free")?;
    match renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
        Err(error) if is_missing(error) && to.symlink_metadata().is_ok() => {
            Err(io::ErrorKind::AlreadyExists.into())
        }
        Err(error) if is_missing(error) => fs::rename(from, to),
        renamed => Ok(renamed?),
    }
}

/// Exchanges two names atomically. Returns [`io::ErrorKind::Unsupported`] if the kernel or the file system
/// cannot exchange names.
pub(crate) fn exchange(one: &Path, other: &Path) -> io::Result<()> {
    point("exchange")?;
    #[cfg(test)]
    if crate::testing::exchange_is_missing() {
        return Err(io::ErrorKind::Unsupported.into());
    }
    match renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE) {
        Err(error) if is_missing(error) => Err(io::ErrorKind::Unsupported.into()),
        exchanged => Ok(exchanged?),
    }
}

/// Whether the error says that `renameat2`, or one of its flags, is not supported.
fn is_missing(error: Errno) -> bool {
    matches!(error, Errno::INVAL | Errno::NOSYS | Errno::NOTSUP)
}

/// Waits until the bytes and the length of a file are on disk.
pub(crate) fn sync_file(file: &File) -> io::Result<()> {
    point("sync_file")?;
    file.sync_all()
}

/// Waits until all bytes written to a file so far are on disk.
pub(crate) fn sync_data(file: &File) -> io::Result<()> {
    point("sync_data")?;
    file.sync_data()
}

/// Waits until the entries of a folder are on disk.
pub(crate) fn sync_folder(folder: &Path) -> io::Result<()> {
    point("sync_folder")?;
    File::open(folder)?.sync_all()
}

/// Removes a file. A file that is already gone is not an error.
pub(crate) fn unlink(path: &Path) -> io::Result<()> {
    point("unlink")?;
    gone_is_fine(fs::remove_file(path))
}

/// Removes a folder with its contents. A folder that is already gone is not an error.
pub(crate) fn remove_folder(path: &Path) -> io::Result<()> {
    point("remove_folder")?;
    gone_is_fine(fs::remove_dir_all(path))
}

fn gone_is_fine(removed: io::Result<()>) -> io::Result<()> {
    match removed {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        removed => removed,
    }
}

/// Sets the permissions of a file or folder.
pub(crate) fn set_mode(file: &File, mode: u32) -> io::Result<()> {
    point("set_mode")?;
    file.set_permissions(Permissions::from_mode(mode))
}

/// Writes all of `bytes` at the file's position.
pub(crate) fn write(mut file: &File, bytes: &[u8]) -> io::Result<()> {
    point("write")?;
    file.write_all(bytes)
}

#[cfg(test)]
mod tests {
    use std::io::ErrorKind;

    use tempfile::tempdir;

    use super::*;

    #[test]
    fn what_is_gone_already_is_no_error_and_all_else_is() {
        let dir = tempdir().unwrap();
        let (file, gone) = (dir.path().join("file"), dir.path().join("gone"));
        fs::write(&file, "text").unwrap();
        unlink(&gone).unwrap();
        remove_folder(&gone).unwrap();
        assert_eq!(unlink(&file.join("below")).unwrap_err().kind(), ErrorKind::NotADirectory);
        assert!(unlink(dir.path()).is_err(), "a folder is no file");
        assert!(remove_folder(&file).is_err(), "a file is no folder");
        assert!(file.exists());
    }

    #[test]
    fn only_a_call_that_is_missing_is_unsupported() {
        let dir = tempdir().unwrap();
        let [one, two] = ["one", "two"].map(|name| dir.path().join(name));
        fs::create_dir(&one).unwrap();
        assert_eq!(exchange(&one, &two).unwrap_err().kind(), ErrorKind::NotFound);
        fs::create_dir(&two).unwrap();
        assert_eq!(rename_to_free(&one, &two).unwrap_err().kind(), ErrorKind::AlreadyExists);
    }
}
