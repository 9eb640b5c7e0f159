//! Counts the positions that a suite shares with another one.

use std::{
    collections::HashSet,
    fs,
    path::{Path, PathBuf},
};

use position::Key;
use serde::Serialize;
use shakmaty::{CastlingMode, Chess, fen::Epd};

use super::Opening;
use fault::FileFault;

use crate::{Error, Result};

/// Positions of another suite.
#[derive(Clone, Debug)]
pub struct OtherSuite {
    path: PathBuf,
    keys: HashSet<Key>,
}

/// How many positions two suites share.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Overlap {
    /// The other suite's file.
    pub path: String,
    /// The number of distinct positions in the other suite.
    pub positions: u64,
    /// The number of positions that are in both suites.
    pub shared: u64,
}

impl OtherSuite {
    /// Reads an EPD or FEN file with one position per line. Anything after the fourth field is ignored.
    ///
    /// # Errors
    ///
    /// Fails with [`Error::OtherSuite`] if a line is not a legal position, and with [`FileFault`] if the file
    /// cannot be read.
    pub fn read(path: &Path) -> Result<Self> {
        let mut keys = HashSet::new();
        each_position(path, |key, _| _ = keys.insert(key))?;
        Ok(Self { path: path.into(), keys })
    }

    /// Whether this suite contains a position.
    pub(super) fn has(&self, key: Key) -> bool {
        self.keys.contains(&key)
    }

    /// The number of positions that this suite shares with these openings.
    #[must_use]
    pub fn overlap(&self, openings: &[Opening]) -> Overlap {
        let shared = openings.iter().filter(|opening| self.has(opening.key)).count();
        Overlap {
            path: self.path.display().to_string(),
            positions: self.keys.len() as u64,
            shared: shared as u64,
        }
    }
}

/// Calls `each` with the key of every position in an EPD or FEN file, and with the line of text that contains
/// it.
pub(crate) fn each_position(path: &Path, mut each: impl FnMut(Key, &str)) -> Result<()> {
    let text = fs::read(path).map_err(FileFault::of("read", path))?;
    let text = String::from_utf8_lossy(&text);
    for (index, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        if !line.trim().is_empty() {
            let wrong = |what| Error::OtherSuite { path: path.into(), line: index + 1, what };
            each(key_of(line).map_err(wrong)?, line);
        }
    }
    Ok(())
}

/// Returns the key of the position on a line of EPD or FEN, or a message that says what is wrong with the
/// line.
fn key_of(line: &str) -> Result<Key, String> {
    let fields: Vec<_> = line.split_whitespace().take(4).collect();
    let epd: Epd = fields.join(" ").parse().map_err(|error| format!("no position: {error}"))?;
    let position: Chess = epd.into_position(CastlingMode::Standard).map_err(|error| error.to_string())?;
    Ok(Key::of(&position))
}
