//! Moves an output from its temporary name to its final name, as recorded in an intent. This is done either
//! by the command that wrote the intent, or by a process that finds the intent later. Doing it twice has the
//! same effect as doing it once.

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
    /// Another file or folder now has the final name, and was not replaced.
    Kept,
}

/// Gives an output its final name. If the result is [`ReplaceOutcome::Done`], the temporary name is then
/// either free or the name of the older folder.
pub(crate) fn replace(entry: &Replacement) -> io::Result<ReplaceOutcome> {
    let (from, to) = (entry.from(), entry.to());
    if !exists(&from)? {
        return Ok(ReplaceOutcome::Done);
    }
    match inode(&to)? {
        None => disk::rename_to_free(&from, &to)?,
        // The two folders have already been swapped.
        Some(found) if entry.kind == OutputKind::Folder && found == entry.inode => {}
        Some(found) if found != entry.old_inode => return Ok(ReplaceOutcome::Kept),
        Some(_) if entry.kind == OutputKind::File => disk::rename(&from, &to)?,
        Some(_) => replace_folder(entry)?,
    }
    Ok(ReplaceOutcome::Done)
}

/// Swaps the new folder with the older folder. If the two names cannot be swapped atomically, the older
/// folder is moved aside first. A crash between the two renames leaves the final name free, but the intent
/// records which folder must get this name.
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
