//! Writes the experience of several books as experience files, so that it can be merged like any other
//! experience.

use std::path::PathBuf;

use book::Book;
use experience::{ExperienceHeader, ExperienceWriter, Union};
use fault::FileFault;
use output::Existing;
use query::sources_of;
use run::{Error, Result};
use tempfile::TempDir;

/// Temporary files with the experience of books. They are removed when this value is dropped.
pub(super) struct ExperienceFiles {
    files: Vec<PathBuf>,
    folder: TempDir,
}

impl ExperienceFiles {
    /// Writes the experience of the books, skipping books that have none. Returns `None` if no book has
    /// experience.
    pub(super) fn of(books: &[Book]) -> Result<Option<Self>> {
        let folder = std::env::temp_dir();
        let new = tempfile::tempdir_in(&folder);
        let folder = new.map_err(|source| FileFault::new("write in", folder, source))?;
        let mut files = Vec::new();
        for (number, book) in books.iter().enumerate() {
            let sources = sources_of(book)?;
            let mut rows = book.experience().peekable();
            if rows.peek().is_none() && sources.is_empty() {
                continue;
            }
            let path = folder.path().join(format!("{number}.experience.parquet"));
            let header = ExperienceHeader::new(None, None, sources).with_evaluations(book.has_evaluations());
            let mut writer = ExperienceWriter::create(&path, &header, Existing::Refuse)?;
            rows.try_for_each(|row| writer.push(&row?).map_err(Error::from))?;
            writer.finish()?;
            files.push(path);
        }
        Ok((!files.is_empty()).then_some(Self { files, folder }))
    }

    /// Merges the experience of all books, treating that of the last book as the newest.
    pub(super) fn union(&self) -> Result<Union> {
        debug_assert!(self.files.iter().all(|file| file.starts_with(self.folder.path())));
        Union::open(self.files.iter().map(PathBuf::as_path))
    }
}
