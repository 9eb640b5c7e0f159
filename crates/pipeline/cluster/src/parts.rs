//! The folder in which part files are collected until all of them exist. It is a hidden folder next to the
//! table. Once a part is complete, the line that describes this part is written to the same folder. In an
//! object store, this folder is below the table's URL and contains only the lines; the parts immediately get
//! their final names in the table.

use std::{
    collections::BTreeMap,
    ffi::OsStr,
    fs, io,
    path::{Path, absolute},
};

use fault::FileFault;
use output::{Existing, Prepared, folder_of, make_folder, write_text};
use run::{Result, resolved};
use store::Url;
use table::{ShardInfo, part_name_of_job, roots_beside, roots_name};
use tempfile::TempPath;

use super::{
    ClusterError, Place,
    chunk::FORMAT,
    job::Job,
    shard_entry::{CountedGames, ShardLine},
};

/// A part's line is in a file with the part's name, but with this extension.
pub(super) const LINE_ENDING: &str = "json";

/// Where a job keeps the parts of the table that it makes.
#[derive(Clone, Debug)]
pub(super) struct Parts(Place);

/// A part file that is being written. If this value is dropped before [`finish`](Self::finish) is called, the
/// file is removed.
pub(super) enum NewPart {
    /// The part is written directly to the folder of parts.
    Here(TempPath),
    /// The part is written to a temporary file. Once the part is complete, it is uploaded to the first URL,
    /// and the line that describes the part is uploaded to the second URL.
    Sent(TempPath, Url, Url),
}

impl Parts {
    /// Returns the folder in which this job keeps the parts of the table at `output`.
    pub(super) fn of(output: &Place, job: &str) -> Result<Self> {
        Ok(Self(match output {
            Place::Folder(path) => {
                let path = absolute(path).map_err(FileFault::of("find", path))?;
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                Place::Folder(folder_of(&path).join(format!(".{name}.{job}.parts")))
            }
            Place::Store(url) => Place::Store(url.join(&format!(".{job}.parts"))?),
        }))
    }

    /// Returns `place` as a folder of parts.
    pub(super) fn at(place: &Place) -> Self {
        Self(place.clone())
    }

    /// Returns the place where a task writes its parts: `given` or, if that is `None`, the job's folder,
    /// which is created if needed.
    pub(super) fn to_write(given: Option<&Place>, output: &Place, job: Job) -> Result<Self> {
        if let Some(given) = given {
            return Ok(Self::at(given));
        }
        let parts = Self::of(output, &job.to_string())?;
        if let Place::Folder(folder) = &parts.0 {
            make_folder(folder).map_err(FileFault::of("create", folder))?;
        }
        Ok(parts)
    }

    /// Starts the part file for a shard of a job. Parts for a store are written in `temp_dir`, and uploaded
    /// once they are complete.
    pub(super) fn begin(&self, job: Job, shard: (u32, &str), temp_dir: &Path) -> Result<NewPart> {
        let (shard, attempt) = shard;
        if !is_plain(attempt) {
            return Err(ClusterError::AttemptName(attempt.to_owned()).into());
        }
        let stem = format!("part-{shard:05}.{attempt}.");
        match &self.0 {
            Place::Folder(folder) => {
                let path = folder.join(stem + "parquet");
                // On failure, only this attempt's own file may be removed, not that of another attempt.
                match path.try_exists() {
                    Ok(false) => TempPath::try_from_path(&path).map(NewPart::Here),
                    Ok(true) => Err(io::Error::other("another attempt has this name: give each its own")),
                    Err(error) => Err(error),
                }
                .map_err(FileFault::of("write", &path))
            }
            Place::Store(url) => {
                let named = |random: &Path| Ok::<_, io::Error>(random.to_owned());
                let file = tempfile::Builder::new().make_in(temp_dir, named);
                let (_, path) = file.map_err(FileFault::of("write in", temp_dir))?.into_parts();
                let part = table_of(url).join(&part_name_of_job(shard, &job.to_string()))?;
                Ok(NewPart::Sent(path, part, url.join(&(stem + LINE_ENDING))?))
            }
        }
    }

    /// Returns the name that a shard's part has in its table.
    pub(super) fn name_in_table(&self, shard: u32, job: &str) -> String {
        match &self.0 {
            Place::Folder(_) => format!("part-{shard:05}.parquet"),
            Place::Store(_) => part_name_of_job(shard, job),
        }
    }

    /// Whether an attempt at this shard of the job could have left its part at `place`.
    pub(super) fn holds(&self, (job, shard): (&str, u32), place: &Place) -> bool {
        match (&self.0, place) {
            (Place::Folder(folder), Place::Folder(path)) => {
                let name = path.file_name().and_then(OsStr::to_str);
                let attempt = name.and_then(|name| name.strip_prefix(&format!("part-{shard:05}.")));
                resolved(folder_of(path)) == resolved(folder)
                    && attempt.and_then(|rest| rest.strip_suffix(".parquet")).is_some_and(is_plain)
            }
            (Place::Store(url), Place::Store(part)) => {
                table_of(url).join(&part_name_of_job(shard, job)).is_ok_and(|place| place == *part)
            }
            _ => false,
        }
    }

    /// Returns the path or URL of the part that `shard_entry` describes. `name` is the name of the file that
    /// contains the line.
    pub(super) fn part_of(&self, line: &ShardLine, name: &str) -> Result<Place> {
        Ok(match &self.0 {
            Place::Folder(folder) => Place::Folder(folder.join(name).with_extension("parquet")),
            Place::Store(url) => Place::Store(table_of(url).join(&line.part.part)?),
        })
    }

