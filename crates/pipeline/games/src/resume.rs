//! Resumes a run that ended early: a count records on disk the chunks that it has counted, so that a later
//! process need not count them again.
//!
//! # Flow
//!
//! 1. [`Resume::open`] makes the folder of the job, or opens the one that an earlier run left. It locks and
//!    reads the ledger (`ledger.rs`), refuses a ledger that belongs to another job, and removes files that
//!    the ledger does not name.
//! 2. Each thread adds the observations from its chunks to its own sort buffer. When the observations from
//!    the next chunk might not fit, the thread spills the buffer and records the chunks counted so far as a
//!    `Group`. The record contains the places of these chunks, the number of games with each status, and the
//!    runs, which contain exactly the observations from these chunks.
//! 3. To resume, a later run adopts the recorded runs, skips the recorded chunks, and reads the rest.
//! 4. Once all outputs exist, the folder is removed.
//!
//! # Order on disk
//!
//! A record is written only once the files it names (runs, and the lines of rejected games) are synced.
//! Files replaced by a merge are removed only once the record of the merge is synced. So at any moment,
//! every complete record names complete files; chunks without a record are simply counted again from the
//! input.

mod folder;
mod group;
mod job;
mod ledger;
mod record;
mod state;

use std::{
    collections::BTreeSet,
    fs::{self, File},
    io,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use extsort::{RunFile, RunFolder, RunLedger};
use fault::FileFault;
use pgn::input::{Input, InputDone, Place};
use run::{CannotResume, Context, Error, Result, ResumedReport, RunRecord, StatusCounts};

pub use self::{folder::folder_of_job, group::PendingGroup, job::Job, record::List};
use self::{
    ledger::Ledger,
    record::{CountedChunks, Merge, Record, RecordedRun},
    state::State,
};

/// The name of the file that contains the records.
const LEDGER_NAME: &str = "ledger";
/// The record that a count writes to disk.
pub struct Resume {
    folder: PathBuf,
    ledger: Arc<Mutex<Ledger>>,
    /// The state that earlier runs have recorded.
    before: State,
    /// For each input, the number of blocks whose hashes are recorded.
    blocks: Mutex<Vec<usize>>,
}

impl Resume {
    /// Begins the record of `job` in `folder`, or continues the existing one.
    ///
    /// # Errors
    ///
    /// Fails with [`CannotResume`] if another process is working in the folder, or the record is damaged or
    /// belongs to another job.
    pub fn open(folder: &Path, job: &Job) -> Result<Self> {
        output::make_folder(folder).map_err(FileFault::of("create", folder))?;
        let refuse = |why| CannotResume { folder: folder.to_owned(), why };
        let (mut ledger, records) =
            Ledger::open(&folder.join(LEDGER_NAME)).map_err(|error| refuse(error.to_string()))?;
        let mut before = State::replay(records).map_err(refuse)?;
        match &before.job {
            Some(known) if before.chunks > 0 => known.check(job).map_err(refuse)?,
            // The folder has no finished chunks, so starting over loses nothing, even if it belongs to
            // another job.
            _ => {
                ledger.begin(&Record::Job(job.clone())).map_err(FileFault::of("write in", folder))?;
                before = State::default();
            }
        }
        let blocks = before.done.iter().map(|done| done.blocks.len()).collect();
        let resume = Self {
            folder: folder.to_owned(),
            ledger: Arc::new(Mutex::new(ledger)),
            before,
            blocks: Mutex::new(blocks),
        };
        resume.remove_strays().map_err(FileFault::of("clean up", folder))?;
        Ok(resume)
    }

    /// If the user asked for it, begins the record of a job or continues the existing one; otherwise, returns
    /// `None`.
    ///
    /// # Errors
    ///
    /// Fails as [`Self::open`] does.
    pub fn of_run(context: &Context, job: impl FnOnce() -> Result<Job>) -> Result<Option<Arc<Self>>> {
        let Some(output) = &context.options.resume else { return Ok(None) };
        let resume = Arc::new(Self::open(&folder_of_job(&context.temp_dir, output), &job()?)?);
        context.summary().resumed = resume.report();
        context.keep_record(Arc::clone(&resume) as Arc<dyn RunRecord>);
        Ok(Some(resume))
    }

    /// Removes files that an earlier run began but did not record.
    fn remove_strays(&self) -> io::Result<()> {
        let list = self.before.list.iter().map(|list| &list.name);
        let kept = self.before.runs.keys().chain(list).map(String::as_str);
        let kept: BTreeSet<&str> = kept.chain([LEDGER_NAME]).collect();
        for entry in fs::read_dir(&self.folder)? {
            let entry = entry?;
            if !entry.file_name().to_str().is_some_and(|name| kept.contains(name)) {
                fs::remove_file(entry.path())?;
            }
        }
        Ok(())
    }

    /// Returns the list of rejected games that earlier runs recorded, or `None` if they recorded nothing.
    ///
    /// # Errors
    ///
    /// Fails with [`CannotResume`] if chunks are recorded as done but no list is recorded.
    pub fn list(&self) -> Result<Option<&List>> {
        if self.before.list.is_none() && self.before.chunks > 0 {
            return Err(self.refuse("its ledger names no list of rejected games".into()));
        }
        Ok(self.before.list.as_ref())
    }

    /// Returns a name for the list that will replace the recorded one.
    pub fn next_list(&self) -> String {
        let before = self.before.list.as_ref().and_then(|list| list.name.split('.').next());
        let number = before.and_then(|digits| digits.parse::<u64>().ok());
        format!("{:06}.rejects", number.map_or(0, |number| number + 1))
    }

    /// Records that `list` replaces the list that was recorded before, and removes the old list's file. The
    /// file of `list` must be synced.
    pub fn replace_list(&self, list: List) -> Result<()> {
        let Some(before) = &self.before.list else { return Ok(()) };
        let recorded = lock(&self.ledger).append(&Record::List(list));
        recorded.map_err(FileFault::of("write in", &self.folder))?;
        let path = self.folder.join(&before.name);
        fs::remove_file(&path).map_err(FileFault::of("remove", &path))
    }

    /// The error for a record that cannot be resumed.
    pub fn refuse(&self, why: String) -> Error {
        CannotResume { folder: self.folder.clone(), why }.into()
    }

    /// The parts of each input that are done.
    pub fn done(&self) -> Arc<Vec<InputDone>> {
        Arc::new(self.before.done.clone())
    }

    /// Whether the chunk at `place` is done.
    pub fn is_done(&self, place: Place) -> bool {
        let done = self.before.done.get(place.input as usize);
        done.and_then(|done| done.parts.get(&place.part)).is_some_and(|spans| spans.contains(place.offset))
    }

    /// The games that earlier runs read, counted by status.
    pub fn counts(&self) -> StatusCounts {
        self.before.counts.clone()
    }

    /// The number of observations that earlier runs sorted.
    pub fn items(&self) -> u64 {
        self.before.items
    }

    /// Returns a report of what earlier runs did, or `None` if they recorded no chunks.
    pub fn report(&self) -> Option<ResumedReport> {
        let games = self.before.counts.sum().games;
        (self.before.chunks > 0).then_some(ResumedReport { chunks: self.before.chunks, games })
    }

    /// The folder to which the sorter writes runs.
    pub fn run_folder(&self) -> Arc<RunFolder> {
        let ledger = Box::new(Merges(Arc::clone(&self.ledger)));
        Arc::new(RunFolder::new(self.folder.clone(), self.before.run_numbers, ledger))
    }

    /// Opens the sorted runs that earlier processes left, and checks that each is the one that was recorded.
    pub fn open_runs(&self) -> Result<Vec<RunFile>> {
        let open = |(name, recorded): (&String, &RecordedRun)| {
            let path = self.folder.join(name);
            let found = RunFile::open(&path).map_err(|error| error.to_string()).and_then(|run| {
                if RecordedRun::of(&run) == *recorded {
                    Ok(run)
                } else {
                    let path = path.display();
                    Err(format!("{path} does not have the contents that the run recorded"))
                }
            });
            found.map_err(|why| self.refuse(why))
        };
        self.before.runs.iter().map(open).collect()
    }

    /// Appends a group to the ledger. The runs and the lines of the group must be synced. `blocks` returns
    /// the hashes of an input's blocks, starting at a given block. The hashes in a record must directly
    /// follow the hashes in earlier records, so both locks are held until the record is written.
    fn record(&self, mut group: CountedChunks, blocks: impl Fn(u32, usize) -> Vec<u64>) -> Result<()> {
        let mut ledger = lock(&self.ledger);
        let mut known = lock(&self.blocks);
        for of_input in &mut group.inputs {
            let input = of_input.input as usize;
            if known.len() <= input {
                known.resize(input + 1, 0);
            }
            of_input.blocks = blocks(of_input.input, known[input]);
            known[input] += of_input.blocks.len();
        }
        ledger.append(&Record::Group(group)).map_err(FileFault::of("write in", &self.folder))
    }
}

impl RunRecord for Resume {
    fn folder(&self) -> &Path {
        &self.folder
    }

    fn has_records(&self) -> bool {
        lock(&self.ledger).records > 1
    }

    fn remove(&self) -> Result<()> {
        let remove = || {
            // The ledger is removed first. So if the removal stops halfway, the files that remain are not
            // mistaken for a record.
            fs::remove_file(self.folder.join(LEDGER_NAME))?;
            File::open(&self.folder)?.sync_all()?;
            fs::remove_dir_all(&self.folder)
        };
        remove().map_err(FileFault::of("remove", &self.folder))
    }
}

/// Records the merges that the sorter makes.
struct Merges(Arc<Mutex<Ledger>>);

impl RunLedger for Merges {
    fn merged(&self, run: &RunFile, parts: &[PathBuf]) -> io::Result<()> {
        let parts = parts.iter().map(|path| record::name_of(path)).collect();
        lock(&self.0).append(&Record::Merge(Merge { run: RecordedRun::of(run), parts }))
    }
}

/// Returns the name, length and modification time of each input. Fails for an input that cannot be read
/// twice.
pub fn job_inputs(inputs: &[Input]) -> Result<Vec<job::JobInput>> {
    inputs.iter().map(job::JobInput::of).collect()
}

/// Takes a lock even if another thread panicked while holding it. This is safe because a panic between two
/// records leaves the last record complete.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::{record::GroupInput, *};

    #[test]
    fn a_record_of_chunks_binds_and_one_without_does_not() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join("record");
        let job = |plies: u64| {
            let settings = BTreeMap::from([("max_ply".into(), plies.into())]);
            Job::new(settings, vec![job::JobInput::default()])
        };
        drop(Resume::open(&folder, &job(40)).unwrap());
        let resume = Resume::open(&folder, &job(60)).unwrap();
        assert!(!resume.has_records() && resume.report().is_none());
        let inputs = vec![GroupInput { chunks: 1, ..GroupInput::default() }];
        resume
            .record(CountedChunks { inputs, ..CountedChunks::default() }, |_, from| {
                vec![5, 6][from..].to_vec()
            })
            .unwrap();
        assert!(resume.has_records());
        fs::write(folder.join("000007.run"), "not recorded").unwrap();
        drop(resume);
        let refused = Resume::open(&folder, &job(40)).err().unwrap();
        assert!(refused.to_string().contains("it was started with `max_ply` = 60"), "{refused}");
        let resume = Resume::open(&folder, &job(60)).unwrap();
        assert_eq!((resume.report().unwrap().chunks, resume.done()[0].blocks.as_slice()), (1, &[5, 6][..]));
        assert!(!folder.join("000007.run").exists(), "what is not recorded is removed");
        resume.remove().unwrap();
        assert!(!folder.exists());
    }
}
