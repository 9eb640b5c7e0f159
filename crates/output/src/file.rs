//! A file that appears whole or not at all.

use std::{
    fs::{File, Permissions},
    io,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

use tempfile::NamedTempFile;

use crate::{Existing, background_sync::BackgroundSync, disk, folder_of};

/// Bytes written before they begin to be put on disk.
const SYNC_BYTES: u64 = 4 << 20;

/// A file under another name in the same folder until it is finished; dropped before that, it is gone.
#[derive(Debug)]
pub struct OutputFile {
    path: PathBuf,
    existing: Existing,
    temp: NamedTempFile,
    /// Bytes reported by [`wrote`](Self::wrote) since the last request to sync.
    unsynced_bytes: u64,
    sync: Option<BackgroundSync>,
}

impl OutputFile {
    /// Begins a file that will appear at `path`.
    ///
    /// # Errors
    ///
    /// [`io::ErrorKind::AlreadyExists`] if something is there and must not be replaced; else
    /// any error of the system.
    pub fn create(path: &Path, existing: Existing) -> io::Result<Self> {
        if existing == Existing::Refuse && path.symlink_metadata().is_ok() {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        let temp = tempfile::Builder::new()
            .prefix(".tabia-")
            .suffix(".partial")
            .permissions(Permissions::from_mode(0o666)) // less the process's mask
            .tempfile_in(folder_of(path))?;
        Ok(Self { path: path.to_owned(), existing, temp, unsynced_bytes: 0, sync: None })
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

    /// Reports that `bytes` were written. Every few megabytes they begin to be put on disk while more are
    /// written, so that [`finish`](Self::finish) waits for less; a caller that never reports
    /// waits for all of it then.
    ///
    /// # Errors
    ///
    /// If no thread can be started for it.
    pub fn wrote(&mut self, bytes: u64) -> io::Result<()> {
        self.unsynced_bytes += bytes;
        if self.unsynced_bytes < SYNC_BYTES {
            return Ok(());
        }
        self.unsynced_bytes = 0;
        let sync = match self.sync.take() {
            Some(sync) => sync,
            None => BackgroundSync::start(self.temp.as_file())?,
        };
        self.sync.insert(sync).request();
        Ok(())
    }

    /// Lets the file appear, when it is safe on disk.
    ///
    /// # Errors
    ///
    /// [`io::ErrorKind::AlreadyExists`] if the file has come to exist meanwhile and must not be replaced;
    /// else any error of the system.
    pub fn finish(self) -> io::Result<()> {
        let Self { path, existing, temp, unsynced_bytes: _, sync } = self;
        sync.map_or(Ok(()), BackgroundSync::finish)?;
        disk::sync_file(temp.as_file())?;
        let temp = temp.into_temp_path();
        match existing {
            Existing::Refuse => disk::rename_to_free(&temp, &path)?,
            Existing::Replace => disk::rename(&temp, &path)?,
        }
        temp.keep().map_err(|error| error.error)?;
        disk::sync_folder(folder_of(&path))
    }
}

/// Writes a file that holds `text`.
///
/// # Errors
///
/// As [`OutputFile::create`] and [`OutputFile::finish`].
pub fn write_text(path: &Path, text: &str, existing: Existing) -> io::Result<()> {
    let mut output = OutputFile::create(path, existing)?;
    disk::write(output.file(), text.as_bytes())?;
    output.finish()
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
