//! Reads the file at an offset, and finds a whole record, the end of the file, or a record that is incomplete
//! or damaged.

use std::{fs::File, io, os::unix::fs::FileExt as _};

use crate::frame::{Frame, LINE_BYTES_MAX, MARK, TEXT_BYTES_MAX};

/// The maximum number of bytes that an interrupted append can leave behind.
const RECORD_BYTES_MAX: u64 = (LINE_BYTES_MAX + TEXT_BYTES_MAX + 1) as u64;

/// The content of the file at an offset.
#[derive(Debug)]
pub(crate) enum Piece {
    /// The file ends there.
    End,
    /// A record.
    Whole(Whole),
    /// The beginning of a record whose append was interrupted; it extends to the end of the file.
    Torn,
    /// Anything else.
    Damaged(&'static str),
}

/// A whole record.
#[derive(Debug)]
pub(crate) struct Whole {
    pub(crate) frame: Frame,
    pub(crate) text: Vec<u8>,
    /// The offset of the next record.
    pub(crate) next: u64,
}

impl Piece {
    /// Reads the file at `offset`, where a record should begin.
    pub(crate) fn at(file: &File, offset: u64) -> io::Result<Self> {
        let file_bytes = file.metadata()?.len();
        if offset == file_bytes {
            return Ok(Self::End);
        }
        if offset > file_bytes {
            return Ok(Self::Damaged("the file is shorter than it was"));
        }
        match whole(file, offset)? {
            Ok(whole) => Ok(Self::Whole(whole)),
            Err(fault) => fault.judge(file, offset, file_bytes),
        }
    }
}

/// Returns the line that begins at `offset`, without its line feed, or `None` if the line is too long or the
/// file ends within it.
pub(crate) fn line_at(file: &File, offset: u64) -> io::Result<Option<Vec<u8>>> {
    let mut line = read_at_most(file, offset, LINE_BYTES_MAX)?;
    let end = line.iter().position(|&byte| byte == b'\n');
    Ok(end.map(|end| {
        line.truncate(end);
        line
    }))
}

/// The reason why there is no complete record at an offset.
#[derive(Clone, Copy)]
enum Fault {
    /// The file ends within the line.
    Line,
    /// The line does not belong to a record, or its checksum is wrong.
    Frame,
    /// The file ends within the text.
    Text,
    /// The text does not match its checksum, or is not followed by a line feed.
    Checksum,
}

impl Fault {
    fn what(self) -> &'static str {
        match self {
            Self::Line | Self::Frame => "the line before a record is wrong",
            Self::Text => "a record is shorter than it says, and another one follows",
            Self::Checksum => "a record does not match its checksum",
        }
    }

    /// Decides whether an interrupted append could have caused the fault. A killed process or a full disk
    /// leaves the first bytes of a record. After a crash of the machine, the file may have the length of the
    /// whole record but contain blocks of zeros, since the length and the blocks reach the disk in no
    /// particular order. A record that is complete but wrong was damaged later.
    fn judge(self, file: &File, offset: u64, file_bytes: u64) -> io::Result<Piece> {
        let damaged = Ok(Piece::Damaged(self.what()));
        if file_bytes - offset > RECORD_BYTES_MAX {
            return damaged;
        }
        let rest = read_at_most(file, offset, (file_bytes - offset) as usize)?;
        let is_beginning = match self {
            Self::Line => rest.iter().zip(MARK.as_bytes()).all(|(found, expected)| found == expected),
            Self::Text => true,
            Self::Frame | Self::Checksum => false,
        };
        if !(is_beginning || rest.contains(&0)) || has_whole_record(file, offset, &rest)? {
            return damaged;
        }
        Ok(Piece::Torn)
    }
}

/// Returns the record at `offset`, or the reason why there is none.
fn whole(file: &File, offset: u64) -> io::Result<Result<Whole, Fault>> {
    let Some(line) = line_at(file, offset)? else { return Ok(Err(Fault::Line)) };
    let Some(frame) = Frame::read(&line) else { return Ok(Err(Fault::Frame)) };
    let begin = offset + line.len() as u64 + 1;
    let mut text = read_at_most(file, begin, frame.bytes + 1)?;
    if text.len() <= frame.bytes {
        return Ok(Err(Fault::Text));
    }
    if text.pop() != Some(b'\n') || !frame.is_of(&text) {
        return Ok(Err(Fault::Checksum));
    }
    let next = begin + frame.bytes as u64 + 1;
    Ok(Ok(Whole { frame, text, next }))
}

/// Whether a whole record begins anywhere in `rest` except at its first byte. `rest` holds the bytes of the
/// file, starting at `offset`.
fn has_whole_record(file: &File, offset: u64, rest: &[u8]) -> io::Result<bool> {
    for at in 1..rest.len() {
        let begins_line = rest[at - 1] == b'\n' && rest[at..].starts_with(MARK.as_bytes());
        if begins_line && whole(file, offset + at as u64)?.is_ok() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Reads `bytes` bytes from `offset`, or fewer if the file ends first.
fn read_at_most(file: &File, offset: u64, bytes: usize) -> io::Result<Vec<u8>> {
    let left = file.metadata()?.len().saturating_sub(offset);
    let mut buffer = vec![0; bytes.min(usize::try_from(left).unwrap_or(usize::MAX))];
    file.read_exact_at(&mut buffer, offset)?;
    Ok(buffer)
}
