//! A folder that appears whole or not at all, even if it replaces an older folder.

use std::{
    fs::{self, File},
    io,
    path::{Path, PathBuf},
};

use crate::{
    Error, Existing, Marker, Prepared, disk, folder_of, is_stdout,
    lock::again_if_interrupted,
    place::{Place, follow_links, is_folder, mode, refuse_url},
    recover::{recover_target, sweep},
    temporary::{OutputKind, Temporary},
};

type Result<T, E = Error> = std::result::Result<T, E>;

/// An output folder that has a temporary name in the same parent until it is finished. If this value is
/// dropped earlier, the folder is removed.
#[derive(Debug)]
pub struct OutputFolder {
    /// The path as the caller gave it.
    named: PathBuf,
    /// The path that is written to, with symbolic links followed.
    target: PathBuf,
    temporary: Temporary,
    marker: Marker,
    existing: Existing,
    /// The permissions of the folder that this one replaces.
    mode: Option<u32>,
}

impl OutputFolder {
    /// Creates a temporary folder whose final path will be `path`. [`prepare`](Self::prepare) will write the
    /// file `marker` to it. Symbolic links at `path` are followed and kept. First, folders that killed runs
    /// have left next to `path` are finished or removed.
    ///
    /// # Errors
    ///
    /// Fails if `path` exists and must not be replaced, or if no folder can be made in its parent.
    pub fn create(path: &Path, marker: Marker, existing: Existing) -> Result<Self> {
        let named = path.to_owned();
        if path.file_name().is_none() || is_stdout(path) {
            return Err(Error::NoName(named));
        }
        refuse_url(path).map_err(Error::io(path))?;
        let target = follow_links(path).map_err(Error::io(path))?;
        recover_target(&target).map_err(Error::io(path))?;
        sweep(folder_of(&target));
        check(&target, marker, existing)?;
        if existing == Existing::Refuse && path.symlink_metadata().is_ok() {
            return Err(Error::Exists(named));
        }
        let mode = mode(&target).map_err(Error::io(path))?;
        let temporary = Temporary::create(OutputKind::Folder, folder_of(&target)).map_err(Error::io(path))?;
        // Until the folder is complete, its owner must be able to write to it.
        mode.map_or(Ok(()), |mode| temporary.set_mode(mode | 0o700)).map_err(Error::io(path))?;
        Ok(Self { named, target, temporary, marker, existing, mode })
    }

    /// The folder's final path, as the caller gave it.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.named
    }

    /// The folder to write into. The caller must sync the files that it writes there;
    /// [`prepare`](Self::prepare) syncs the folders.
    #[must_use]
    pub fn dir(&self) -> &Path {
        &self.temporary.path
    }

    /// Writes the marker, and waits until the marker and all folders have been synced to disk.
    ///
    /// # Errors
    ///
    /// Fails if the marker cannot be written, or if a folder cannot be read or synced.
    pub fn prepare(self, marker_bytes: &[u8]) -> Result<Prepared> {
        write_synced(&self.dir().join(self.marker.name), marker_bytes)?;
        self.mode.map_or(Ok(()), |mode| self.temporary.set_mode(mode)).map_err(Error::io(&self.named))?;
        sync_tree(self.dir())?;
        let place = Place { named: self.named, target: Some(self.target) };
        Ok(Prepared { place, existing: self.existing, marker: Some(self.marker), temporary: self.temporary })
    }

    /// Writes the marker, waits until the marker and all folders have been synced to disk, and publishes the
    /// folder.
    ///
    /// # Errors
    ///
    /// Fails if a file cannot be written or renamed, or if `path` now exists and must not be replaced.
    pub fn finish(self, marker_bytes: &[u8]) -> Result<()> {
        self.prepare(marker_bytes)?.publish().map_err(|error| error.source)
    }
}

/// Fails if a folder with this marker must not be written to `path`.
pub(crate) fn check(path: &Path, marker: Marker, existing: Existing) -> Result<()> {
    let path_owned = || path.to_owned();
    if path.file_name().is_none() {
        return Err(Error::NoName(path_owned()));
    }
    match path.symlink_metadata() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(source) => Err(Error::Io { path: path_owned(), source }),
        Ok(_) if existing == Existing::Refuse => Err(Error::Exists(path_owned())),
        Ok(_) if marker.is_in(path).map_err(Error::io(&path.join(marker.name)))? => Ok(()),
        Ok(_) => Err(Error::NoMarker { path: path_owned(), marker: marker.name }),
    }
}

fn write_synced(path: &Path, bytes: &[u8]) -> Result<()> {
    let write = || {
        let file = File::create_new(path)?;
        disk::write(&file, bytes)?;
        disk::sync_file(&file)
    };
    write().map_err(Error::io(path))
}

