//! Writes Parquet files: a single one, or the part files of a shard.

use std::{
    fs::{self, File},
    path::{Path, PathBuf},
};

use parquet::file::{metadata::KeyValue, writer::SerializedFileWriter};
use position::{Key, Tally};
use walk::shard_of;

use fault::FileFault;

use crate::{
    Error, KeyType, Result,
    cells::{CellColumns, RowCells},
    column::Spec,
};

/// A row group that takes more bytes than this in memory is finished early. Row groups of real games are
/// smaller.
const ROW_GROUP_BYTES: usize = 48 << 20;

/// A file that was written.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct PartInfo {
    /// The path relative to the output folder.
    pub path: String,
    /// The number of rows.
    pub rows: u64,
    /// Its size in bytes.
    pub bytes: u64,
    /// The sums of the columns `white`, `draws` and `black`, or zeros if the file does not have them.
    pub tally: Tally,
}

/// Writes one file.
///
/// # Memory
///
/// A writer buffers one row group of 131,072 rows as encoded pages (3 to 8 MB) and an open page, which takes
/// up to 1 MB for moves and positions. With long games, the row group is limited to 48 MiB, and the open page
/// to 4 MiB.
pub(crate) struct PartWriter {
    path: PathBuf,
    name: String,
    writer: SerializedFileWriter<File>,
    columns: CellColumns,
    rows: u64,
    tally: Tally,
}

impl PartWriter {
    /// Creates the file `name` in `dir`, and any parent folders that are missing.
    pub(crate) fn create(dir: &Path, name: String, spec: &Spec) -> Result<Self> {
        let path = dir.join(&name);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(FileFault::at(parent))?;
        }
        let file = File::create_new(&path).map_err(FileFault::at(&path))?;
        let open = || SerializedFileWriter::new(file, spec.schema()?, spec.properties());
        let writer = open().map_err(Error::parquet(&path))?;
        let columns = CellColumns::new(spec, &writer);
        Ok(Self { path, name, writer, columns, rows: 0, tally: Tally::default() })
    }

    /// Adds a row with the columns of the spec. The row's tally is added to the file's sums.
    pub(crate) fn push(&mut self, write: impl FnOnce(&mut RowCells<'_>), tally: Tally) -> Result<()> {
        let has_page_ended = self.columns.push(write).map_err(Error::parquet(&self.path))?;
        self.rows += 1;
        self.tally += tally;
        let row_group = &self.columns.row_group;
        let is_full = row_group.is_full() || has_page_ended && row_group.bytes() > ROW_GROUP_BYTES;
        if is_full { self.end_row_group() } else { Ok(()) }
    }

    /// The number of rows that are not in a finished row group yet.
    pub(crate) fn open_rows(&self) -> usize {
        self.columns.row_group.rows()
    }

    /// Ends the row group, if it has rows.
    pub(crate) fn end_row_group(&mut self) -> Result<()> {
        self.columns.row_group.write(&mut self.writer).map_err(Error::parquet(&self.path))
    }

    /// Ends the file and waits until it is on disk. The number of rows and the sums are appended to its
    /// key-value metadata.
    pub(crate) fn finish(mut self) -> Result<PartInfo> {
        self.end_row_group()?;
        let sums = [
            ("rows", self.rows),
            ("white", self.tally.white),
            ("draws", self.tally.draws),
            ("black", self.tally.black),
        ];
        for (name, sum) in sums {
            let sum = KeyValue::new(format!("tabia.{name}"), sum.to_string());
            self.writer.append_key_value_metadata(sum);
        }
        let file = self.writer.into_inner().map_err(Error::parquet(&self.path))?;
        file.sync_all().map_err(FileFault::at(&self.path))?;
        let bytes = file.metadata().map_err(FileFault::at(&self.path))?.len();
        Ok(PartInfo { path: self.name, rows: self.rows, bytes, tally: self.tally })
    }
}

/// The part files that the rows of one shard are written to. With signed keys even a table of a single
/// shard has two parts, because half of the keys are negative and come first.
pub(crate) struct ShardParts<'s> {
    dir: &'s Path,
    /// The folder of the part files, relative to `dir`.
    folder: String,
    spec: &'s Spec,
    parts: u32,
    open: Option<(u32, PartWriter)>,
    done: Vec<PartInfo>,
}

impl<'s> ShardParts<'s> {
    pub(crate) fn new(dir: &'s Path, folder: String, spec: &'s Spec, shards: u32) -> Self {
        let parts = part_count(spec.key_type, shards);
        Self { dir, folder, spec, parts, open: None, done: Vec::new() }
    }

    /// Returns the file that rows with this key belong to, which is created if necessary. Keys must be passed
    /// in ascending order.
    pub(crate) fn of_key(&mut self, key: Key) -> Result<&mut PartWriter> {
        let part = part_of(key, self.spec.key_type, self.parts);
        if self.open.as_ref().is_none_or(|(open, _)| *open != part) {
            self.end_part()?;
            let name = format!("{}/part-{part:05}.parquet", self.folder);
            self.open = Some((part, PartWriter::create(self.dir, name, self.spec)?));
        }
        let Some((_, writer)) = &mut self.open else { unreachable!("just opened") };
        Ok(writer)
    }

    /// The file that is being written.
    pub(crate) fn open_part(&mut self) -> Option<&mut PartWriter> {
        self.open.as_mut().map(|(_, writer)| writer)
    }

    fn end_part(&mut self) -> Result<()> {
        if let Some((_, writer)) = self.open.take() {
            self.done.push(writer.finish()?);
        }
        Ok(())
    }

    /// Ends the files. If there were no rows, an empty file is still written for the part that `first` would
    /// belong to, so that readers find the columns.
    pub(crate) fn finish(mut self, first: Key) -> Result<Vec<PartInfo>> {
        if self.done.is_empty() && self.open.is_none() {
            self.of_key(first)?;
        }
        self.end_part()?;
        Ok(self.done)
    }
}

/// The number of part files in an export of `shards` shards.
fn part_count(key_type: KeyType, shards: u32) -> u32 {
    match key_type {
        KeyType::U64 => shards,
        KeyType::I64 => shards.max(2),
    }
}

/// The number of the part that holds a key. Parts are numbered in the order in which keys are sorted in the
/// files.
fn part_of(key: Key, key_type: KeyType, parts: u32) -> u32 {
    shard_of(Key(key_type.order(key)), parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_ascend_as_keys_do() {
        let keys = [0, 1, u64::MAX >> 1, 1 << 63, u64::MAX].map(Key);
        assert_eq!(keys.map(|key| part_of(key, KeyType::U64, 4)), [0, 0, 1, 2, 3]);
        assert_eq!(keys.map(|key| part_of(key, KeyType::I64, 4)), [2, 2, 3, 0, 1]);
        assert_eq!(part_count(KeyType::I64, 1), 2);
        assert_eq!(keys.map(|key| part_of(key, KeyType::I64, 2)), [1, 1, 1, 0, 0]);
        assert_eq!(keys.map(|key| part_of(key, KeyType::U64, 1)), [0; 5]);
    }
}
