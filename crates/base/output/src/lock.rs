//! Lets one process at a time write an output.
//!
//! # Format
//!
//! The lock of an output `games.table` is the empty file `.games.table.tabia-lock` next to it, locked with
//! `flock`. The kernel releases the lock no matter how its process ends, so only the file can be left behind,
//! never the lock. A writer that is done removes the file.

use std::{
    ffi::OsString,
    fs::{self, File, Metadata, TryLockError},
    io,
    os::unix::{
        ffi::OsStrExt as _,
        fs::{MetadataExt, OpenOptionsExt},
    },
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering::Relaxed},
    thread,
    time::{Duration, Instant},
};

use crate::folder_of;

/// The suffix of a lock file's name.
const SUFFIX: &str = ".tabia-lock";
/// The time that a writer waits before it reports that it is waiting.
const SILENT_FOR: Duration = Duration::from_secs(1);
/// The pause between two attempts to lock.
const PAUSE: Duration = Duration::from_millis(20);

/// Why an output could not be locked.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// Another writer has the lock, and this writer does not wait.
    #[error("{path}: another command is writing to it", path = .0.display())]
    Taken(PathBuf),
    /// The lock file cannot be made or locked.
    #[error("{output} cannot be locked: {source}")]
    Io {
        /// The output.
        output: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// The caller asked to stop during the wait.
    #[error("stopped")]
    Stopped,
}

fault::kinds!(LockError { Locked: Taken, Stopped: Stopped });

impl LockError {
    fn io(output: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Io { output: output.to_owned(), source }
    }
}

/// What a writer does while another writer has the lock.
#[derive(Clone, Copy, Debug, Default)]
pub enum Waiting {
    /// The writer fails.
    #[default]
    Refuse,
    /// The writer waits. If the wait takes longer than a second, the writer calls this function with the path
    /// of the output, but only once.
    Report(fn(&Path)),
}

/// A lock on an output that other processes may also write. It is held until the value is dropped.
///
/// A writer that builds the new output from the old one must take the lock before it reads. Otherwise,
/// another writer could replace the old output after it has been read, and the other writer's changes would
/// be lost.
#[derive(Debug)]
pub struct OutputLock {
    path: PathBuf,
    file: File,
}

impl OutputLock {
    /// Locks `output`, which need not exist. A symbolic link shares the lock of its target.
    ///
    /// # Errors
    ///
    /// Fails with [`LockError::Taken`] if another writer has the lock and `waiting` is [`Waiting::Refuse`],
    /// with [`LockError::Stopped`] if `stop` is set during the wait, and with any other system error.
    pub fn take(output: &Path, waiting: Waiting, stop: &AtomicBool) -> Result<Self, LockError> {
        let path = lock_path(output).map_err(LockError::io(output))?;
        let (start, mut reported) = (Instant::now(), false);
        loop {
            if let Some(lock) = Self::try_take(&path).map_err(LockError::io(output))? {
                return Ok(lock);
            }
            let Waiting::Report(report) = waiting else {
                return Err(LockError::Taken(output.to_owned()));
            };
            if stop.load(Relaxed) {
                return Err(LockError::Stopped);
            }
            if !reported && start.elapsed() >= SILENT_FOR {
                reported = true;
                report(output);
            }
            thread::sleep(PAUSE);
        }
    }

    /// Locks several outputs. An output that is listed twice is locked only once.
    ///
    /// # Errors
    ///
    /// Fails with the same errors as [`take`](Self::take).
    pub fn take_all(
        outputs: &[PathBuf],
        waiting: Waiting,
        stop: &AtomicBool,
    ) -> Result<Vec<Self>, LockError> {
        let placed =
            |output: &PathBuf| Ok((lock_path(output).map_err(LockError::io(output))?, output.clone()));
        // Every writer takes its locks in the order of the paths, so no two writers wait for each other.
        let mut placed = outputs.iter().map(placed).collect::<Result<Vec<_>, _>>()?;
        placed.sort();
        placed.dedup_by(|a, b| a.0 == b.0);
        placed.iter().map(|(_, output)| Self::take(output, waiting, stop)).collect()
    }

