//! The header of an experience file: the table and the book that were used for learning, and the sources of
//! the values.

use std::{collections::BTreeMap, path::Path};

use serde::{Deserialize, Serialize};

use table::{Error, Result};

/// The newest version of the format, in which a file is written if it may have evaluations.
pub const EXPERIENCE_VERSION: u32 = 5;
/// The format version of files with positions but without evaluations.
const WITH_POSITIONS: u32 = 3;
/// The format version of files with neither positions nor evaluations, which older versions of Tabia can also
/// read.
const WITHOUT_POSITIONS: u32 = 2;
/// The first version whose files have a checksum of all their bytes.
const CHECKSUM_VERSION: u32 = 2;
/// The header's key in a file's key-value metadata.
pub(crate) const METADATA_KEY: &str = "tabia.experience";

const FORMAT: &str = "tabia-experience";

/// The table and the book that were used for learning, and the sources of the values.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
#[must_use]
pub struct ExperienceHeader {
    /// Always `tabia-experience`.
    format: String,
    /// The format version of the file. Files are written in version [`EXPERIENCE_VERSION`] if they may have
    /// evaluations, in version 3 if they have positions but no evaluations, and in version 2 in all other
    /// cases.
    version: u32,
    /// The digest of the table used for learning; `None` if there was no table, or more than one.
    pub table: Option<String>,
    /// The filters of the book used for learning, as `compact` describes them; `None` if there was no book,
    /// or more than one.
    pub book: Option<String>,
    /// The files and commands from which values were learned, sorted. Rows refer to sources by index.
    pub sources: Vec<ExperienceSource>,
    /// For rows of kind `position`, the FEN of each position, by its key in sixteen hexadecimal digits. A
    /// position may be missing, since a key cannot be turned back into its position.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub positions: BTreeMap<String, String>,
    /// Whether the file may have rows of the kinds `evaluation` and `minimax`. A file that may have such rows
    /// also has the columns that only these rows use.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub evaluations: bool,
}

/// A file or command that values come from.
#[derive(Clone, Debug, Default, Deserialize, Eq, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ExperienceSource {
    /// The source's name, which is unique in the list. A file is listed under its name without its directory.
    /// If two files with the same name differ, `@` and the first digits of the later file's hash are added to
    /// the later file's name.
    pub name: String,
    /// The kind of source, such as `crafty`, `games`, `annotations`, `evals` or `set`.
    pub teacher: String,
    /// The XXH3-64 of the file's bytes as sixteen hexadecimal digits; empty if the file was not read to its
    /// end, or the source is not a file.
    pub xxh3: String,
    /// The number of records or games in the source.
    pub records: u64,
    /// The number of records or games from which something was learned.
    pub taught: u64,
    /// The number of records or games from which nothing was learned, by cause.
    pub idle: BTreeMap<String, u64>,
    /// The number of records or games that were rejected, by reason.
    pub rejected: BTreeMap<String, u64>,
}

impl ExperienceHeader {
    /// Creates a header; `sources` may be in any order.
    ///
    /// # Panics
    ///
    /// Panics if two sources have the same name.
    pub fn new(table: Option<String>, book: Option<String>, mut sources: Vec<ExperienceSource>) -> Self {
        sources.sort();
        assert!(sources.windows(2).all(|two| two[0].name != two[1].name), "names of sources are unique");
        let (format, positions) = (FORMAT.to_owned(), BTreeMap::new());
        Self { format, version: WITHOUT_POSITIONS, table, book, sources, positions, evaluations: false }
    }

    /// Adds positions to the header.
    pub fn with_positions(mut self, positions: impl IntoIterator<Item = (String, String)>) -> Self {
        self.positions.extend(positions);
        self.in_present_version()
    }

    /// Sets whether the file may have evaluations.
    pub fn with_evaluations(self, evaluations: bool) -> Self {
        Self { evaluations, ..self }.in_present_version()
    }

    /// The index of the source called `name`.
    #[must_use]
    pub fn source(&self, name: &str) -> Option<u32> {
        self.sources.binary_search_by(|source| source.name.as_str().cmp(name)).ok().map(|place| place as u32)
    }

    /// Returns a copy of the header with the format version in which this version of Tabia writes files with
    /// such a header.
    pub(crate) fn in_present_version(&self) -> Self {
        let version = match (self.evaluations, self.positions.is_empty()) {
            (true, _) => EXPERIENCE_VERSION,
            (false, false) => WITH_POSITIONS,
            (false, true) => WITHOUT_POSITIONS,
        };
        Self { version, ..self.clone() }
    }

    /// Whether a file with this header has a checksum of all its bytes.
    pub(crate) fn has_file_checksum(&self) -> bool {
        self.version >= CHECKSUM_VERSION
    }

    pub(crate) fn to_json(&self) -> String {
        let Ok(text) = serde_json::to_string(self) else {
            unreachable!("a header has only string keys and plain values")
        };
        text
    }

    pub(crate) fn parse(text: &str, path: &Path) -> Result<Self> {
        #[derive(Deserialize)]
        struct Head {
            format: String,
            version: u32,
        }
        let bad = |what: String| Error::Manifest { path: path.to_owned(), what };
        let head: Head = serde_json::from_str(text).map_err(|error| bad(error.to_string()))?;
        if head.format != FORMAT {
            return Err(Error::NotAnExperience(path.to_owned()));
        }
        if head.version > EXPERIENCE_VERSION {
            let (expected, got) = (EXPERIENCE_VERSION, head.version);
            return Err(Error::ExperienceVersion { path: path.to_owned(), expected, got });
        }
        let header: Self = serde_json::from_str(text).map_err(|error| bad(error.to_string()))?;
        if header.sources.windows(2).any(|two| two[0].name >= two[1].name) {
            return Err(bad("its sources are not in order".to_owned()));
        }
        Ok(header)
    }
}
