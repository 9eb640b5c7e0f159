//! Reads the records of a journal in order.

use std::{fs::File, path::PathBuf, sync::Arc};

use crate::{
    Error,
    piece::{Piece, Whole},
};

/// A record of a journal.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Entry {
    /// The record's number. The numbers in a journal are in ascending order, and no number is used twice.
    pub number: u64,
    /// The name of the record's source.
    pub source: String,
    /// The text that was appended, byte for byte.
    pub text: Vec<u8>,
}

/// The records that a journal had when [`Journal::read`](crate::Journal::read) was called, in order.
///
/// # Memory
///
/// Holds one record at a time.
#[derive(Debug)]
pub struct Entries {
    pub(crate) path: PathBuf,
    pub(crate) file: Arc<File>,
    /// The offset at which the next record begins.
    pub(crate) offset: u64,
    /// The offset at which the last record ends.
    pub(crate) end: u64,
}

impl Entries {
    /// The record at [`offset`](Self::offset), which was complete when the journal was checked.
    fn entry(&mut self) -> Result<Entry, Error> {
        let what = match Piece::at(&self.file, self.offset).map_err(Error::io(&self.path))? {
            Piece::Whole(Whole { frame, text, next }) => {
                self.offset = next;
                return Ok(Entry { number: frame.number, source: frame.source, text });
            }
            Piece::Damaged(what) => what,
            Piece::End | Piece::Torn => "a record that was whole is not there any more",
        };
        let offset = std::mem::replace(&mut self.offset, self.end);
        Err(Error::Damaged { path: self.path.clone(), offset, what })
    }
}

/// After an error the iterator returns nothing more.
impl Iterator for Entries {
    type Item = Result<Entry, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        (self.offset < self.end).then(|| self.entry())
    }
}