    /// Takes the lock if no one else has it.
    fn try_take(path: &Path) -> io::Result<Option<Self>> {
        loop {
            let file = open(path)?;
            match try_lock(&file) {
                Err(TryLockError::WouldBlock) => return Ok(None),
                Err(TryLockError::Error(error)) => return Err(error),
                Ok(()) => {}
            }
            // An earlier writer may have removed the lock file after it was opened here. A lock on a removed
            // file does not stop other writers, so the file that has this name now must be locked instead.
            if is_at(&file.metadata()?, path)? {
                return Ok(Some(Self { path: path.to_owned(), file }));
            }
        }
    }
}

impl Drop for OutputLock {
    fn drop(&mut self) {
        // The lock is still held, so no other writer relies on the file yet. If the file cannot be removed,
        // the next writer will lock it.
        if self.file.metadata().and_then(|ours| is_at(&ours, &self.path)).unwrap_or(false) {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Removes the lock files that killed writers have left in `folder`. A file that cannot be removed is left in
/// place.
pub(crate) fn sweep(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let is_ours = name.as_bytes().starts_with(b".") && name.as_bytes().ends_with(SUFFIX.as_bytes());
        if is_ours && entry.file_type().is_ok_and(|kind| kind.is_file()) {
            // A lock that can be taken is dropped at once, which removes its file.
            drop(OutputLock::try_take(&entry.path()));
        }
    }
}

/// Opens the lock file. A lock file left behind by another user's killed command may be read-only, but
/// reading it is enough to lock it.
fn open(path: &Path) -> io::Result<File> {
    let made = File::options().read(true).write(true).create(true).truncate(false).mode(0o666).open(path);
    match made {
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => File::open(path).map_err(|_| error),
        made => made,
    }
}

fn is_at(file: &Metadata, path: &Path) -> io::Result<bool> {
    match path.metadata() {
        Ok(there) => Ok((there.dev(), there.ino()) == (file.dev(), file.ino())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// Locks a file if no one else has locked it. If a signal interrupts the call, it is repeated.
///
/// # Errors
///
/// Fails with the same errors as [`File::try_lock`].
pub fn try_lock(file: &File) -> Result<(), TryLockError> {
    #[cfg(test)]
    if crate::testing::locks_are_missing() {
        return Err(TryLockError::Error(io::ErrorKind::Unsupported.into()));
    }
    let attempt = || match file.try_lock() {
        Err(TryLockError::Error(error)) => Err(error),
        locked => Ok(locked),
    };
    again_if_interrupted(attempt).map_err(TryLockError::Error)?
}

/// Repeats an operation until no signal interrupts it.
pub(crate) fn again_if_interrupted<T>(mut attempt: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    loop {
        match attempt() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            done => return done,
        }
    }
}

/// The path of an output's lock file. It is the same for all paths that lead to the output.
fn lock_path(output: &Path) -> io::Result<PathBuf> {
    let no_name = || io::Error::new(io::ErrorKind::InvalidInput, "the path names no file");
    let resolved = match output.canonicalize() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            folder_of(output).canonicalize()?.join(output.file_name().ok_or_else(no_name)?)
        }
        resolved => resolved?,
    };
    let mut name = OsString::from(".");
    name.push(resolved.file_name().ok_or_else(no_name)?);
    name.push(SUFFIX);
    Ok(resolved.with_file_name(name))
}

#[cfg(test)]
mod tests {
    use std::{fs, os::unix::fs::symlink, sync::atomic::AtomicU32};

    use tempfile::tempdir;

    use super::*;

    static NEVER: AtomicBool = AtomicBool::new(false);

    fn refused(output: &Path) -> bool {
        match OutputLock::take(output, Waiting::Refuse, &NEVER) {
            Ok(_) => false,
            Err(LockError::Taken(named)) => named == output,
            Err(error) => panic!("{error}"),
        }
    }

    #[test]
    fn an_output_is_locked_once_and_by_all_its_names() {
        let dir = tempdir().unwrap();
        let (output, link) = (dir.path().join("t"), dir.path().join("link"));
        let lock = OutputLock::take(&output, Waiting::Refuse, &NEVER).unwrap();
        assert!(refused(&output) && refused(&dir.path().join(".").join("t")));
        assert!(!refused(&dir.path().join("u")), "another output");
        fs::create_dir(&output).unwrap();
        symlink(&output, &link).unwrap();
        assert!(refused(&output) && refused(&link), "also when it exists");
        drop(lock);
        assert!(!refused(&output));
        let names: Vec<_> =
            fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(names.len(), 2, "no lock file is left: {names:?}");
    }

    #[test]
    fn the_file_that_a_killed_writer_left_locks_no_one_out() {
        let dir = tempdir().unwrap();
        let output = dir.path().join("t");
        fs::write(lock_path(&output).unwrap(), "").unwrap();
        let lock = OutputLock::take(&output, Waiting::Refuse, &NEVER).unwrap();
        assert!(refused(&output));
        drop(lock);
        assert!(!lock_path(&output).unwrap().exists());
    }

    #[test]
    fn a_lock_whose_file_was_removed_does_not_remove_the_next_one() {
        let dir = tempdir().unwrap();
        let output = dir.path().join("t");
        let first = OutputLock::take(&output, Waiting::Refuse, &NEVER).unwrap();
        fs::remove_file(lock_path(&output).unwrap()).unwrap();
        let _second = OutputLock::take(&output, Waiting::Refuse, &NEVER).unwrap();
        drop(first);
        assert!(refused(&output));
    }

    #[test]
    fn a_writer_that_waits_is_stopped_or_has_its_turn() {
        static REPORTS: AtomicU32 = AtomicU32::new(0);
        fn report(_: &Path) {
            REPORTS.fetch_add(1, Relaxed);
        }
        let dir = tempdir().unwrap();
        let output = dir.path().join("t");
        let (stop, waiting) = (AtomicBool::new(true), Waiting::Report(report));
        let lock = OutputLock::take(&output, waiting, &stop).unwrap();
        assert!(matches!(OutputLock::take(&output, waiting, &stop), Err(LockError::Stopped)));
        assert_eq!(REPORTS.load(Relaxed), 0, "nothing is reported at once");
        thread::scope(|scope| {
            let second = scope.spawn(|| OutputLock::take(&output, waiting, &NEVER).map(drop));
            while REPORTS.load(Relaxed) == 0 {
                thread::sleep(PAUSE);
            }
            drop(lock);
            second.join().unwrap().unwrap();
        });
        assert_eq!(REPORTS.load(Relaxed), 1, "once");
    }

    /// Each of four writers reads a number and writes the next one. Without the lock, or with a lock on a
    /// removed file, numbers would be lost.
    #[test]
    fn writers_that_remove_the_lock_file_exclude_each_other() {
        let dir = tempdir().unwrap();
        let output = dir.path().join("number");
        fs::write(&output, "0").unwrap();
        let add_fifty = || {
            for _ in 0..50 {
                let _lock = OutputLock::take(&output, Waiting::Report(|_| ()), &NEVER).unwrap();
                let number: u32 = fs::read_to_string(&output).unwrap().parse().unwrap();
                thread::yield_now();
                fs::write(&output, (number + 1).to_string()).unwrap();
            }
        };
        thread::scope(|scope| (0..4).for_each(|_| drop(scope.spawn(add_fifty))));
        assert_eq!(fs::read_to_string(&output).unwrap(), "200");
    }

    #[test]
    fn several_outputs_are_locked_each_once() {
        let dir = tempdir().unwrap();
        let [a, b] = ["a", "b"].map(|name| dir.path().join(name));
        let outputs = [b.clone(), a.clone(), b.clone()];
        let locks = OutputLock::take_all(&outputs, Waiting::Refuse, &NEVER).unwrap();
        assert_eq!(locks.len(), 2);
        assert!(refused(&a) && refused(&b));
        let missing = OutputLock::take_all(&[dir.path().join("no/t")], Waiting::Refuse, &NEVER);
        assert!(matches!(missing, Err(LockError::Io { .. })));
    }

    #[test]
    fn what_leads_in_a_circle_has_no_lock() {
        let dir = tempdir().unwrap();
        let circle = dir.path().join("circle");
        symlink("circle", &circle).unwrap();
        let taken = OutputLock::take(&circle, Waiting::Refuse, &NEVER);
        assert!(matches!(taken, Err(LockError::Io { .. })), "{taken:?}");
    }
}
