//! Completes the work of killed commands, or removes the files that they have left behind. Every program does
//! this before it opens or writes an artefact.
//!
//! If the command that wrote an intent had also written its decision (the intent of its first output), the
//! command is completed; otherwise, the intent is removed. The folder of an output may be missing, for
//! example because its volume is not mounted. In this case, only the outputs in other folders are completed.
//! The intent is kept, and a notice reports the missing folder ([`take_notices`]). If an intent is locked, a
//! running process is completing it.
//!
//! Older versions replaced a folder `games.table` without an intent, in two renames that involved
//! `.games.table.next` and `.games.table.previous`. Such a replacement is completed or undone too.

use std::{
    ffi::OsStr,
    fs::{self, File, TryLockError},
    io::{self, Read as _},
    os::unix::fs::MetadataExt as _,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
    thread,
    time::Duration,
};

use crate::{
    disk, folder_of,
    intent::{Intent, Replacement, intent_of, is_intent, sibling},
    lock::{self, try_lock},
    place::{exists, follow_links, inode, is_folder},
    prepared::sync_folders,
    replace::{ReplaceOutcome, replace},
    temporary::{self, remove_unlocked},
};

/// The pause between two checks of whether another process has completed a command.
const PAUSE: Duration = Duration::from_millis(2);

static NOTICES: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Returns and clears the notices of recovery and of [`publish`](crate::publish()). A notice reports work
/// that could not be done, and the reason. A program prints the notices as warnings.
#[must_use]
pub fn take_notices() -> Vec<String> {
    std::mem::take(&mut *NOTICES.lock().unwrap_or_else(PoisonError::into_inner))
}

pub(crate) fn notice(text: String) {
    let mut notices = NOTICES.lock().unwrap_or_else(PoisonError::into_inner);
    if !notices.contains(&text) {
        notices.push(text);
    }
}

/// If a command was killed while it replaced the artefact at `path`, completes that command. Otherwise, this
/// takes only a few system calls.
///
/// # Errors
///
/// Fails if nothing exists at `path`, and the output that belongs at `path` cannot be moved there. If an
/// artefact exists at `path`, errors are ignored: the artefact is whole, and even a user without write
/// permission can read it. Other outputs of the command may then be incomplete.
pub fn recover(path: &Path) -> io::Result<()> {
    if crate::is_streamed(path) || path.file_name().is_none() {
        return Ok(());
    }
    let target = follow_links(path)?;
    match recover_target(&target) {
        Err(_) if exists(&target).unwrap_or(false) => Ok(()),
        recovered => recovered,
    }
}

/// Like [`recover`], but for a writer, so no error is ignored. `target` must not be a link.
pub(crate) fn recover_target(target: &Path) -> io::Result<()> {
    let intent = intent_of(target);
    finish(&intent)?;
    if !exists(target)? && exists(&intent)? {
        // A running command is between the two renames of a folder.
        settle(&intent)?;
    }
    restore(target)
}

/// Completes all killed commands that have an output in `folder`, and removes the temporary files and folders
/// that killed runs have left there. Whatever cannot be removed is left in place.
pub fn sweep(folder: &Path) {
    intents(folder).for_each(|path| {
        let _ = finish(&path);
    });
    temporary::sweep(folder, |name| is_needed(folder, name));
    lock::sweep(folder);
}

fn intents(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter(|entry| is_intent(&entry.file_name())).map(|entry| entry.path())
}

/// Whether an intent in `folder` will rename the file with this temporary name.
fn is_needed(folder: &Path, temporary: &OsStr) -> bool {
    intents(folder).any(|path| {
        let intent = fs::read(&path).ok().and_then(|bytes| Intent::parse(&bytes));
        intent.is_some_and(|intent| intent.entries.iter().any(|entry| entry.temporary == temporary))
    })
}

/// Waits until a running command no longer needs its intent. If the command was killed, completes the command
/// or removes the intent.
pub(crate) fn settle(intent: &Path) -> io::Result<State> {
    loop {
        match File::open(intent) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(State::Settled),
            // Without locks, no command counts as running.
            opened => drop(opened?.lock()),
        }
        match finish(intent)? {
            // The first intent is locked by the process that is completing the command.
            State::Busy => thread::sleep(PAUSE),
            state => return Ok(state),
        }
    }
}

/// The state of an intent after recovery.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum State {
    /// The intent is gone, and nothing is left to do.
    Settled,
    /// A process that is still running is using the intent.
    Busy,
    /// The intent cannot be completed or removed yet, because a folder is missing, or because the file system
    /// has no locks that would show whether the command is still running.
    Waiting,
}

/// An intent that was found and locked.
struct Found {
    bytes: Vec<u8>,
    /// Whether the intent could be locked; `false` on a file system without locks.
    is_locked: bool,
    /// The open file, which holds the lock until it is dropped.
    _file: File,
}

/// The result of opening and locking the intent at a path.
enum Look {
    Nothing,
    /// A process that is still running is using the intent.
    Busy,
    Found(Found),
}

fn look(path: &Path) -> io::Result<Look> {
    let mut file = match File::open(path) {
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            return Ok(Look::Nothing);
        }
        opened => opened?,
    };
    let is_locked = match try_lock(&file) {
        Err(TryLockError::WouldBlock) => return Ok(Look::Busy),
        locked => locked.is_ok(),
    };
    // Another process may have completed the intent after it was opened here and before it was locked.
    if inode(path)? != Some(file.metadata()?.ino()) {
        return Ok(Look::Nothing);
    }
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok(Look::Found(Found { bytes, is_locked, _file: file }))
}

