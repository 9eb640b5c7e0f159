//! Reads text line by line. Errors contain the number of the line.

use std::{
    fs::File,
    io::{self, BufRead, BufReader, Read as _},
    path::{Path, PathBuf},
};

use fault::FileFault;
use output::is_stdout;
use position::Key;
use run::{Error, Result};
use serde::de::DeserializeOwned;

use crate::BooksError;

/// The maximum length of a line in bytes. Even a line with every legal move and every kind of experience is
/// far shorter.
const LINE_BYTES_MAX: u64 = 64 << 20;

/// The lines of a file, or of standard input.
pub(super) struct Lines {
    path: PathBuf,
    input: Box<dyn BufRead>,
    text: Vec<u8>,
    number: u64,
    /// The key of the position read last.
    last: Option<Key>,
}

impl Lines {
    /// Opens the file at `path`, or standard input if `path` is `-`.
    pub(super) fn open(path: &Path) -> Result<Self> {
        let input: Box<dyn BufRead> = if is_stdout(path) {
            Box::new(BufReader::new(io::stdin()))
        } else {
            let file = File::open(path);
            Box::new(BufReader::with_capacity(1 << 16, file.map_err(FileFault::of("read", path))?))
        };
        Ok(Self { path: path.into(), input, text: Vec::new(), number: 0, last: None })
    }

    /// Reads the next line that is not blank, or returns `None` at the end.
    pub(super) fn next<T: DeserializeOwned>(&mut self) -> Result<Option<T>> {
        loop {
            self.text.clear();
            let mut bounded = (&mut self.input).take(LINE_BYTES_MAX);
            let read = bounded.read_until(b'\n', &mut self.text);
            if read.map_err(FileFault::of("read", &self.path))? == 0 {
                return Ok(None);
            }
            self.number += 1;
            if self.text.len() as u64 == LINE_BYTES_MAX {
                return Err(self.wrong(&"longer than 64 MiB, so not a position of a book"));
            }
            if !self.text.trim_ascii().is_empty() {
                let read = serde_json::from_slice(&self.text).map(Some);
                return read.map_err(|error| self.wrong(&in_column(&error)));
            }
        }
    }

    /// Reads the next line as a position, whose key must be greater than the previous position's; returns
    /// `None` at the end.
    pub(super) fn position<L: DeserializeOwned, M>(
        &mut self,
        meant: impl FnOnce(L) -> Result<(Key, M), String>,
    ) -> Result<Option<M>> {
        let Some(line) = self.next()? else { return Ok(None) };
        let (key, meaning) = meant(line).map_err(|why| self.wrong(&why))?;
        match self.last.replace(key) {
            Some(last) if last >= key => Err(self.wrong(&format!(
                "the key {key} comes after {last}, but lines must ascend by key and have each key once"
            ))),
            _ => Ok(Some(meaning)),
        }
    }

    /// The name of the text in error messages.
    pub(super) fn name(&self) -> PathBuf {
        if is_stdout(&self.path) { "standard input".into() } else { self.path.clone() }
    }

    /// The error for the line that was read last.
    pub(super) fn wrong(&self, why: &impl ToString) -> Error {
        BooksError::Line { path: self.name(), line: self.number.max(1), why: why.to_string() }.into()
    }
}

/// The text of a JSON error, with its column but without the line number that the parser adds.
fn in_column(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    match text.strip_suffix(&place) {
        Some(what) => format!("{what} (column {})", error.column()),
        None => text,
    }
}
