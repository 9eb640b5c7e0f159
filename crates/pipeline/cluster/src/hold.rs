//! A folder of parts, which a driver holds while machines write to it.
//!
//! The folder contains a file `token`. The process that holds the folder locks this file, so an unlocked
//! folder belongs to no running driver. Tasks compare the file's text with the driver's to make sure that
//! they see the same folder. Object stores have no locks.

use std::{
    fs::{self, File, TryLockError},
    hash::{BuildHasher as _, RandomState},
    io::{ErrorKind, Write as _},
    path::{Path, PathBuf},
};

use fault::FileFault;
use output::{folder_of, make_folder, try_lock};
use query::Artefact;
use run::Result;
use serde::Serialize;
use table::Table;

use super::{
    ClusterError, CountSettings, Place, PlanId, copies, job::Job, parts::Parts, shard_entries::waiting,
};

/// The file by which a folder of parts is recognised and locked.
pub(super) const TOKEN: &str = "token";
/// A resumed job looks for the folders of at most this many earlier runs. If it cannot take over any of these
/// folders, it makes a new one.
const EARLIER_MAX: u32 = 16;

/// The job that a folder is held for.
#[derive(Clone, Debug)]
pub enum HeldJob {
    /// A plan is counted.
    Count(PlanId, Box<CountSettings>),
    /// Tables are added together.
    Merge {
        /// The tables.
        tables: Vec<PathBuf>,
        /// Whether counts are summed over all groups, so that the new table is not grouped.
        drop_groups: bool,
        /// Only rows of positions with at least this many visits are kept.
        min_visits: u64,
    },
}

/// A folder of parts that this process holds as long as this value exists.
#[derive(Debug)]
pub struct FolderHold {
    parts: Parts,
    token: String,
    done: Vec<u32>,
    copies: u32,
    /// How many buckets the search for copies of games is divided into.
    buckets: u32,
    _lock: Lock,
}

/// A folder's lock; `None` in a store, which has no locks.
#[derive(Debug)]
struct Lock(#[expect(dead_code, reason = "the file is locked as long as it is open")] Option<File>);

/// Describes a held folder to its driver, which reads this description as JSON.
#[derive(Debug, Serialize)]
pub struct HeldFolder {
    /// The path or URL of the folder, which the driver passes on to the tasks and to the commit.
    pub parts: Place,
    /// The text of the file `token` in the folder.
    pub token: String,
    /// The shards that an earlier run completed: their parts and lines already exist.
    pub done: Vec<u32>,
    /// How many buckets the earlier run had searched for copies of games.
    pub copies: u32,
}

/// Makes the folder for the parts of the table at `output`. No other run of the same job gets this folder.
/// With `resume`, an earlier run's folder is taken over if no process holds it.
///
/// # Errors
///
/// Fails if the folder cannot be made.
pub fn hold(job: &HeldJob, output: &Place, resume: bool) -> Result<FolderHold> {
    let buckets = match job {
        HeldJob::Count(_, settings) => settings.copy_buckets(),
        HeldJob::Merge { .. } => 0,
    };
    let job = number(job)?;
    let token = format!("{:016x}", RandomState::new().hash_one(std::process::id()));
    let earlier = (1..=EARLIER_MAX).filter(|_| resume).map(|run| (run, true));
    for (run, reused) in earlier.chain((1..).map(|run| (run, false))) {
        let name = if run == 1 { job.to_string() } else { format!("{job}-{run}") };
        let parts = Parts::of(output, &name)?;
        if let Some(lock) = take(&parts, &token, reused)? {
            let done = waiting(&parts)?.into_keys().collect();
            let copies = copies::found(&parts)?;
            return Ok(FolderHold { parts, token, done, copies, buckets, _lock: lock });
        }
    }
    unreachable!("there is always another number")
}

fn number(job: &HeldJob) -> Result<Job> {
    let (tables, drop_groups, min_visits) = match job {
        HeldJob::Count(plan, settings) => return Ok(Job::new(*plan, settings)),
        HeldJob::Merge { tables, drop_groups, min_visits } => (tables, *drop_groups, *min_visits),
    };
    let open = |path: &PathBuf| Ok(Artefact::open(path)?.into_table()?);
    let tables = tables.iter().map(open).collect::<Result<Vec<Table>>>()?;
    Ok(Job::of_tables(tables.iter().map(Table::digest), drop_groups, min_visits))
}

/// Takes the folder, or returns `None` if it cannot be taken. If `reused` is set, the folder must exist, and
/// no process may hold it; otherwise, it must not exist yet.
fn take(parts: &Parts, token: &str, reused: bool) -> Result<Option<Lock>> {
    match parts.place() {
        Place::Folder(folder) => Ok(take_folder(folder, token, reused)?.map(|file| Lock(Some(file)))),
        Place::Store(url) => {
            let file = url.join(TOKEN)?;
            let is_ours = if !reused {
                store::put_new(&file, token.into())?
            } else if store::list(url)?.is_empty() {
                false
            } else {
                store::put(&file, token.into())?;
                true
            };
            Ok(is_ours.then_some(Lock(None)))
        }
    }
}

fn take_folder(folder: &Path, token: &str, reused: bool) -> Result<Option<File>> {
    let create = FileFault::of("create", folder);
    if !reused {
        make_folder(folder_of(folder)).map_err(&create)?;
        match fs::create_dir(folder) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => return Ok(None),
            made => made.map_err(&create)?,
        }
    } else if !folder.is_dir() {
        return Ok(None);
    }
    let path = folder.join(TOKEN);
    let written = FileFault::of("write", &path);
    let mut file = File::options().create(true).truncate(false).write(true).open(&path).map_err(&written)?;
    if matches!(try_lock(&file), Err(TryLockError::WouldBlock)) {
        return Ok(None);
    }
    file.set_len(0).and_then(|()| file.write_all(token.as_bytes())).map_err(&written)?;
    Ok(Some(file))
}

