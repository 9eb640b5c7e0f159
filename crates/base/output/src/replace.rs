//! One output of a journal gets its name: by the command that made it, or by one that finds the journal
//! later. Done twice it is the same as done once.

use std::io;

use crate::{
    disk,
    journal::Replacement,
    place::{exists, inode},
    temporary::OutputKind,
};

/// What became of an output.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum ReplaceOutcome {
    /// It has its name.
    Done,
    /// Something else has come to have the name, and stays.
    Kept,
}

/// Gives an output its name. Afterwards the temporary name is free, or is that of the older folder.
pub(crate) fn replace(entry: &Replacement) -> io::Result<ReplaceOutcome> {
    let (from, to) = (entry.from(), entry.to());
    if !exists(&from)? {
        return Ok(ReplaceOutcome::Done);
    }
    match inode(&to)? {
        None => disk::rename_to_free(&from, &to)?,
        // The two names were exchanged already.
        Some(found) if entry.kind == OutputKind::Folder && found == entry.inode => {}
        Some(found) if found != entry.old_inode => return Ok(ReplaceOutcome::Kept),
        Some(_) if entry.kind == OutputKind::File => disk::rename(&from, &to)?,
        Some(_) => replace_folder(entry)?,
    }
    Ok(ReplaceOutcome::Done)
}

/// Exchanges two folders; where that is not possible, the older one moves aside first. A crash between the
/// two renames leaves nothing at the name, and the journal says what belongs there.
fn replace_folder(entry: &Replacement) -> io::Result<()> {
    let (from, to, previous) = (entry.from(), entry.to(), entry.previous());
    match disk::exchange(&from, &to) {
        Err(error) if error.kind() == io::ErrorKind::Unsupported => {
            disk::remove_folder(&previous)?;
            disk::rename(&to, &previous)?;
            disk::rename_to_free(&from, &to).inspect_err(|_| {
                // Failing that, the next opener moves it back.
                let _ = disk::rename(&previous, &to);
            })
        }
        exchanged => exchanged,
    }
}
