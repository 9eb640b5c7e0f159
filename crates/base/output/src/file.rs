//! A file that appears whole or not at all.

use std::{fs::File, io, path::Path};

use crate::{
    Existing, Prepared,
    background_sync::BackgroundSync,
    disk, folder_of,
    place::{Place, mode},
    recover::{recover_target, sweep},
    temporary::{OutputKind, Temporary},
};

/// How many bytes are written before a sync is requested.
const SYNC_BYTES: u64 = 4 << 20;

/// An output file that has a temporary name in the same folder until it is finished. If this value is dropped
/// earlier, the file is removed. A file for standard output or for a store is in the system's folder for
/// temporary files until it is finished.
#[derive(Debug)]
pub struct OutputFile {
    place: Place,
    existing: Existing,
    temporary: Temporary,
    /// The permissions of the file that this one replaces.
    mode: Option<u32>,
    /// The number of bytes reported by [`wrote`](Self::wrote) since the last request to sync.
    unsynced_bytes: u64,
    sync: Option<BackgroundSync>,
}

impl OutputFile {
    /// Creates a temporary file whose final path will be `path`. If `path` is `-`, the file will be copied to
    /// standard output. Symbolic links at `path` are followed and kept. Files that killed runs have left in
    /// the folder are finished or removed first.
    ///
    /// # Errors
    ///
    /// Fails with [`io::ErrorKind::AlreadyExists`] if `path` exists and must not be replaced, with
    /// [`io::ErrorKind::InvalidInput`] if it is not a regular file, and with any other system error.
    pub fn create(path: &Path, existing: Existing) -> io::Result<Self> {
        let place = Place::of_file(path)?;
        let folder = match &place.target {
            None => std::env::temp_dir(),
            Some(target) => {
                recover_target(target)?;
                sweep(folder_of(target));
                folder_of(target).to_owned()
            }
        };
        place.check_file(existing)?;
        let mode = place.target.as_deref().map_or(Ok(None), mode)?;
        let temporary = Temporary::create(OutputKind::File, &folder)?;
        // Until the file is complete, its owner must be able to write to it. It must not be readable by
        // anyone who could not read the old file.
        mode.map_or(Ok(()), |mode| temporary.set_mode(mode | 0o600))?;
        Ok(Self { place, existing, temporary, mode, unsynced_bytes: 0, sync: None })
    }

    /// The file's final path, as the caller gave it.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.place.named
    }

    /// Whether an existing file at that path is replaced.
    pub fn existing(&self) -> Existing {
        self.existing
    }

    /// The temporary name of the file.
    #[must_use]
    pub fn temp_path(&self) -> &Path {
        &self.temporary.path
    }

    /// The file to write to.
    pub fn file(&mut self) -> &mut File {
        &mut self.temporary.handle
    }

    /// Reports that the caller has written this many more bytes. Every few megabytes, this starts a sync in
    /// the background, so that [`prepare`](Self::prepare) has less to wait for. If the caller never reports
    /// anything, `prepare` has to wait for the whole file.
    ///
    /// # Errors
    ///
    /// Fails if no thread can be started for the sync.
    pub fn wrote(&mut self, bytes: u64) -> io::Result<()> {
        self.unsynced_bytes += bytes;
        if self.unsynced_bytes < SYNC_BYTES {
            return Ok(());
        }
        self.unsynced_bytes = 0;
        let sync = match self.sync.take() {
            Some(sync) => sync,
            None => BackgroundSync::start(&self.temporary.handle)?,
        };
        self.sync.insert(sync).request();
        Ok(())
    }

    /// Waits until the whole file has been synced to disk.
    ///
    /// # Errors
    ///
    /// Fails with any system error.
    pub fn prepare(self) -> io::Result<Prepared> {
        let Self { place, existing, temporary, mode, unsynced_bytes: _, sync } = self;
        sync.map_or(Ok(()), BackgroundSync::finish)?;
        mode.map_or(Ok(()), |mode| temporary.set_mode(mode))?;
        disk::sync_file(&temporary.handle)?;
        Ok(Prepared { place, existing, marker: None, temporary })
    }

    /// Waits until the file has been synced to disk, and then publishes it.
    ///
    /// # Errors
    ///
    /// Fails with [`io::ErrorKind::AlreadyExists`] if the path now exists and must not be replaced, or with
    /// any other system error.
    pub fn finish(self) -> io::Result<()> {
        Ok(self.prepare()?.publish()?)
    }
}

/// Writes a file that contains `text` and is ready to be published.
///
/// # Errors
///
/// Fails with the same errors as [`OutputFile::create`] and [`OutputFile::prepare`].
pub fn prepare_text(path: &Path, text: &str, existing: Existing) -> io::Result<Prepared> {
    let mut output = OutputFile::create(path, existing)?;
    disk::write(output.file(), text.as_bytes())?;
    output.prepare()
}

/// Writes a file that contains `text`, and publishes it.
///
/// # Errors
///
/// Fails with the same errors as [`OutputFile::create`] and [`OutputFile::finish`].
pub fn write_text(path: &Path, text: &str, existing: Existing) -> io::Result<()> {
    Ok(prepare_text(path, text, existing)?.publish()?)
}

#[cfg(test)]
mod tests {
    use std::{fs::Permissions, io::Write, os::unix::fs::PermissionsExt as _};

    use super::*;

    #[test]
    fn a_file_that_is_replaced_keeps_its_permissions() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("private");
        write_text(&path, "old", Existing::Refuse).unwrap();
        for mode in [0o600, 0o640, 0o400] {
            std::fs::set_permissions(&path, Permissions::from_mode(mode)).unwrap();
            let mut output = OutputFile::create(&path, Existing::Replace).unwrap();
            let mode_of = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
            assert_eq!(mode_of(output.temp_path()), mode | 0o200, "no one else may read what is written");
            output.file().write_all(b"new").unwrap();
            output.finish().unwrap();
            assert_eq!((mode_of(&path), std::fs::read(&path).unwrap()), (mode, b"new".to_vec()));
        }
    }

    #[test]
    fn what_is_synced_while_it_is_written_is_whole() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("large");
        let mut output = OutputFile::create(&path, Existing::Refuse).unwrap();
        let part = vec![7; SYNC_BYTES as usize / 3];
        for _ in 0..10 {
            output.file().write_all(&part).unwrap();
            output.wrote(part.len() as u64).unwrap();
        }
        assert!(output.sync.is_some());
        output.finish().unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), part.repeat(10));
    }
}
