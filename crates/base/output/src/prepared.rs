//! Gives all outputs of a command their final names, once they are complete on disk under temporary names.
//!
//! # Flow
//!
//! A single output needs only one rename. If it is a folder that replaces an older one, the two folders are
//! swapped atomically. Several outputs, or a folder that cannot be swapped atomically, are published in these
//! steps:
//!
//! 1. The final path of every output is checked once more.
//! 2. An [`Intent`] is written next to each output. The intent of the first output, called the decision, is
//!    written last. Once the decision exists, any process that finds an intent of the command completes the
//!    command ([`recover`](crate::recover())).
//! 3. The outputs are renamed one after another, and their folders are synced.
//! 4. The intents are removed, and then the older folders.
//!
//! During these steps, the intents are locked, so that no other process completes the command at the same
//! time.

use std::{
    collections::BTreeSet,
    fs::File,
    io,
    path::{Path, PathBuf},
};

use crate::{
    Error, Existing, disk, folder_of,
    intent::{Intent, Replacement},
    place::{Marker, Place, inode},
    recover::{State, notice, settle},
    replace::{ReplaceOutcome, replace},
    temporary::{OutputKind, Temporary},
};
use fault::{Failure, Kind};

/// An output that is complete on disk under a temporary name. If this value is dropped before it is
/// published, the output is removed.
#[derive(Debug)]
#[must_use]
pub struct Prepared {
    pub(crate) place: Place,
    pub(crate) existing: Existing,
    /// The marker, if the output is a folder.
    pub(crate) marker: Option<Marker>,
    pub(crate) temporary: Temporary,
}

impl Prepared {
    /// The output's final path, as the caller gave it.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.place.named
    }

    /// Where the output can be read until it gets its final name.
    #[must_use]
    pub fn temporary_path(&self) -> &Path {
        &self.temporary.path
    }

    /// Gives the output its final name.
    ///
    /// # Errors
    ///
    /// Fails with the same errors as [`publish`].
    pub fn publish(self) -> Result<(), PublishError> {
        publish(vec![self])
    }

    /// Checks once more that the output may take its final name.
    fn check(&self) -> Result<(), Error> {
        match (self.marker, &self.place.target) {
            (Some(marker), Some(target)) => crate::folder::check(target, marker, self.existing),
            _ => self.place.check_file(self.existing).map_err(Error::of_file(self.path())),
        }
    }

    fn entry(&self, target: &Path) -> Result<Replacement, Error> {
        let folder = folder_of(target).canonicalize().map_err(Error::io(target))?;
        let (Some(temporary), Some(name)) = (self.temporary.path.file_name(), target.file_name()) else {
            return Err(Error::NoName(self.place.named.clone()));
        };
        let number = |path| inode(path).map(Option::unwrap_or_default).map_err(Error::io(target));
        Ok(Replacement {
            kind: self.temporary.kind,
            inode: number(&self.temporary.path)?,
            old_inode: number(target)?,
            folder_inode: number(&folder)?,
            folder,
            temporary: temporary.to_owned(),
            name: name.to_owned(),
        })
    }
}

/// Why some outputs of a command could not be published.
#[derive(Debug, thiserror::Error)]
#[error("{source}{consequence}", consequence = self.consequence())]
pub struct PublishError {
    /// The reason.
    pub source: Error,
    /// The paths, as the caller gave them, of the outputs that were published despite the error.
    pub replaced: Vec<PathBuf>,
    /// Whether an intent was left behind, so that another process will publish the other outputs later.
    pub is_unfinished: bool,
}

impl PublishError {
    fn before_all(source: Error) -> Self {
        Self { source, replaced: Vec::new(), is_unfinished: false }
    }

    fn consequence(&self) -> String {
        if self.replaced.is_empty() {
            return String::new();
        }
        let written: Vec<_> = self.replaced.iter().map(|path| path.display().to_string()).collect();
        let written = written.join(", ");
        let rest = if self.is_unfinished {
            "; the other outputs will be written when any output of the command is next opened or replaced"
        } else {
            ""
        };
        format!("; already written: {written}{rest}")
    }
}

impl Failure for PublishError {
    fn kind(&self) -> Kind {
        self.source.kind()
    }
}