    /// The parts in the folder or store, by name, and the size of each in bytes.
    pub(super) fn list_parts(&self) -> Result<BTreeMap<String, u64>> {
        let there = match &self.0 {
            Place::Folder(_) => self.list()?,
            Place::Store(url) => store::list(&table_of(url))?,
        };
        Ok(there.into_iter().filter(|(name, _)| name.ends_with(".parquet")).collect())
    }

    /// The folder of the parts.
    pub(super) fn place(&self) -> &Place {
        &self.0
    }

    /// The names of all files in the folder, and their sizes in bytes.
    pub(super) fn list(&self) -> Result<Vec<(String, u64)>> {
        match &self.0 {
            Place::Folder(folder) => {
                let entry = |entry: io::Result<fs::DirEntry>| {
                    let entry = entry?;
                    Ok((entry.file_name().to_string_lossy().into_owned(), entry.metadata()?.len()))
                };
                let entries = fs::read_dir(folder).and_then(|entries| entries.map(entry).collect());
                entries.map_err(FileFault::of("read", folder))
            }
            Place::Store(url) => Ok(store::list(url)?),
        }
    }

    /// Reads a file in the folder as text.
    pub(super) fn read(&self, name: &str) -> Result<String> {
        match self.file(name)? {
            Place::Folder(path) => fs::read_to_string(&path).map_err(FileFault::of("read", &path)),
            Place::Store(url) => Ok(String::from_utf8_lossy(&store::get(&url)?).into_owned()),
        }
    }

    /// Returns the path or URL of a file in the folder.
    pub(super) fn file(&self, name: &str) -> Result<Place> {
        Ok(match &self.0 {
            Place::Folder(folder) => Place::Folder(folder.join(name)),
            Place::Store(url) => Place::Store(url.join(name)?),
        })
    }

    /// Writes a file in the folder. `write` receives a path and must create the whole file. In a store, the
    /// path leads to a file in `temp_dir`, which is uploaded afterwards.
    pub(super) fn write(
        &self,
        name: &str,
        temp_dir: &Path,
        write: impl FnOnce(&Path) -> Result<Prepared>,
    ) -> Result<()> {
        match self.file(name)? {
            Place::Folder(path) => Ok(write(&path)?.publish()?),
            Place::Store(url) => {
                let whole = write(&temp_dir.join(format!(".tabia-{}.{name}", std::process::id())))?;
                Ok(store::put_file(whole.temporary_path(), &url)?)
            }
        }
    }

    /// Removes the folder and everything that failed attempts left in it. In a store, the table's parts are
    /// not in this folder, so they are not removed.
    pub(super) fn remove(&self) -> Result<()> {
        match &self.0 {
            Place::Folder(folder) => output::remove_folder(folder).map_err(FileFault::of("remove", folder)),
            Place::Store(url) => {
                let there = store::list(url)?;
                let urls = there.iter().map(|(name, _)| url.join(name)).collect::<Result<Vec<_>, _>>()?;
                Ok(store::delete_all(&urls)?)
            }
        }
    }
}

impl NewPart {
    /// The path to which the part is being written.
    pub(super) fn path(&self) -> &Path {
        match self {
            NewPart::Here(path) | NewPart::Sent(path, ..) => path,
        }
    }

    /// Makes a shard's part and its roots permanent, writes the part's line, and returns the line. The files
    /// of the part and the roots must be complete and synced to disk. In a store, the part's name differs
    /// from the name in `part`, and the line contains the name used in the store.
    pub(super) fn finish(
        self,
        job: Job,
        (shard, of): (u32, u32),
        part: ShardInfo,
        counted: Option<CountedGames>,
    ) -> Result<String> {
        let (path, part) = match &self {
            NewPart::Here(path) => (Place::Folder(path.to_path_buf()), part),
            NewPart::Sent(_, url, _) => {
                let name = url.file_name().unwrap_or_default().to_owned();
                (Place::Store(url.clone()), ShardInfo { part: name, ..part })
            }
        };
        let line = ShardLine { format: FORMAT, job: job.to_string(), shard, of, path, part, counted };
        let (text, part) = (line.text(), line.part);
        match self {
            NewPart::Here(path) => {
                let beside = path.with_extension(LINE_ENDING);
                write_text(&beside, &text, Existing::Refuse).map_err(FileFault::of("write", &beside))?;
                path.keep().map_err(|error| FileFault::of("keep", &error.path)(error.error))?;
            }
            NewPart::Sent(path, url, line_url) => {
                store::put_file_once(&path, &url, &part.xxh3)?;
                if let Some(info) = &part.roots {
                    let roots = TempPath::try_from_path(roots_beside(&path));
                    let roots = roots.map_err(FileFault::of("read", &path))?;
                    store::put_file_once(&roots, &roots_of(&url)?, &info.xxh3)?;
                }
                store::put(&line_url, text.clone().into())?;
            }
        }
        Ok(text)
    }
}

/// The URL of a part's roots in a store.
pub(super) fn roots_of(part: &Url) -> Result<Url, store::Error> {
    table_of(part).join(&roots_name(part.file_name().unwrap_or_default()))
}

/// The URL of the table that this part, or this folder of lines, belongs to.
fn table_of(url: &Url) -> Url {
    url.parent().unwrap_or_else(|| url.clone())
}

/// Whether a string consists only of letters, digits, `-` and `_`, so that it cannot be a path to another
/// folder.
pub(super) fn is_plain(text: &str) -> bool {
    let is_allowed = |letter: char| letter.is_ascii_alphanumeric() || "-_".contains(letter);
    !text.is_empty() && text.chars().all(is_allowed)
}
