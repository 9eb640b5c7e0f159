//! Folders of parts that other runs for the same table left behind.

use std::{
    collections::BTreeMap,
    fs::{self, File, TryLockError},
    path::{Path, absolute},
    time::SystemTime,
};

use fault::FileFault;
use output::{folder_of, grouped, try_lock};
use run::Result;
use table::job_of_part;

use super::{
    Place,
    hold::TOKEN,
    parts::{Parts, is_plain},
};

/// Looks for folders that contain parts of this table, and returns a warning for each folder that no process
/// holds. Returns no warnings if the place where these folders would be cannot be listed.
#[must_use]
pub fn list_leftovers(output: &Place) -> Vec<String> {
    let said = |(parts, bytes): &(Parts, u64)| {
        let place = parts.place();
        let goes = match place {
            Place::Folder(_) => {
                "if it belongs to this count, --resume continues it; the commit of this table removes it"
            }
            Place::Store(_) => {
                "if it belongs to this count, --resume continues it; remove it if no run writes there, or let the \
                 commit of this table remove its parts"
            }
        };
        let bytes = grouped(*bytes);
        format!("another run left {bytes} bytes in {place}: {goes}")
    };
    leftovers(output).unwrap_or_default().iter().map(said).collect()
}

/// Removes each folder of this table's parts if no process holds the folder and it last changed before
/// `began`. Returns a warning for each folder that was removed.
pub(super) fn sweep(output: &Place, began: Option<SystemTime>) -> Vec<String> {
    let found = leftovers(output).unwrap_or_default().into_iter();
    let swept = found.filter_map(|(parts, bytes)| {
        let (Place::Folder(folder), Some(began)) = (parts.place(), began) else { return None };
        let is_old = folder.metadata().and_then(|meta| meta.modified()).is_ok_and(|last| last < began);
        let (place, bytes) = (parts.place(), grouped(bytes));
        (is_old && parts.remove().is_ok())
            .then(|| format!("removed {place}: {bytes} bytes left behind by another run"))
    });
    swept.collect()
}

/// Returns the time of the oldest file in the folder, which is about when the run began.
pub(super) fn began(parts: &Parts) -> Option<SystemTime> {
    let Place::Folder(folder) = parts.place() else { return None };
    let times = fs::read_dir(folder).ok()?.filter_map(|entry| entry.ok()?.metadata().ok()?.modified().ok());
    times.min()
}

/// Lists a table's folders of parts, except those that a process holds. Returns each folder with its size in
/// bytes.
fn leftovers(output: &Place) -> Result<Vec<(Parts, u64)>> {
    match output {
        Place::Folder(path) => {
            let path = absolute(path).map_err(FileFault::of("find", path))?;
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let is_ours = |folder: &str| {
                let job =
                    folder.strip_prefix(&format!(".{name}.")).and_then(|rest| rest.strip_suffix(".parts"));
                job.is_some_and(is_plain)
            };
            let entries = fs::read_dir(folder_of(&path)).into_iter().flatten().flatten();
            let folders = entries.filter(|entry| entry.file_name().to_str().is_some_and(is_ours));
            let free = folders.map(|entry| entry.path()).filter(|folder| !is_held(folder));
            free.map(|folder| {
                let parts = Parts::at(&Place::Folder(folder));
                let bytes = parts.list()?.iter().map(|(_, bytes)| bytes).sum();
                Ok((parts, bytes))
            })
            .collect()
        }
        Place::Store(url) => {
            let mut folders: BTreeMap<String, u64> = BTreeMap::new();
            let there = store::list(url)?;
            for (name, bytes) in &there {
                if let Some((folder, _)) = name.split_once(".parts/") {
                    *folders.entry(format!("{folder}.parts")).or_default() += bytes;
                }
            }
            for (name, bytes) in &there {
                let Some(job) = job_of_part(name) else { continue };
                let of_job = folders.iter_mut().find(|(folder, _)| folder.starts_with(&format!(".{job}")));
                if let Some((_, sum)) = of_job {
                    *sum += bytes;
                }
            }
            let parts = folders.into_iter();
            parts.map(|(folder, bytes)| Ok((Parts::at(&Place::Store(url.join(&folder)?)), bytes))).collect()
        }
    }
}

/// Whether a process holds a folder of parts.
fn is_held(folder: &Path) -> bool {
    let token = File::options().read(true).open(folder.join(TOKEN));
    token.is_ok_and(|token| matches!(try_lock(&token), Err(TryLockError::WouldBlock)))
}
