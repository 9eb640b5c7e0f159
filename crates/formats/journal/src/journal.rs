//! Opens, appends to and rewrites a journal file.

use std::{
    fs::{File, Permissions},
    io::{self, Write as _},
    os::unix::fs::{FileExt as _, MetadataExt as _, PermissionsExt as _},
    path::{Path, PathBuf},
    sync::{Arc, atomic::AtomicBool},
};

use output::{Existing, OutputFile, OutputLock, Waiting};

use crate::{
    Entries, Entry, Error,
    frame::{Header, check, record},
    piece::{Piece, Whole, line_at},
};

/// The mode of a new journal, which only its owner may read and write: games and their values are private.
const NEW_MODE: u32 = 0o600;

/// A file of numbered records. Each record is on disk when [`append`](Self::append) returns.
///
/// # Memory
///
/// Holds sixteen bytes for each record, and one text while the file is checked.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    known: JournalState,
}

impl Journal {
    /// Opens the journal at `path`, or makes an empty one, and checks every record. If an interrupted append
    /// has left an unfinished record at the end, that record is cut off.
    ///
    /// # Errors
    ///
    /// Returns [`Error::Damaged`] if a record is damaged in any other way; [`Error::NotAJournal`] or
    /// [`Error::Version`] if the file is not a journal of this version; [`Error::Io`] or [`Error::Lock`] if
    /// it cannot be read, written or locked.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let _lock = lock(path)?;
        let is_begun = match path.metadata() {
            Ok(file) => file.len() > 0,
            Err(error) if error.kind() == io::ErrorKind::NotFound => false,
            Err(error) => return Err(Error::io(path)(error)),
        };
        if !is_begun {
            let empty = write_temporary(path, Header { given: 0 }, |_| Ok(()))?;
            empty.finish().map_err(Error::io(path))?;
        }
        Ok(Self { path: path.to_owned(), known: JournalState::open(path)? })
    }

    /// Appends a record, waits until the record is on disk, and returns its number. If another process holds
    /// the journal's lock, first waits until that process releases it.
    ///
    /// # Errors
    ///
    /// Returns [`Error::Source`], [`Error::TooLarge`] or [`Error::Framed`] if the record is not allowed in a
    /// journal; otherwise fails as [`open`](Self::open) does. After an error the record is not in the
    /// journal, unless the disk failed and left the file in an unknown state.
    pub fn append(&mut self, source: &str, text: &[u8]) -> Result<u64, Error> {
        check(source, text)?;
        let _lock = lock(&self.path)?;
        self.catch_up()?;
        let (number, end) = (self.known.given + 1, self.known.end);
        let record = record(number, source, text);
        let file = &self.known.file;
        if let Err(error) = file.write_all_at(&record, end).and_then(|()| file.sync_data()) {
            // If the disk is full, the beginning of the record is left behind. If it cannot be removed now,
            // the next append or the next start removes it.
            let _ = file.set_len(end);
            return Err(Error::io(&self.path)(error));
        }
        self.known.took(number, end + record.len() as u64);
        Ok(number)
    }

    /// Returns the records with numbers above `after`, including those that other processes have appended.
    ///
    /// # Errors
    ///
    /// Fails as [`open`](Self::open) does.
    pub fn read(&mut self, after: u64) -> Result<Entries, Error> {
        let _lock = lock(&self.path)?;
        self.catch_up()?;
        let JournalState { file, places, end, .. } = &self.known;
        let index = places.partition_point(|&(number, _)| number <= after);
        let offset = places.get(index).map_or(*end, |&(_, offset)| offset);
        Ok(Entries { path: self.path.clone(), file: Arc::clone(file), offset, end: *end })
    }

    /// Rewrites the file with only the records for which `keep` returns `true`, and returns the number of
    /// records removed; `keep` may also change the source of a record. The old file stays in place until the
    /// new one is on disk. Readers that have already started keep reading the old file.
    ///
    /// # Errors
    ///
    /// Fails as [`open`](Self::open) does, in which case nothing is removed.
    pub fn retain(&mut self, mut keep: impl FnMut(&mut Entry) -> bool) -> Result<u64, Error> {
        let _lock = lock(&self.path)?;
        self.catch_up()?;
        let (mut removed, mut is_changed) = (0, false);
        let JournalState { file, begin, end, given, .. } = &self.known;
        let entries = Entries { path: self.path.clone(), file: Arc::clone(file), offset: *begin, end: *end };
        let temporary = write_temporary(&self.path, Header { given: *given }, |file| {
            for entry in entries {
                let mut entry = entry?;
                let source = entry.source.clone();
                if keep(&mut entry) {
                    is_changed |= entry.source != source;
                    let record = record(entry.number, &entry.source, &entry.text);
                    file.write_all(&record).map_err(Error::io(&self.path))?;
                } else {
                    removed += 1;
                }
            }
            Ok(())
        })?;
        if removed > 0 || is_changed {
            temporary.finish().map_err(Error::io(&self.path))?;
            self.known = JournalState::open(&self.path)?;
        }
        Ok(removed)
    }

    /// Returns the number of the record that was appended last, as far as this process has read the file; 0
    /// if none was ever appended. The record may have been removed since.
    #[must_use]
    pub fn last_number(&self) -> u64 {
        self.known.given
    }

    /// The number of records in the part of the file that this process has read.
    #[must_use]
    pub fn len(&self) -> usize {
        self.known.places.len()
    }

    /// Whether there are no records in the part of the file that this process has read.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.known.places.is_empty()
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Reads the records that other processes have appended, or the whole file if another process has
    /// rewritten it. The caller must hold the lock.
    fn catch_up(&mut self) -> Result<(), Error> {
        let there = self.path.metadata().map_err(Error::io(&self.path))?;
        let ours = self.known.file.metadata().map_err(Error::io(&self.path))?;
        // The open file keeps its inode. If the journal has been rewritten, the file at its path has a
        // different inode.
        if (there.dev(), there.ino()) == (ours.dev(), ours.ino()) {
            return self.known.read_on(&self.path);
        }
        self.known = JournalState::open(&self.path)?;
        Ok(())
    }
}