/// Waits until the entries of a folder and of all folders below it have been synced to disk.
fn sync_tree(dir: &Path) -> Result<()> {
    for entry in again_if_interrupted(|| fs::read_dir(dir)).map_err(Error::io(dir))? {
        let path = entry.map_err(Error::io(dir))?.path();
        if is_folder(&path).map_err(Error::io(&path))? {
            sync_tree(&path)?;
        }
    }
    disk::sync_folder(dir).map_err(Error::io(dir))
}

#[cfg(test)]
mod tests {
    use std::{fs::Permissions, os::unix::fs::PermissionsExt as _};

    use tempfile::tempdir;

    use super::*;
    use crate::{
        recover,
        testing::{names, without_exchange},
    };

    const MARKER: Marker = Marker { name: "kind.json", old_name: None, format: "a kind" };

    /// How two folders are exchanged.
    #[derive(Clone, Copy)]
    enum Exchange {
        Kernel,
        Renames,
    }

    /// Writes a folder that contains a subfolder with one file, and a marker with `text`.
    fn write(path: &Path, existing: Existing, exchange: Exchange, text: &str) -> Result<()> {
        let folder = OutputFolder::create(path, MARKER, existing)?;
        fs::create_dir(folder.dir().join("below")).unwrap();
        fs::write(folder.dir().join("below").join(text), text).unwrap();
        let finish = || folder.finish(format!("{} {text}", MARKER.format).as_bytes());
        match exchange {
            Exchange::Kernel => finish(),
            Exchange::Renames => without_exchange(finish),
        }
    }

    fn read(path: &Path) -> String {
        let text = fs::read_to_string(path.join(MARKER.name)).unwrap();
        text.strip_prefix(MARKER.format).unwrap().trim_start().to_owned()
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
    fn a_folder_that_is_replaced_keeps_its_permissions() {
        for exchange in [Exchange::Kernel, Exchange::Renames] {
            let dir = tempdir().unwrap();
            let path = dir.path().join("f");
            write(&path, Existing::Refuse, exchange, "one").unwrap();
            fs::set_permissions(&path, Permissions::from_mode(0o700)).unwrap();
            write(&path, Existing::Replace, exchange, "two").unwrap();
            assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o700);
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
        assert_eq!(names(dir.path()), ["f"], "nothing is left beside it");
        fs::rename(&path, dir.path().join("elsewhere")).unwrap();
        write(&previous, Existing::Refuse, Exchange::Kernel, "old").unwrap();
        recover(&path).unwrap();
        assert_eq!(read(&path), "old", "undone");
        // Files left over from an interruption just before the swap must not disturb the next run.
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
        assert!(matches!(refused, Err(Error::Exists { .. })));
        assert_eq!(read(&path), "old");
    }

    #[test]
    fn only_a_folder_with_the_marker_is_replaced_and_only_when_asked() {
        let dir = tempdir().unwrap();
        let create =
            |name: &str, existing| OutputFolder::create(&dir.path().join(name), MARKER, existing).err();
        write(&dir.path().join("f"), Existing::Refuse, Exchange::Kernel, "one").unwrap();
        assert!(matches!(create("f", Existing::Refuse), Some(Error::Exists { .. })));
        fs::create_dir(dir.path().join("home")).unwrap();
        fs::create_dir(dir.path().join("foreign")).unwrap();
        fs::write(dir.path().join("foreign").join(MARKER.name), "another program's").unwrap();
        assert!(matches!(create("foreign", Existing::Replace), Some(Error::NoMarker { .. })));
        assert!(matches!(create("home", Existing::Replace), Some(Error::NoMarker { .. })));
        fs::write(dir.path().join("file"), "text").unwrap();
        // A file is not a folder, so it contains no marker.
        assert!(matches!(create("file", Existing::Replace), Some(Error::NoMarker { .. })));
        assert!(matches!(create("no/such/place", Existing::Refuse), Some(Error::Io { .. })));
        assert!(matches!(create("..", Existing::Replace), Some(Error::NoName { .. })));
    }

    #[test]
    fn a_folder_that_comes_to_exist_is_not_overwritten_and_a_dropped_one_leaves_nothing() {
        let dir = tempdir().unwrap();
        let path = dir.path().join("f");
        let folder = OutputFolder::create(&path, MARKER, Existing::Refuse).unwrap();
        fs::create_dir(&path).unwrap();
        assert!(matches!(folder.finish(b""), Err(Error::Exists { .. })));
        assert_eq!(names(dir.path()), ["f"]);
        drop(OutputFolder::create(&dir.path().join("g"), MARKER, Existing::Refuse).unwrap());
        assert_eq!(names(dir.path()), ["f"]);
    }
}
