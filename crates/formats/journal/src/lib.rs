//! A file of numbered records. Once appended, a record survives even if the process is killed.
//!
//! Several processes may have a [`Journal`] open at the same time. Each [`append`](Journal::append) takes the
//! lock of the file, reads the records that other processes have appended, and returns when its own record is
//! on disk. [`Entry`] is a record with its number and its source; [`Entries`] reads them in order.
//!
//! # Format
//!
//! A journal is a text file. The journal of games is also a PGN file that every reader accepts: everything
//! except the callers' texts is in lines that begin with `%`, which PGN skips (PGN standard, section 6).
//!
//! - The first line is `% tabia-journal 1 given=N line=HEX`: numbers up to N had been assigned when the file
//!   was written.
//! - A record is the line `% tabia-journal 1 number=N bytes=B xxh3=HEX source=NAME line=HEX`, the B bytes of
//!   its text and a line feed. The numbers of the records are in ascending order; the numbers of removed
//!   records are not used again.
//! - `xxh3` is the XXH3-64 of the text, and `line` is the XXH3-64 of the line up to the space before `line`,
//!   each as 16 hex digits.
//!
//! # Flow
//!
//! 1. [`Journal::open`] creates the file, or checks every record in it. If the process was killed or the disk
//!    was full, the last record may be unfinished. `open` removes an unfinished record, because `append`
//!    never returned its number.
//! 2. [`Journal::append`] writes a record, syncs the file and returns the number.
//! 3. [`Journal::read`] returns the records whose numbers are above a given number.
//! 4. [`Journal::retain`] rewrites the file without records that are no longer needed.
//!
//! # Example
//!
//! ```
//! use journal::Journal;
//!
//! let dir = tempfile::tempdir()?;
//! let mut journal = Journal::open(&dir.path().join("games.journal"))?;
//! assert_eq!(journal.append("an engine", b"1. e4 e5 1-0\n")?, 1);
//! assert_eq!(journal.append("an engine", b"1. d4 d5 0-1\n")?, 2);
//! let texts = journal.read(1)?.map(|entry| entry.map(|entry| entry.text));
//! let texts: Vec<_> = texts.collect::<Result<_, _>>()?;
//! assert_eq!(texts, [b"1. d4 d5 0-1\n"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod entries;
mod error;
mod frame;
mod journal;
mod piece;
#[cfg(test)]
mod tests;

pub use entries::{Entries, Entry};
pub use error::Error;
pub use frame::{SOURCE_BYTES_MAX, TEXT_BYTES_MAX};
pub use journal::Journal;