impl From<PublishError> for io::Error {
    /// Keeps only the cause, if possible without the path, because a caller with a single output knows the
    /// path.
    fn from(error: PublishError) -> Self {
        match error.source {
            Error::Io { source, .. } => source,
            Error::Exists { .. } => io::ErrorKind::AlreadyExists.into(),
            other => io::Error::other(other),
        }
    }
}

/// Gives all files and folders their final names, or none of them. If the process is killed midway, or
/// if an output cannot be renamed after another has been renamed, an intent is left behind, and another
/// process finishes the work. Objects in stores and standard output are written last. If writing one of them
/// fails, the files and folders already have their final names.
///
/// # Errors
///
/// Fails with [`Error::Exists`] if one of the names now exists and must not be replaced, and with any other
/// system error. The error lists the outputs that were published.
pub fn publish(outputs: Vec<Prepared>) -> Result<(), PublishError> {
    let (named, streamed): (Vec<_>, Vec<_>) =
        outputs.into_iter().partition(|output| output.place.target.is_some());
    for output in &named {
        output.check().map_err(PublishError::before_all)?;
    }
    let replaced: Vec<_> = named.iter().map(|output| output.path().to_owned()).collect();
    if let [output] = &named[..] {
        publish_one(output).map_err(PublishError::before_all)?;
    } else if !named.is_empty() {
        publish_by_intent(named)?;
    }
    for output in streamed {
        let failed = |source| PublishError { source, replaced: replaced.clone(), is_unfinished: false };
        publish_streamed(&output).map_err(failed)?;
    }
    Ok(())
}

fn publish_streamed(output: &Prepared) -> Result<(), Error> {
    let from = &output.temporary.path;
    match store::url_of(output.path())? {
        Some(url) => Ok(store::put_file(from, &url)?),
        None => copy_to_stdout(from).map_err(Error::io(Path::new("standard output"))),
    }
}

fn copy_to_stdout(path: &Path) -> io::Result<()> {
    let mut out = io::stdout().lock();
    io::copy(&mut File::open(path)?, &mut out)?;
    io::Write::flush(&mut out)
}

/// Publishes a single output in one atomic step. If that is impossible, publishes it with the help of an
/// intent.
fn publish_one(output: &Prepared) -> Result<(), Error> {
    let Some(target) = &output.place.target else { return Ok(()) };
    let from = &output.temporary.path;
    let renamed = match (output.temporary.kind, output.existing) {
        (OutputKind::File, Existing::Replace) => disk::rename(from, target),
        _ => disk::rename_to_free(from, target),
    };
    match renamed {
        Err(error) if is_taken(&error) && output.existing == Existing::Replace => {
            output.check()?;
            match disk::exchange(from, target) {
                Err(error) if error.kind() == io::ErrorKind::Unsupported => {
                    let entries = vec![output.entry(target)?];
                    return rename_all(&[output], &Intent { entries }).map_err(|error| error.source);
                }
                exchanged => exchanged,
            }
        }
        renamed => renamed,
    }
    .map_err(Error::of_file(output.path()))?;
    disk::sync_folder(folder_of(target)).map_err(Error::io(output.path()))
}

/// Whether a rename failed because the new name exists.
fn is_taken(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::AlreadyExists | io::ErrorKind::DirectoryNotEmpty)
}

fn publish_by_intent(mut outputs: Vec<Prepared>) -> Result<(), PublishError> {
    // Every command locks its intents in the same order, so that no two commands wait for each other.
    outputs.sort_by(|one, other| one.place.target.cmp(&other.place.target));
    let entry = |output: &Prepared| output.place.target.as_deref().map(|target| output.entry(target));
    let entries: Result<Vec<_>, _> = outputs.iter().filter_map(entry).collect();
    let intent = Intent { entries: entries.map_err(PublishError::before_all)? };
    let done = rename_all(&outputs.iter().collect::<Vec<_>>(), &intent);
    if done.as_ref().is_err_and(|error| error.is_unfinished) {
        for output in &mut outputs {
            output.temporary.keep();
        }
    }
    done
}

