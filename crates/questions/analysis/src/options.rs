//! The options of an export.

use std::path::PathBuf;

use position::{Experience, Key, PackedMove, no_name_of};
use strum::{Display, EnumString, IntoStaticStr, VariantNames};

use crate::{
    Cut,
    column::{Column, Spec},
};

/// How keys are written.
#[derive(Clone, Copy, Debug, Default, Display, EnumString, Eq, IntoStaticStr, PartialEq)]
#[strum(parse_err_fn = no_key_type, parse_err_ty = String, serialize_all = "lowercase")]
pub enum KeyType {
    /// Unsigned and unchanged, for DuckDB, Polars and pandas.
    #[default]
    U64,
    /// Signed numbers with the same bits (two's complement), in signed order, for Spark and Iceberg, which
    /// have no unsigned 64-bit type.
    I64,
}

impl KeyType {
    /// Converts a key to a number. The numbers are in the same order as the keys in the files.
    pub(crate) fn order(self, key: Key) -> u64 {
        match self {
            KeyType::U64 => key.0,
            KeyType::I64 => key.0 ^ 1 << 63,
        }
    }
}

/// A folder of an export.
#[derive(Clone, Copy, Debug, Display, EnumString, Eq, IntoStaticStr, PartialEq, VariantNames)]
#[strum(parse_err_fn = no_name_of::<Folder>, parse_err_ty = String, serialize_all = "lowercase")]
pub enum Folder {
    /// One row for each edge, or for each edge and group.
    Moves,
    /// One row for each position.
    Positions,
    /// One row for each position that has a name.
    Openings,
    /// One row for each position, with the moves that lead to it.
    Lines,
    /// One row for each game that a table keeps as an example of a move.
    Examples,
}

fn no_key_type(text: &str) -> String {
    format!("expected u64 or i64, not `{text}`")
}

/// Looks up the experience for an edge: the values that were learned or set by hand. Several threads call
/// this function. Within a shard, each thread calls it in ascending order of (key, move).
pub type LookUp<'l> = dyn Fn(Key, PackedMove) -> Option<Experience> + Sync + 'l;

/// A single shard, which is exported without the other shards of its table.
#[derive(Clone, Debug)]
pub struct OneShard {
    /// The shard's number, from 0.
    pub number: u32,
    /// Identifies the shard's table.
    pub table: String,
}

/// How to export. The number of threads, the memory and the temporary directory never affect what is written.
#[derive(Clone, Debug)]
pub struct ExportOptions {
    /// How keys are written.
    pub key_type: KeyType,
    /// Whether to write moves to one folder per month instead of adding a column `month`. Folders are named
    /// as in Hive: `month=2024-07`, or `month=__HIVE_DEFAULT_PARTITION__` if the month is unknown. Rows must
    /// be grouped by month.
    pub month_folders: bool,
    /// The folders that are written.
    pub folders: Vec<Folder>,
    /// Which rows are written.
    pub cut: Cut,
    /// Whether to run the walk, which finds the board of every position that it reaches. Without boards, only
    /// rows with steps can be exported, and only to some of the folders; see
    /// [`needs_boards`](Self::needs_boards).
    pub walks: bool,
    /// The only shard whose rows are written; if it is `None`, all shards are written.
    pub shard: Option<OneShard>,
    /// Names of columns to write in addition to the columns that are written by default.
    pub with: Vec<String>,
    /// Names of columns to leave out of every file. Columns that rows are sorted by cannot be left out.
    pub without: Vec<String>,
    /// The number of threads.
    pub threads: usize,
    /// How much memory, in bytes, the walk may use to sort positions.
    /// [`prepare_export`](crate::prepare_export) documents how much additional memory an export needs.
    pub memory_bytes: u64,
    /// The directory for temporary files. Temporary files have no names, so they never appear in a listing of
    /// this directory.
    pub temp_dir: PathBuf,
    /// Whether to replace an export that already exists at the output path.
    pub force: bool,
    /// Entries to add to every file's key-value metadata, such as how the games were counted.
    pub metadata: Vec<(String, String)>,
}

impl Default for ExportOptions {
    /// By default, keys are unsigned, and all rows of moves, positions and openings are exported, without the
    /// columns that are written only on request. The export uses one thread, 1 GiB and the system's directory
    /// for temporary files, and does not replace an existing export.
    fn default() -> Self {
        Self {
            key_type: KeyType::default(),
            month_folders: false,
            folders: vec![Folder::Moves, Folder::Positions, Folder::Openings],
            cut: Cut::default(),
            walks: true,
            shard: None,
            with: Vec::new(),
            without: Vec::new(),
            threads: 1,
            memory_bytes: 1 << 30,
            temp_dir: std::env::temp_dir(),
            force: false,
            metadata: Vec::new(),
        }
    }
}

impl ExportOptions {
    /// Whether the export needs the boards that the walk finds. Most folders need them, and so do the options
    /// `origin` and `max_ply` of the cut. Boards are not needed to write `examples/` or, if rows have steps,
    /// `moves/` without the column `san`.
    #[must_use]
    pub fn needs_boards(&self) -> bool {
        let is_without_san = self.without.iter().any(|column| column == "san");
        let is_of_rows = |folder: &Folder| match folder {
            Folder::Moves => is_without_san,
            folder => *folder == Folder::Examples,
        };
        self.cut.origin.is_some() || self.cut.max_ply.is_some() || !self.folders.iter().all(is_of_rows)
    }

    pub(crate) fn has(&self, folder: Folder) -> bool {
        self.folders.contains(&folder)
    }

    /// The spec of a file with these columns; rows are sorted by the first `sorted_by` of them.
    pub(crate) fn spec(&self, file: &'static str, columns: Vec<Column>, sorted_by: u32) -> Spec {
        let Self { key_type, without, metadata, .. } = self.clone();
        Spec { file, columns, sorted_by, key_type, without, metadata }
    }
}
