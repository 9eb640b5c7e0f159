//! How to export.

use std::{fmt, path::PathBuf, str::FromStr};

use position::{Experience, Key, PackedMove};

use crate::Cut;

/// How keys are written.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum KeyType {
    /// Unsigned, as they are: DuckDB, Polars, pandas.
    #[default]
    U64,
    /// The same bits as a signed number (two's complement), sorted as signed numbers: Spark and Iceberg,
    /// which have no unsigned 64-bit type.
    I64,
}

impl KeyType {
    /// The name on the command line and in metadata.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            KeyType::U64 => "u64",
            KeyType::I64 => "i64",
        }
    }

    /// A number that ascends as keys do in files.
    pub(crate) fn order(self, key: Key) -> u64 {
        match self {
            KeyType::U64 => key.0,
            KeyType::I64 => key.0 ^ 1 << 63,
        }
    }

    /// The type of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        [KeyType::U64, KeyType::I64].into_iter().find(|key_type| key_type.name() == name)
    }
}

/// By [`KeyType::name`].
impl fmt::Display for KeyType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for KeyType {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::from_name(text).ok_or_else(|| format!("`{text}` is neither u64 nor i64"))
    }
}

/// A folder of an export.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Folder {
    /// One row an edge, or an edge and group.
    Moves,
    /// One row a position.
    Positions,
    /// One row a position that has a name.
    Openings,
    /// One row a position, with the moves that lead there.
    Lines,
}

impl Folder {
    const ALL: [Folder; 4] = [Folder::Moves, Folder::Positions, Folder::Openings, Folder::Lines];

    /// The name of the folder.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Folder::Moves => "moves",
            Folder::Positions => "positions",
            Folder::Openings => "openings",
            Folder::Lines => "lines",
        }
    }
}

/// By [`Folder::name`].
impl fmt::Display for Folder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Folder {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Folder::ALL.into_iter().find(|folder| folder.name() == text);
        found.ok_or_else(|| format!("`{text}` is none of moves, positions, openings, lines"))
    }
}

/// Looks up what is known of an edge beyond its counts. Called by several threads; each asks with ascending
/// (key, move) while it is in a shard.
pub type LookUp<'l> = dyn Fn(Key, PackedMove) -> Option<Experience> + Sync + 'l;

/// How to export. Threads, memory and temporary files never show in what is written.
#[derive(Clone, Debug)]
pub struct ExportOptions {
    /// How keys are written.
    pub key_type: KeyType,
    /// Whether moves go to a folder for every month (`month=2024-07`, unknown
    /// `month=__HIVE_DEFAULT_PARTITION__`), as Hive lays them out, instead of having a column `month`. Only
    /// for rows grouped by month.
    pub month_folders: bool,
    /// The folders that are written.
    pub folders: Vec<Folder>,
    /// Which rows are written.
    pub cut: Cut,
    /// Names of columns that are written only if they are asked for.
    pub with: Vec<String>,
    /// Names of columns that are not written, in whichever of the files has them; none
    /// that rows are sorted by.
    pub without: Vec<String>,
    /// Threads to work with.
    pub threads: usize,
    /// Bytes for sorting positions in the walk; see [`export`](crate::export) for what comes on top.
    pub memory_bytes: u64,
    /// Where temporary files go; they have no names there.
    pub temp_dir: PathBuf,
    /// Whether an export at the output's place is replaced.
    pub force: bool,
    /// What the caller adds to every file's key-value metadata, such as how the games were counted.
    pub metadata: Vec<(String, String)>,
}

impl Default for ExportOptions {
    /// Unsigned keys; moves, positions and openings, all rows, no columns that have to be asked for; one
    /// thread, 1 GiB, the system's directory for temporary files, nothing replaced.
    fn default() -> Self {
        Self {
            key_type: KeyType::default(),
            month_folders: false,
            folders: vec![Folder::Moves, Folder::Positions, Folder::Openings],
            cut: Cut::default(),
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
    pub(crate) fn has(&self, folder: Folder) -> bool {
        self.folders.contains(&folder)
    }
}
