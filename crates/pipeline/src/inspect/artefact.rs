//! What kind of thing a path names, told by its content.

use std::{
    fs::File,
    io::Read as _,
    path::{Path, PathBuf},
};

use crate::{Error, Result};

/// Something Tabia can look into, opened.
pub enum Artefact {
    /// A `.tabia` book.
    Book(book::Book),
    /// A table.
    Table(table::Table),
    /// A Polyglot book.
    Polyglot(book::polyglot::Reader),
}

impl Artefact {
    /// Opens what `path` names.
    ///
    /// # Errors
    ///
    /// If it is none of the three, or damaged.
    pub fn open(path: &Path) -> Result<Self> {
        if path.is_dir() {
            return Ok(Self::Table(table::Table::open(path)?));
        }
        let mut magic = [0; 8];
        let file_error = |source| Error::File { action: "read", path: PathBuf::from(path), source };
        let read =
            File::open(path).and_then(|mut file| read_some(&mut file, &mut magic)).map_err(file_error)?;
        if read == magic.len() && magic == *b"TABIABK\n" {
            return Ok(Self::Book(book::Book::open(path)?));
        }
        Ok(Self::Polyglot(book::polyglot::Reader::open(path)?))
    }
}

fn read_some(file: &mut File, buffer: &mut [u8]) -> std::io::Result<usize> {
    let mut read = 0;
    while read < buffer.len() {
        match file.read(&mut buffer[read..])? {
            0 => break,
            more => read += more,
        }
    }
    Ok(read)
}
