//! Determines where an output is written, and checks what is already there.

use std::{
    fs,
    io::{self, ErrorKind, Read as _},
    os::unix::fs::{FileTypeExt as _, MetadataExt as _},
    path::{Path, PathBuf},
};

use crate::{Existing, folder_of, is_streamed};

/// The maximum number of symbolic links to follow before a path counts as circular. Linux has the same limit.
const LINKS_MAX: usize = 40;

/// How many bytes at the start of a marker are searched for [`Marker::format`].
const MARKER_BYTES_MAX: u64 = 1 << 20;

/// The file that marks a folder of a certain kind. A folder is replaced only if it contains this file, so a
/// mistyped path never deletes a home directory.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Marker {
    /// The name of the file.
    pub name: &'static str,
    /// The file's name in earlier versions, if it was different.
    pub old_name: Option<&'static str>,
    /// Text that the file must contain, because another program may use the same file name.
    pub format: &'static str,
}

impl Marker {
    /// Whether this file marks `folder`.
    ///
    /// # Errors
    ///
    /// Fails if the file exists but cannot be read.
    pub(crate) fn is_in(self, folder: &Path) -> io::Result<bool> {
        let is_ours = |name: &str| {
            let mut text = Vec::new();
            match fs::File::open(folder.join(name)) {
                Ok(file) => file.take(MARKER_BYTES_MAX).read_to_end(&mut text)?,
                Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
                    return Ok(false);
                }
                Err(error) => return Err(error),
            };
            Ok(text.windows(self.format.len()).any(|window| window == self.format.as_bytes()))
        };
        Ok(is_ours(self.name)? || self.old_name.map_or(Ok(false), is_ours)?)
    }
}

/// Where an output will be written.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Place {
    /// The path as the caller gave it.
    pub(crate) named: PathBuf,
    /// The path that is written to, with symbolic links followed. It is `None` for standard output, and for
    /// an object in a store.
    pub(crate) target: Option<PathBuf>,
}

impl Place {
    /// The place for `named`: a path, standard output (`-`), or an object in a store (a URL).
    pub(crate) fn of_file(named: &Path) -> io::Result<Self> {
        let target = if is_streamed(named) { None } else { Some(follow_links(named)?) };
        Ok(Self { named: named.to_owned(), target })
    }

    /// Fails if something exists at this place that must not be replaced or is not a regular file.
    pub(crate) fn check_file(&self, existing: Existing) -> io::Result<()> {
        match (&self.target, store::url_of(&self.named)?) {
            (Some(target), _) => check_target(&self.named, target, existing),
            (None, Some(url)) if existing == Existing::Refuse && store::exists(&url)? => {
                Err(io::ErrorKind::AlreadyExists.into())
            }
            _ => Ok(()),
        }
    }
}

fn check_target(named: &Path, target: &Path, existing: Existing) -> io::Result<()> {
    if existing == Existing::Refuse && named.symlink_metadata().is_ok() {
        return Err(io::ErrorKind::AlreadyExists.into());
    }
    match target.symlink_metadata() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
        Ok(_) if existing == Existing::Refuse => Err(io::ErrorKind::AlreadyExists.into()),
        Ok(found) if found.is_file() => Ok(()),
        Ok(found) => Err(not_replaced(kind_name(found.file_type()))),
    }
}

/// Fails if something exists at `path` that must not be replaced or is not a regular file.
///
/// # Errors
///
/// Fails with [`io::ErrorKind::AlreadyExists`] if `path` exists and must not be replaced, with
/// [`io::ErrorKind::InvalidInput`] if it is not a regular file, and with any other system error.
pub fn check_file(path: &Path, existing: Existing) -> io::Result<()> {
    Place::of_file(path)?.check_file(existing)
}

/// Like [`check_file`], but for an output that may be a folder. With [`Existing::Replace`], any folder is
/// accepted, because the code that replaces a folder makes further checks.
///
/// # Errors
///
/// Fails with the same errors as [`check_file`].
pub fn check_file_or_folder(path: &Path, existing: Existing) -> io::Result<()> {
    let is_replaced = existing == Existing::Replace && is_folder(&follow_links(path)?)?;
    if is_replaced { Ok(()) } else { check_file(path, existing) }
}

/// Like [`check_file`], but for an output that is a folder; a URL is an error.
///
/// # Errors
///
/// Fails if `path` is a URL, and with the same errors as [`check_file`].
pub fn check_folder(path: &Path, existing: Existing) -> io::Result<()> {
    refuse_url(path)?;
    check_file_or_folder(path, existing)
}

/// Refuses a URL where a folder is to be written.
pub(crate) fn refuse_url(path: &Path) -> io::Result<()> {
    if store::url_of(path)?.is_none() {
        return Ok(());
    }
    let why =
        "only single files, and tables of `tabia cluster`, can be written to a store: name a folder on disk";
    Err(io::Error::new(io::ErrorKind::InvalidInput, why))
}

