//! The folder where part files wait until all of them exist: a hidden folder beside the table, or one below
//! the table's URL in an object store. The line of a shard is beside its part, and is written after it.

use std::{
    ffi::OsStr,
    fs, io,
    path::{Path, absolute},
};

use fault::FileFault;
use output::{Existing, folder_of, make_folder, write_text};
use run::{Result, resolved};
use store::Url;
use table::{ShardInfo, roots_beside};
use tempfile::TempPath;

use super::{ClusterError, Place, job::Job};

/// The ending of the file that has the line of a part, in place of the part's.
pub(super) const LINE_ENDING: &str = "json";

/// The parts of a table that a job makes.
#[derive(Clone, Debug)]
pub(super) struct Parts(Place);

/// A part file that is being written. If it is dropped before [`finish`](Self::finish), the file is
/// removed.
pub(super) enum NewPart {
    /// The part is written where it waits.
    Here(TempPath),
    /// The part is written to a temporary file, and sent when it is whole.
    Sent(TempPath, Url),
}

impl Parts {
    /// The parts of the table at `output`.
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

    /// The parts that are in `place`.
    pub(super) fn at(place: &Place) -> Self {
        Self(place.clone())
    }

    /// The parts that a task writes: in the folder that is `given`, or else in that of its job, which is
    /// made.
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

    /// Begins the part file of a shard; `temp_dir` is for parts that are sent elsewhere.
    pub(super) fn begin(&self, (shard, attempt): (u32, &str), temp_dir: &Path) -> Result<NewPart> {
        if !is_plain(attempt) {
            return Err(ClusterError::AttemptName(attempt.to_owned()).into());
        }
        let name = format!("part-{shard:05}.{attempt}.parquet");
        match &self.0 {
            Place::Folder(folder) => {
                let path = folder.join(name);
                // Only the file of this attempt may be removed on failure, not that of another one.
                match path.try_exists() {
                    Ok(false) => TempPath::try_from_path(&path).map(NewPart::Here),
                    Ok(true) => Err(io::Error::other("another attempt has this name: give each its own")),
                    Err(error) => Err(error),
                }
                .map_err(FileFault::of("write", &path))
            }
            Place::Store(parts) => {
                let named = |random: &Path| Ok::<_, io::Error>(random.to_owned());
                let file = tempfile::Builder::new().make_in(temp_dir, named);
                let (_, path) = file.map_err(FileFault::of("write in", temp_dir))?.into_parts();
                Ok(NewPart::Sent(path, parts.join(&name)?))
            }
        }
    }

    /// Whether `place` is in this folder and has a name that an attempt at that shard gives.
    pub(super) fn holds(&self, shard: u32, place: &Place) -> bool {
        let store_name;
        let (is_here, name) = match (&self.0, place) {
            (Place::Folder(folder), Place::Folder(path)) => {
                (resolved(folder_of(path)) == resolved(folder), path.file_name().and_then(OsStr::to_str))
            }
            (Place::Store(folder), Place::Store(url)) => {
                store_name = url.to_string();
                let (above, name) = store_name.rsplit_once('/').unwrap_or_default();
                (above == folder.to_string(), Some(name))
            }
            _ => (false, None),
        };
        let attempt = name.and_then(|name| name.strip_prefix(&format!("part-{shard:05}.")));
        is_here && attempt.and_then(|rest| rest.strip_suffix(".parquet")).is_some_and(is_plain)
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

    /// The text of a file in the folder.
    pub(super) fn read(&self, name: &str) -> Result<String> {
        match self.file(name)? {
            Place::Folder(path) => fs::read_to_string(&path).map_err(FileFault::of("read", &path)),
            Place::Store(url) => Ok(String::from_utf8_lossy(&store::get(&url)?).into_owned()),
        }
    }

    /// A file in the folder.
    pub(super) fn file(&self, name: &str) -> Result<Place> {
        Ok(match &self.0 {
            Place::Folder(folder) => Place::Folder(folder.join(name)),
            Place::Store(url) => Place::Store(url.join(name)?),
        })
    }

    /// Removes all parts, including those of attempts that died.
    pub(super) fn remove(&self) -> Result<()> {
        match &self.0 {
            Place::Folder(folder) => output::remove_folder(folder).map_err(FileFault::of("remove", folder)),
            Place::Store(url) => {
                for (name, _) in store::list(url)? {
                    store::delete(&url.join(&name)?)?;
                }
                Ok(())
            }
        }
    }
}

impl NewPart {
    /// The path where the part is written now.
    pub(super) fn path(&self) -> &Path {
        match self {
            NewPart::Here(path) | NewPart::Sent(path, _) => path,
        }
    }

    /// The place where the part waits in the end.
    pub(super) fn place(&self) -> Place {
        match self {
            NewPart::Here(path) => Place::Folder(path.to_path_buf()),
            NewPart::Sent(_, url) => Place::Store(url.clone()),
        }
    }

    /// Keeps the part, which is whole and safe on disk, with its roots, and writes its line beside it.
    pub(super) fn finish(self, part: &ShardInfo, line: &str) -> Result<()> {
        match self {
            NewPart::Here(path) => {
                let beside = path.with_extension(LINE_ENDING);
                write_text(&beside, line, Existing::Refuse).map_err(FileFault::of("write", &beside))?;
                path.keep().map_err(|error| FileFault::of("keep", &error.path)(error.error))?;
            }
            NewPart::Sent(path, url) => {
                store::put_file(&path, &url)?;
                if part.roots.is_some() {
                    let roots = TempPath::try_from_path(roots_beside(&path));
                    let roots = roots.map_err(FileFault::of("read", &path))?;
                    store::put_file(&roots, &roots_of(&url)?)?;
                }
                let name = Path::new(url.file_name().unwrap_or_default()).with_extension(LINE_ENDING);
                store::put(&beside(&url, &name)?, line.into())?;
            }
        }
        Ok(())
    }
}

/// Where the roots of a part in a store are.
pub(super) fn roots_of(part: &Url) -> Result<Url, store::Error> {
    beside(part, &roots_beside(Path::new(part.file_name().unwrap_or_default())))
}

fn beside(part: &Url, name: &Path) -> Result<Url, store::Error> {
    part.parent().as_ref().unwrap_or(part).join(&name.to_string_lossy())
}

/// Whether a text has only letters, digits, `-` and `_`, so that it cannot name another folder.
pub(super) fn is_plain(text: &str) -> bool {
    let is_allowed = |letter: char| letter.is_ascii_alphanumeric() || "-_".contains(letter);
    !text.is_empty() && text.chars().all(is_allowed)
}
