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
    /// Unsigned, as they are: for DuckDB, Polars and pandas.
    #[default]
    U64,
    /// The same bits as a signed number (two's complement), sorted as signed numbers: for Spark and Iceberg,
    /// which have no unsigned 64-bit type.
    I64,
}

impl KeyType {
    /// A number that ascends as keys do in files.
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
    /// One row an edge, or an edge and group.
    Moves,
    /// One row a position.
    Positions,
    /// One row a position that has a name.
    Openings,
    /// One row a position, with the moves that lead there.
    Lines,
    /// One row a game that a table keeps as an example of a move.
    Examples,
}

fn no_key_type(text: &str) -> String {
    format!("expected u64 or i64, not `{text}`")
}

/// Looks up what is known of an edge beyond its counts. Several threads call it; each asks with ascending
/// (key, move) while it is in a shard.
pub type LookUp<'l> = dyn Fn(Key, PackedMove) -> Option<Experience> + Sync + 'l;

/// One shard of a table, exported by itself.
#[derive(Clone, Debug)]
pub struct OneShard {
    /// Its number, from 0.
    pub number: u32,
    /// What tells its table from others.
    pub table: String,
}

/// How to export. Threads, memory and temporary files never show in what is written.
#[derive(Clone, Debug)]
pub struct ExportOptions {
    /// How keys are written.
    pub key_type: KeyType,
    /// Whether moves go to a folder for every month (`month=2024-07`, unknown
    /// `month=__HIVE_DEFAULT_PARTITION__`), as Hive lays them out, instead of having a column `month`. It
    /// needs rows that are grouped by month.
    pub month_folders: bool,
    /// The folders that are written.
    pub folders: Vec<Folder>,
    /// Which rows are written.
    pub cut: Cut,
    /// Whether boards are found by the walk, which anything but rows with steps needs; see
    /// [`needs_boards`](Self::needs_boards).
    pub walks: bool,
    /// The one shard whose rows are written, in place of all.
    pub shard: Option<OneShard>,
    /// Names of columns that are written only if they are asked for.
    pub with: Vec<String>,
    /// Names of columns that are not written, in every file that has them; columns that rows are sorted by
    /// cannot be named.
    pub without: Vec<String>,
    /// Threads to work with.
    pub threads: usize,
    /// Bytes for sorting positions in the walk; see [`export`](crate::export) for the memory that is needed
    /// besides.
    pub memory_bytes: u64,
    /// Where temporary files go; they have no names there.
    pub temp_dir: PathBuf,
    /// Whether an export at the output's place is replaced.
    pub force: bool,
    /// The entries that the caller adds to every file's key-value metadata, such as how the games were
    /// counted.
    pub metadata: Vec<(String, String)>,
}

impl Default for ExportOptions {
    /// The default: unsigned keys; moves, positions and openings; all rows; no columns on request; one
    /// thread, 1 GiB, the system's directory for temporary files, nothing replaced.
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
    /// Whether anything that is written depends on the boards of positions, which the walk finds. Moves
    /// without SAN do not, if rows have steps.
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

    /// The spec of files with these columns, sorted by the first of them.
    pub(crate) fn spec(&self, file: &'static str, columns: Vec<Column>, sorted_by: u32) -> Spec {
        let Self { key_type, without, metadata, .. } = self.clone();
        Spec { file, columns, sorted_by, key_type, without, metadata }
    }
}