/// Makes a folder and its missing parents. A folder that exists is not an error. It is also not an error if
/// something else is at `path`, such as a dangling link: a later write will fail with a clearer error.
///
/// # Errors
///
/// The system's error.
pub fn make_folder(path: &Path) -> io::Result<()> {
    match fs::create_dir_all(path) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
        made => made,
    }
}

fn not_replaced(what: &str) -> io::Error {
    let text = format!("this is {what}, but only a regular file can be replaced: choose another output");
    io::Error::new(io::ErrorKind::InvalidInput, text)
}

fn kind_name(kind: fs::FileType) -> &'static str {
    if kind.is_dir() {
        "a folder"
    } else if kind.is_fifo() {
        "a FIFO"
    } else if kind.is_socket() {
        "a socket"
    } else {
        "a device"
    }
}

/// The path to which symbolic links at `path` lead, even if it does not exist yet.
pub(crate) fn follow_links(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..LINKS_MAX {
        match fs::read_link(&path) {
            Ok(link) => path = folder_of(&path).join(link),
            // Either `path` is not a link, or it cannot be read, in which case opening it later gives a
            // clearer error.
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::new(io::ErrorKind::InvalidInput, "its symbolic links lead in a circle"))
}

/// The metadata of the file, folder or link at `path`, without following a link; `None` if `path` does not
/// exist.
fn found(path: &Path) -> io::Result<Option<fs::Metadata>> {
    match path.symlink_metadata() {
        Ok(found) => Ok(Some(found)),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Ok(None),
        Err(error) => Err(error),
    }
}

/// The inode number of a file or folder; `None` if it does not exist.
pub(crate) fn inode(path: &Path) -> io::Result<Option<u64>> {
    Ok(found(path)?.map(|found| found.ino()))
}

/// Whether anything is at `path`, even a dangling link.
pub(crate) fn exists(path: &Path) -> io::Result<bool> {
    Ok(found(path)?.is_some())
}

/// Whether `path` is a folder, and not a link to one.
pub(crate) fn is_folder(path: &Path) -> io::Result<bool> {
    Ok(found(path)?.is_some_and(|found| found.is_dir()))
}

/// The permissions of the file or folder that an output replaces; `None` if it replaces nothing.
pub(crate) fn mode(path: &Path) -> io::Result<Option<u32>> {
    Ok(found(path)?.map(|found| found.mode() & 0o777))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use tempfile::tempdir;

    use super::*;

    #[test]
    fn a_name_that_cannot_be_looked_at_is_not_taken_for_free() {
        let dir = tempdir().unwrap();
        let long = dir.path().join("x".repeat(300));
        for existing in [Existing::Refuse, Existing::Replace] {
            assert_eq!(check_file(&long, existing).unwrap_err().kind(), ErrorKind::InvalidFilename);
        }
        assert_eq!(exists(&long).unwrap_err().kind(), ErrorKind::InvalidFilename);
    }

    #[test]
    fn a_folder_that_cannot_be_looked_at_is_taken_for_one_that_is_there() {
        let dir = tempdir().unwrap();
        make_folder(&dir.path().join("a/b")).unwrap();
        let link = dir.path().join("link");
        symlink(dir.path().join("nowhere"), &link).unwrap();
        make_folder(&link).unwrap();
    }

    #[test]
    fn a_folder_passes_only_where_it_may_be_replaced() {
        let dir = tempdir().unwrap();
        check_file_or_folder(dir.path(), Existing::Replace).unwrap();
        let refused = |path: &Path, existing| check_file_or_folder(path, existing).unwrap_err().kind();
        assert_eq!(refused(dir.path(), Existing::Refuse), ErrorKind::AlreadyExists);
        assert_eq!(refused(Path::new("/dev/null"), Existing::Replace), ErrorKind::InvalidInput);
        check_file_or_folder(&dir.path().join("new"), Existing::Refuse).unwrap();
    }

    #[test]
    fn a_marker_that_cannot_be_opened_is_not_taken_for_none() {
        let (dir, marker) =
            (tempdir().unwrap(), Marker { name: "kind.json", old_name: None, format: "a kind" });
        assert!(!marker.is_in(dir.path()).unwrap());
        let path = dir.path().join(marker.name);
        fs::write(&path, "of a kind").unwrap();
        assert!(marker.is_in(dir.path()).unwrap());
        assert!(!marker.is_in(&path).unwrap(), "a file has no marker");
        fs::remove_file(&path).unwrap();
        symlink(marker.name, &path).unwrap();
        assert!(marker.is_in(dir.path()).is_err(), "a link that leads to itself");
    }
}