/// Completes the command that wrote an intent if the command had also written its decision; otherwise,
/// removes the intent.
fn finish(path: &Path) -> io::Result<State> {
    let found = match look(path)? {
        Look::Nothing => return Ok(State::Settled),
        Look::Busy => return Ok(State::Busy),
        Look::Found(found) => found,
    };
    let Some(intent) = Intent::parse(&found.bytes).map(|intent| intent.found_at(path)) else {
        // Intents are never left half-written, so this one is damaged and useless.
        return disk::unlink(path).map(|()| State::Settled);
    };
    let first = intent.entries[0].intent();
    if first == path {
        return complete(&intent);
    }
    if !intent.entries[0].is_reachable()? {
        notice(cannot_tell(path, &intent.entries[0]));
        return fill_gaps(&intent).map(|()| State::Waiting);
    }
    match look(&first)? {
        Look::Busy => Ok(State::Busy),
        Look::Found(decision) if decision.bytes == found.bytes => complete(&intent),
        // Either the command was killed before it wrote its decision, or it has made all its renames.
        _ if found.is_locked => undo(path, &intent).map(|()| State::Settled),
        _ => Ok(State::Waiting),
    }
}

/// Carries out the remaining renames and removes the intents.
fn complete(intent: &Intent) -> io::Result<State> {
    let (mut reachable, mut gone) = (Vec::new(), Vec::new());
    for entry in &intent.entries {
        if entry.is_reachable()? { reachable.push(entry) } else { gone.push(entry) }
    }
    for entry in &reachable {
        if replace(entry)? == ReplaceOutcome::Kept {
            let to = entry.to();
            let to = to.display();
            notice(format!(
                "a command was killed before it could replace {to}, which has changed since then and is left as it is"
            ));
        }
    }
    sync_folders(reachable.iter().copied())?;
    if gone.is_empty() {
        // The decision is removed last.
        intent.entries.iter().rev().try_for_each(|entry| disk::unlink(&entry.intent()))?;
    }
    for entry in &gone {
        notice(waits(entry, &intent.entries[0]));
    }
    for entry in reachable {
        remove_unlocked(&entry.from());
        disk::remove_folder(&entry.previous())?;
    }
    Ok(if gone.is_empty() { State::Settled } else { State::Waiting })
}

/// Gives each folder its final name, if this name is free because the command was killed between the folder's
/// two renames. Only a command that had written its decision can leave such a gap.
fn fill_gaps(intent: &Intent) -> io::Result<()> {
    for entry in &intent.entries {
        if !exists(&entry.to())? && is_folder(&entry.previous())? {
            replace(entry)?;
        }
    }
    Ok(())
}

fn undo(path: &Path, intent: &Intent) -> io::Result<()> {
    disk::unlink(path)?;
    let own = intent.entries.iter().filter(|entry| entry.intent() == path);
    own.for_each(|entry| remove_unlocked(&entry.from()));
    Ok(())
}

fn waits(entry: &Replacement, first: &Replacement) -> String {
    format!(
        "a command was killed before it could replace {to}, and {folder} is missing now; once {folder} is back, {to} \
         is replaced when one of the command's outputs is opened; to give up the new version, remove {intent}",
        to = entry.to().display(),
        folder = entry.folder.display(),
        intent = first.intent().display(),
    )
}

fn cannot_tell(path: &Path, first: &Replacement) -> String {
    format!(
        "a command was killed while it wrote this output and {to}, and {folder} is missing now; only once {folder} is \
         back is it known whether this output is replaced; to give up the new version, remove {intent}",
        to = first.to().display(),
        folder = first.folder.display(),
        intent = path.display(),
    )
}

/// Completes or undoes the replacement of the folder at `target`, if an older version of this program was
/// killed while it replaced the folder with two renames and without an intent. Removes the folders that are
/// then no longer needed.
fn restore(target: &Path) -> io::Result<()> {
    let [next, previous] = ["next", "previous"].map(|role| sibling(target, role));
    let [has_next, has_previous] = [is_folder(&next)?, is_folder(&previous)?];
    if !(has_next || has_previous) || exists(&intent_of(target))? {
        return Ok(());
    }
    if !exists(target)? && has_previous {
        let whole: &PathBuf = if has_next { &next } else { &previous };
        match disk::rename_to_free(whole, target) {
            // Another process was faster.
            Err(_) if target.is_dir() => {}
            renamed => renamed?,
        }
        disk::sync_folder(folder_of(target))?;
    }
    if is_folder(target)? {
        disk::remove_folder(&next)?;
        disk::remove_folder(&previous)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn renames_without_an_intent_are_undone_only_where_none_is_under_way() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("t");
        fs::create_dir(dir.path().join(".t.next")).unwrap();
        restore(&path).unwrap();
        assert!(!path.exists(), "an older folder has not moved aside, so the new one may be half-written");
        fs::create_dir(dir.path().join(".t.previous")).unwrap();
        fs::write(intent_of(&path), "of a living command").unwrap();
        restore(&path).unwrap();
        assert!(!path.exists(), "its command gives it its name");
        fs::remove_file(intent_of(&path)).unwrap();
        restore(&path).unwrap();
        assert!(path.exists());
    }
}
