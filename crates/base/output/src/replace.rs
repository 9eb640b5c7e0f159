//! Gives one output of an intent its final name, either in the command that wrote the intent or in a process
//! that finds the intent later. Doing it twice has the same effect as doing it once.

use std::io;

use crate::{
    disk,
    intent::Replacement,
    place::{exists, inode},
    temporary::OutputKind,
};

/// The result of a replacement.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum ReplaceOutcome {
    /// The output has its final name.
    Done,
    /// Another file has the name now, and was not replaced.
    Kept,
}

/// Gives an output its final name. After that, the temporary name is free or belongs to the older folder.
pub(crate) fn replace(entry: &Replacement) -> io::Result<ReplaceOutcome> {
    let (from, to) = (entry.from(), entry.to());
    if !exists(&from)? {
        return Ok(ReplaceOutcome::Done);
    }
    match inode(&to)? {
        None => disk::rename_to_free(&from, &to)?,
        // The two names have already been exchanged.
        Some(found) if entry.kind == OutputKind::Folder && found == entry.inode => {}
        Some(found) if found != entry.old_inode => return Ok(ReplaceOutcome::Kept),
        Some(_) if entry.kind == OutputKind::File => disk::rename(&from, &to)?,
        Some(_) => replace_folder(entry)?,
    }
    Ok(ReplaceOutcome::Done)
}

/// Exchanges two folders. If names cannot be exchanged, the older folder is moved aside first. A crash
/// between the two renames leaves the name free, and the intent records which folder belongs there.
fn replace_folder(entry: &Replacement) -> io::Result<()> {
    let (from, to, previous) = (entry.from(), entry.to(), entry.previous());
    match disk::exchange(&from, &to) {
        Err(error) if error.kind() == io::ErrorKind::Unsupported => {
            disk::remove_folder(&previous)?;
            disk::rename(&to, &previous)?;
            disk::rename_to_free(&from, &to).inspect_err(|_| {
                // If the older folder cannot be moved back, the next program that opens the output moves it
                // back.
                let _ = disk::rename(&previous, &to);
            })
        }
        exchanged => exchanged,
    }
}
