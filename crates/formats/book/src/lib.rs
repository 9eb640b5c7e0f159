//! Reads and writes book files, and exports them to Polyglot. A book file is immutable, and answers a probe
//! in well under a microsecond.
//!
//! [`BookWriter`] writes [`PositionEntry`]s in one pass, [`Book`] opens the file and probes it,
//! [`BookFilter`] decides which moves are kept, and [`polyglot`] reads and writes the format that other
//! programs use.
//!
//! # Flow
//!
//! 1. A [`BookFilter`] drops moves from each position of a table, in ascending order of key.
//! 2. The kept moves are passed to a [`BookWriter`], position by position or as [`Segment`]s that several
//!    threads encode.
//! 3. [`Book::open`] maps the file; [`Book::probe`] finds a position, [`Book::positions`] walks all
//!    positions, [`Book::verify`] checks every byte.
//! 4. [`polyglot::write`] exports a book as a Polyglot book (`.bin`).
//!
//! # Format
//!
//! A book consists of a header, the entries, an index of buckets, the provenance, the experience if there is
//! any, and the checksums. Each section is described in the file that reads and writes it;
//! `docs/book-format.md` describes the format as a whole.
//!
//! # Example
//!
//! ```
//! use book::{Book, BookEdge, BookWriter, Existing, PositionEntry};
//! use position::{Key, PackedMove, Tally};
//! use shakmaty::{Color, Square};
//!
//! # let directory = tempfile::tempdir()?;
//! # let path = directory.path().join("small.tabia");
//! let tally = Tally { white: 3, draws: 2, black: 1 };
//! let e2e4 = BookEdge { mv: PackedMove::new(Square::E2, Square::E4, None), tally };
//! let start = PositionEntry { key: Key::START, turn: Color::White, tally, edges: vec![e2e4] };
//!
//! let mut writer = BookWriter::create(&path, &serde_json::json!({}), 1, Existing::Refuse)?;
//! writer.push(&start)?;
//! writer.finish()?;
//!
//! assert_eq!(Book::open(&path)?.probe(Key::START)?, Some(start));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod abk;
pub mod ctg;
mod error;
mod filter;
mod in_memory;
mod named_values;
pub mod polyglot;
mod tabia;

pub use error::{Error, Result};
pub use filter::{BookFilter, PerColor, Ratio};
pub use in_memory::InMemory;
pub use output::Existing;
pub use position::Edge as BookEdge;
pub use tabia::{Book, BookStats, BookWriter, Child, JoinedBooks, PositionEntry, Positions, Rows, Segment};