impl FolderHold {
    /// Returns the description of the folder for the driver.
    #[must_use]
    pub fn folder(&self) -> HeldFolder {
        let (parts, token) = (self.parts.place().clone(), self.token.clone());
        HeldFolder { parts, token, done: self.done.clone(), copies: self.copies }
    }

    /// Ends the hold. The folder is removed, unless it contains a complete part or the lists of copies from
    /// all buckets. If the folder is kept, the returned text says how to continue. Returns `None` after a
    /// commit, because the commit removed the folder.
    ///
    /// # Errors
    ///
    /// Fails if the folder cannot be read or removed.
    pub fn release(self) -> Result<Option<String>> {
        let place = self.parts.place();
        if matches!(place, Place::Folder(folder) if !folder.is_dir()) {
            return Ok(None);
        }
        let shards = waiting(&self.parts)?;
        let Some(line) = shards.values().next() else {
            if self.buckets > 0 && copies::found(&self.parts)? == self.buckets {
                return Ok(Some(format!(
                    "the copies of games that were found are kept in {place}: run the same command with --resume to \
                     continue with them"
                )));
            }
            self.parts.remove()?;
            return Ok(None);
        };
        let (done, of) = (shards.len(), line.of);
        let next = if done == of as usize {
            format!("run `tabia cluster commit --parts {place}` to make the table from them")
        } else {
            "run the same command with --resume to continue with them".into()
        };
        Ok(Some(format!("{done} of {of} shards are done and kept in {place}: {next}")))
    }
}

/// Refuses any folder but the one that the driver holds.
///
/// # Errors
///
/// Fails with [`ClusterError::NotShared`] if the folder's token is missing or is not `token`.
pub fn check_shared(parts: &Place, token: &str) -> Result<()> {
    let why = match Parts::at(parts).read(TOKEN) {
        Ok(found) if found == token => return Ok(()),
        Ok(_) => "it has the token of another run".to_owned(),
        Err(error) => error.to_string(),
    };
    Err(ClusterError::NotShared { place: parts.to_string(), why }.into())
}
