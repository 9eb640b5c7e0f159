//! Reads an experience file.

use std::{
    fs::File,
    os::unix::fs::FileExt as _,
    path::{Path, PathBuf},
};

use pages::Rows;
use parquet::schema::{printer::print_schema, types::Type};
use position::{ExperienceKind, ExperienceRow, Key, PackedMove};

use super::{
    checksum, columns,
    digest::{self, Digest},
    header::{ExperienceHeader, METADATA_KEY},
    schema,
};
use table::{Error, Result, storage::FileBytes};

/// An open experience file whose header has been read.
#[derive(Clone, Debug)]
pub struct ExperienceFile {
    path: PathBuf,
    header: ExperienceHeader,
    rows: u64,
    xxh3: String,
    /// The open file whose checksum was compared. It is kept open, because there may be another file at the
    /// path by the time the rows are read.
    bytes: FileBytes,
}

impl ExperienceFile {
    /// Whether the file at `path` may be an experience file. Checks only that it begins or ends like a
    /// Parquet file, so a file with damaged first bytes is still recognised.
    #[must_use]
    pub fn is_likely(path: &Path) -> bool {
        File::open(path).is_ok_and(|file| has_magic(&file))
    }

    /// Opens the file at `path`, and compares its content with its checksum. A file of version 1 has a
    /// checksum of its rows only, which is compared as they are read. If an earlier process was interrupted
    /// while it replaced the file, the replacement is completed first.
    ///
    /// # Errors
    ///
    /// Fails if the file is not an experience file, has a newer format, or is damaged.
    pub fn open(path: &Path) -> Result<Self> {
        output::recover(path).map_err(Error::io(path))?;
        let mut file = File::open(path).map_err(Error::io(path))?;
        if !has_magic(&file) {
            return Err(Error::NotAnExperience(path.to_owned()));
        }
        let checked = checksum::check(&mut file, path)?;
        let bytes = FileBytes::new(file).map_err(Error::io(path))?;
        let reader = pages::open(bytes.clone()).map_err(Error::parquet(path))?;
        let metadata = reader.metadata().file_metadata();
        let value = |key| {
            let mut entries = metadata.key_value_metadata().into_iter().flatten();
            entries.find(|entry| entry.key == key).and_then(|entry| entry.value.clone())
        };
        let header = value(METADATA_KEY).ok_or_else(|| Error::NotAnExperience(path.to_owned()))?;
        let header = ExperienceHeader::parse(&header, path)?;
        if header.has_file_checksum() && !checked {
            let expected = format!("one under {}", checksum::METADATA_KEY);
            return Err(Error::Checksum { path: path.to_owned(), expected, got: "none".to_owned() });
        }
        let xxh3 = value(digest::METADATA_KEY).unwrap_or_default();
        let (expected, got) = (schema::of(&header).map_err(Error::parquet(path))?, metadata.schema());
        if got.get_fields() != expected.get_fields() {
            let (expected, got) = (printed(&expected), printed(got));
            return Err(Error::Mismatch { path: path.to_owned(), what: "schema", expected, got });
        }
        Ok(Self { path: path.to_owned(), header, rows: metadata.num_rows().cast_unsigned(), xxh3, bytes })
    }

    /// The path of the file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The file's header.
    pub fn header(&self) -> &ExperienceHeader {
        &self.header
    }

    /// The number of rows of all kinds.
    #[must_use]
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// The rows, in ascending order. Each row is checked as it is read; the checksum is compared after the
    /// last row.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read.
    pub fn read(&self) -> Result<ExperienceRows> {
        let reader = pages::open(self.bytes.clone()).map_err(Error::parquet(&self.path))?;
        let columns = reader.metadata().file_metadata().schema_descr().num_columns();
        let rows = Rows::new(reader, 0..columns);
        let (file, digest) = (self.clone(), Digest::new(&self.header));
        Ok(ExperienceRows { file, rows, row: 0, last: None, digest })
    }
}

fn printed(schema: &Type) -> String {
    let mut text = Vec::new();
    print_schema(&mut text, schema);
    String::from_utf8_lossy(&text).into_owned()
}

/// The magic bytes at the beginning and the end of a Parquet file.
const PARQUET_MAGIC: &[u8; 4] = b"PAR1";

/// Whether a file begins or ends with the magic bytes of a Parquet file.
fn has_magic(file: &File) -> bool {
    let last =
        file.metadata().map_or(0, |metadata| metadata.len()).saturating_sub(PARQUET_MAGIC.len() as u64);
    let mut magic = [0; PARQUET_MAGIC.len()];
    [0, last].into_iter().any(|at| file.read_exact_at(&mut magic, at).is_ok() && magic == *PARQUET_MAGIC)
}

/// The rows of an experience file, in ascending order.
///
/// # Memory
///
/// Holds a batch of rows (1,024), and the pages that contain it.
pub struct ExperienceRows {
    file: ExperienceFile,
    rows: Rows,
    row: u64,
    last: Option<(Key, PackedMove, ExperienceKind)>,
    digest: Digest,
}

impl ExperienceRows {
    fn next_row(&mut self) -> Result<Option<ExperienceRow>> {
        if !self.rows.advance().map_err(Error::parquet(&self.file.path))? {
            return self.check_digest().map(|()| None);
        }
        let value =
            |what: &str| Error::Value { path: self.file.path.clone(), row: self.row, what: what.to_owned() };
        let row = columns::row(&self.rows, &self.file.header).map_err(value)?;
        if self.last >= Some(row.id()) {
            return Err(value("rows that do not ascend"));
        }
        self.last = Some(row.id());
        self.digest.push(&row);
        self.row += 1;
        Ok(Some(row))
    }

    fn check_digest(&self) -> Result<()> {
        let path = self.file.path.clone();
        let expected = self.file.xxh3.clone();
        let got = self.digest.digits();
        if got == expected { Ok(()) } else { Err(Error::Checksum { path, expected, got }) }
    }
}

impl Iterator for ExperienceRows {
    type Item = Result<ExperienceRow>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_row().transpose()
    }
}
