//! Writes one part file.

use std::{
    fs::File,
    path::{Path, PathBuf},
};

use pages::ROW_GROUP_ROWS;
use parquet::file::writer::SerializedFileWriter;
use position::Key;

use crate::{
    Counting, Error, Result, RootRow, Row, ShardInfo,
    part::{
        checks::Checks,
        schema::{Column, PartColumn, properties, schema},
        syncer::SyncQueue,
        workspace::{STAGE_ROWS, Workspace, Workspaces},
    },
    roots::{RootsWriter, roots_beside, roots_name},
    shards::{key_range, part_name, shard_count_is_valid},
    sink::Sink,
};

/// Writes the rows of one shard, in ascending order, to its part file.
///
/// # Memory
///
/// Holds less than 8 MB, or 14 MB with ratings. The encoder takes less than 3 MB of this, and a buffer takes
/// 256 KiB. The columns of one row group grow by doubling to 131,072 rows. A row takes 15 bytes without
/// groups and 19 with groups. With groups, the columns take 2.5 MB, or 5.6 MB if there are ratings too. The
/// writer also holds about four kilobytes of metadata for every row group written.
pub struct ShardWriter {
    path: PathBuf,
    file: SerializedFileWriter<Sink>,
    layout: Vec<PartColumn>,
    shard: u32,
    sync: SyncQueue,
    range: (Key, Key),
    checks: Checks,
    workspace: Workspace,
    /// Receives `workspace` back when the file is finished.
    workspaces: Workspaces,
    roots: RootsWriter,
}

impl ShardWriter {
    pub(crate) fn create(
        dir: &Path,
        counting: &Counting,
        (shard, shards): (u32, u32),
        sync: SyncQueue,
        workspaces: Workspaces,
    ) -> Result<Self> {
        let path = dir.join(part_name(shard));
        let file = File::create_new(&path).map_err(Error::io(&path))?;
        let roots = RootsWriter::new(dir.join(roots_name(&part_name(shard))));
        Ok(Self { roots, ..Self::on(file, path, counting, (shard, shards), sync, workspaces)? })
    }

    /// Creates a writer for a new part file at `path` that does not belong to a table; a
    /// [`TableWriter`](crate::TableWriter) can [adopt](crate::TableWriter::adopt) it later. When
    /// [`finish`](Self::finish) returns, the file has been synced to disk.
    ///
    /// # Errors
    ///
    /// Fails if the file exists or cannot be created.
    ///
    /// # Panics
    ///
    /// Panics if there is no such shard.
    pub fn alone(path: &Path, counting: &Counting, shard: u32, shards: u32) -> Result<Self> {
        assert!(shard_count_is_valid(u64::from(shards)) && shard < shards, "shard {shard} of {shards}");
        let file = File::create_new(path).map_err(Error::io(path))?;
        let (sync, workspaces) = (SyncQueue::at_once(), Workspaces::default());
        Self::on(file, path.to_owned(), counting, (shard, shards), sync, workspaces)
    }

    /// Creates a writer for `file`, which is open at `path`.
    pub(crate) fn on(
        file: File,
        path: PathBuf,
        counting: &Counting,
        (shard, shards): (u32, u32),
        sync: SyncQueue,
        workspaces: Workspaces,
    ) -> Result<Self> {
        let open = || {
            let file = SerializedFileWriter::new(Sink::new(file), schema(counting)?, properties(counting))?;
            Ok((file, workspaces.take(counting)?))
        };
        let (file, workspace) = open().map_err(Error::parquet(&path))?;
        let descriptions = file.schema_descr().columns().iter().cloned();
        let columns = Column::layout(counting).into_iter().zip(descriptions);
        let layout = columns.map(|(kind, description)| PartColumn { kind, description }).collect();
        let range = key_range(shard, shards);
        Ok(Self {
            file,
            layout,
            shard,
            sync,
            range,
            checks: Checks::new(counting, range),
            workspace,
            workspaces,
            roots: RootsWriter::new(roots_beside(&path)),
            path,
        })
    }

    /// Adds a row; its ratings are ignored in a table without ratings.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be written, or if a row is out of order, has a key outside the shard or has a
    /// count above 2^63 - 1. Rows are checked in small batches, so the row at fault may be one that was added
    /// before this one.
    ///
    /// # Panics
    ///
    /// Panics if the row's group has a dimension that the table is not grouped by, or if its ratings are
    /// impossible for its number of games.
    #[inline]
    pub fn push(&mut self, row: &Row) -> Result<()> {
        self.workspace.staged.push(*row);
        if self.workspace.staged.len() == STAGE_ROWS { self.flush() } else { Ok(()) }
    }

    /// Adds rows.
    ///
    /// # Errors
    ///
    /// Fails as [`push`](Self::push) does.
    ///
    /// # Panics
    ///
    /// Panics as [`push`](Self::push) does.
    pub fn push_batch(&mut self, rows: &[Row]) -> Result<()> {
        self.flush()?;
        rows.chunks(STAGE_ROWS).try_for_each(|rows| self.append(rows))
    }

    /// Adds a root; roots must be added in strictly ascending order of key.
    ///
    /// # Errors
    ///
    /// Fails if the root cannot be written.
    ///
    /// # Panics
    ///
    /// Panics if the keys of the roots are not in strictly ascending order.
    pub fn push_root(&mut self, root: RootRow) -> Result<()> {
        self.roots.push(root)
    }

    /// Moves the staged rows to the columns.
    fn flush(&mut self) -> Result<()> {
        let mut staged = std::mem::take(&mut self.workspace.staged);
        let appended = self.append(&staged);
        staged.clear();
        self.workspace.staged = staged;
        appended
    }

    fn append(&mut self, rows: &[Row]) -> Result<()> {
        let bits = self.checks.check(rows, &self.path)?;
        let (now, later) = rows.split_at(rows.len().min(ROW_GROUP_ROWS - self.workspace.columns.len()));
        self.workspace.columns.extend(now, bits);
        if self.workspace.columns.len() == ROW_GROUP_ROWS {
            self.write_row_group()?;
        }
        self.workspace.columns.extend(later, bits);
        Ok(())
    }

    fn write_row_group(&mut self) -> Result<()> {
        let row_group = self.file.next_row_group().map_err(Error::parquet(&self.path))?;
        self.workspace
            .columns
            .write(&self.layout, &mut self.workspace.encoder, row_group)
            .map_err(Error::parquet(&self.path))
    }

    /// Writes the remaining rows and closes the file. A writer that was created by [`alone`](Self::alone)
    /// also waits until the file has been synced to disk. The files of all other writers may be synced later:
    /// [`TableWriter::finish`](crate::TableWriter::finish) waits for them.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be written.
    pub fn finish(mut self) -> Result<ShardInfo> {
        self.flush()?;
        if self.workspace.columns.len() > 0 {
            self.write_row_group()?;
        }
        let sink = self.file.into_inner().map_err(Error::parquet(&self.path))?;
        let (file, bytes, xxh3) = sink.finish().map_err(Error::io(&self.path))?;
        self.sync.push(self.path.clone(), file).map_err(Error::io(&self.path))?;
        let roots = self.roots.finish(&self.sync)?;
        self.workspaces.put_back(self.workspace);
        let (first, last) = self.range;
        let part = part_name(self.shard);
        Ok(ShardInfo {
            part,
            first,
            last,
            rows: self.checks.rows,
            tally: self.checks.tally,
            ratings: self.checks.ratings,
            bytes,
            xxh3,
            roots,
        })
    }
}