/// Renames all outputs that an intent lists.
fn rename_all(outputs: &[&Prepared], intent: &Intent) -> Result<(), PublishError> {
    let first = outputs[0].path();
    let decision = Decision::write(intent).map_err(Error::io(first)).map_err(PublishError::before_all)?;
    let mut replaced = Vec::new();
    for (output, entry) in outputs.iter().zip(&intent.entries) {
        let source = match replace_living(output, entry) {
            Ok(ReplaceOutcome::Done) => {
                replaced.push(output.path().to_owned());
                continue;
            }
            Ok(ReplaceOutcome::Kept) => Error::Exists(output.path().to_owned()),
            Err(source) => Error::of_file(output.path())(source),
        };
        let is_unfinished = !replaced.is_empty();
        if !is_unfinished {
            decision.remove();
        }
        return Err(PublishError { source, replaced, is_unfinished });
    }
    sync_folders(&intent.entries).map_err(|source| PublishError {
        source: Error::Io { path: first.to_owned(), source },
        replaced,
        is_unfinished: false,
    })?;
    decision.remove();
    for entry in &intent.entries {
        // A folder that cannot be removed now is removed when the output is next opened.
        let _ = disk::remove_folder(&entry.previous());
    }
    Ok(())
}

/// Waits until the outputs' final names have been synced to disk.
pub(crate) fn sync_folders<'e>(entries: impl IntoIterator<Item = &'e Replacement>) -> io::Result<()> {
    let folders: BTreeSet<_> = entries.into_iter().map(|entry| &entry.folder).collect();
    folders.into_iter().try_for_each(|folder| disk::sync_folder(folder))
}

/// Gives an output its final name, even if another command has replaced the older output in the meantime: the
/// last writer wins.
fn replace_living(output: &Prepared, entry: &Replacement) -> io::Result<ReplaceOutcome> {
    match replace(entry)? {
        ReplaceOutcome::Kept if output.existing == Existing::Replace && output.check().is_ok() => {
            let old_inode = inode(&entry.to())?.unwrap_or_default();
            replace(&Replacement { old_inode, ..entry.clone() })
        }
        replaced => Ok(replaced),
    }
}

/// The locked intents of a command.
struct Decision {
    /// The paths and the locked files of the intents. The decision (the intent of the first output) is last.
    intents: Vec<(PathBuf, File)>,
}

impl Decision {
    fn write(intent: &Intent) -> io::Result<Self> {
        let (bytes, mut decision) = (intent.to_bytes(), Self { intents: Vec::new() });
        let (first, others) = intent.entries.split_at(1);
        for entries in [others, first] {
            let mut latest_first = entries.iter().rev();
            let written =
                latest_first.try_for_each(|entry| write_intent(entry, &bytes, &mut decision.intents));
            if let Err(error) = written.and_then(|()| sync_folders(entries)) {
                decision.remove();
                return Err(error);
            }
        }
        Ok(decision)
    }

    /// Removes the intents. This is called only if all renames have been made or if none of them will be
    /// made, so any process that finds one of the intents may remove it. Failing to remove an intent is
    /// therefore not an error, and is only reported as a notice.
    fn remove(mut self) {
        let deciding = self.intents.pop();
        // If nothing has been renamed, the decision must be removed before the other intents. If everything
        // has been renamed, this order does no harm. If the process crashes before it has removed the other
        // intents, they remain without a decision and have no effect.
        for (path, _lock) in deciding.into_iter().chain(self.intents) {
            if let Err(error) = disk::unlink(&path) {
                notice(stays(&path, &error));
            }
        }
    }
}

fn stays(intent: &Path, error: &io::Error) -> String {
    let intent = intent.display();
    format!(
        "{intent} cannot be removed: {error}; the next command that opens or writes the output of that name will \
         remove it"
    )
}

fn write_intent(entry: &Replacement, bytes: &[u8], intents: &mut Vec<(PathBuf, File)>) -> io::Result<()> {
    let (temporary, path) = (Temporary::create(OutputKind::File, &entry.folder)?, entry.intent());
    disk::write(&temporary.handle, bytes)?;
    disk::sync_file(&temporary.handle)?;
    loop {
        match disk::rename_to_free(&temporary.path, &path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            renamed => break renamed?,
        }
        if settle(&path)? == State::Waiting {
            // The other command cannot be completed now, because a folder is missing or the file system has
            // no locks. Its intent is replaced.
            break disk::rename(&temporary.path, &path)?;
        }
    }
    intents.push((path, temporary.into_file()?));
    Ok(())
}