/// The state of the file, as far as this process has read it.
#[derive(Debug)]
struct JournalState {
    file: Arc<File>,
    /// The number and the offset of each record.
    places: Vec<(u64, u64)>,
    /// The greatest number assigned so far.
    given: u64,
    /// The offset of the first record.
    begin: u64,
    /// The offset at which the last whole record ends.
    end: u64,
}

impl JournalState {
    /// Reads the whole file. The caller must hold the lock.
    fn open(path: &Path) -> Result<Self, Error> {
        let file = File::options().read(true).write(true).open(path).map_err(Error::io(path))?;
        let line = line_at(&file, 0).map_err(Error::io(path))?.unwrap_or_default();
        let Some(Header { given }) = Header::read(&line) else {
            return Err(match Header::other_version(&line) {
                Some(found) => Error::Version { path: path.to_owned(), found },
                None => Error::NotAJournal(path.to_owned()),
            });
        };
        let begin = line.len() as u64 + 1;
        let file = Arc::new(file);
        let mut known = Self { file, places: Vec::new(), given, begin, end: begin };
        known.read_on(path)?;
        Ok(known)
    }

    /// Reads the records after those already read. If the last record is unfinished, cuts it off. The caller
    /// must hold the lock, so no process is still writing the unfinished record.
    fn read_on(&mut self, path: &Path) -> Result<(), Error> {
        loop {
            let last = self.places.last().map_or(0, |&(number, _)| number);
            match Piece::at(&self.file, self.end).map_err(Error::io(path))? {
                Piece::End => return Ok(()),
                Piece::Whole(Whole { frame, next, .. }) if frame.number > last => {
                    self.took(frame.number, next);
                }
                Piece::Whole(_) => return Err(self.damaged(path, "numbers do not ascend")),
                Piece::Damaged(what) => return Err(self.damaged(path, what)),
                Piece::Torn => self.file.set_len(self.end).map_err(Error::io(path))?,
            }
        }
    }

    /// Adds a record that begins where the last one ends.
    fn took(&mut self, number: u64, next: u64) {
        self.places.push((number, self.end));
        self.given = self.given.max(number);
        self.end = next;
    }

    fn damaged(&self, path: &Path, what: &'static str) -> Error {
        Error::Damaged { path: path.to_owned(), offset: self.end, what }
    }
}

/// Locks the journal so that no other process can write it; waits while one is writing.
fn lock(path: &Path) -> Result<OutputLock, Error> {
    static NEVER: AtomicBool = AtomicBool::new(false);
    Ok(OutputLock::take(path, Waiting::Report(|_| ()), &NEVER)?)
}

/// Writes a new file with the permissions of the old one, but does not put it in place yet.
fn write_temporary(
    path: &Path,
    header: Header,
    write: impl FnOnce(&mut File) -> Result<(), Error>,
) -> Result<OutputFile, Error> {
    let mut output = OutputFile::create(path, Existing::Replace).map_err(Error::io(path))?;
    let mode = path.metadata().map_or(NEW_MODE, |file| file.mode());
    output.file().set_permissions(Permissions::from_mode(mode)).map_err(Error::io(path))?;
    output.file().write_all(header.to_line().as_bytes()).map_err(Error::io(path))?;
    write(output.file())?;
    Ok(output)
}
