//! The header: magic, version, counts and the section table.
//!
//! # Format
//!
//! The header is the first 512 bytes of the file; its numbers are little-endian.
//!
//! | offset | bytes | |
//! |---|---|---|
//! | 0 | 8 | magic `TABIABK\n` |
//! | 8 | 4 | format version: 2 with evaluations among the experience, 1 without |
//! | 12 | 4 | sections in the table below |
//! | 16 | 8 | bytes of the whole file |
//! | 24 | 8 | positions |
//! | 32 | 8 | edges: kept moves of all positions |
//! | 40 | 8 | leaves: positions without a kept move |
//! | 48 | 4 | bucket bits |
//! | 52 | 4 | bytes of an offset in the index |
//! | 56 | 8 | zero |
//! | 64 | 18 × 24 | section table: id (4), zero (4), offset from the start of the file (8), length (8); unused records are zero |
//! | 496 | 8 | XXH3-64 of the checksum section |
//! | 504 | 8 | XXH3-64 of bytes 0–503 |
//!
//! | section id | |
//! |---|---|
//! | 1 | entries |
//! | 2 | index |
//! | 3 | provenance: UTF-8 JSON |
//! | 4 | checksums |
//! | 5 | experience index |
//! | 6 | experience rows |
//! | 7 | experience sources: UTF-8 JSON |
//! | 8 | roots: only if lines begin elsewhere than at the start position |
//!
//! Sections follow each other without gaps from byte 512 to the end of the file, in the order of the table,
//! with the checksums last. Either all three sections of experience are present, or none.
//!
//! # Stability
//!
//! A reader ignores sections with an unknown id, so later releases may add sections without a new version.
//! Any other change raises the version, and readers refuse a version above their own.

use std::{ops::Range, path::Path};

use xxhash_rust::xxh3::xxh3_64;
use zerocopy::{
    FromBytes, FromZeros, Immutable, IntoBytes, KnownLayout, Unaligned,
    little_endian::{U32, U64},
};

use crate::{BookStats, Error, Result, tabia::segment::EntryCounts};

/// The size of the header in bytes.
pub(crate) const HEADER_BYTES: usize = 512;
/// The newest format version, used for books with evaluations.
pub(crate) const VERSION: u32 = 2;
/// The version of a book without evaluations, which older readers can read too.
const WITHOUT_EVALUATIONS: u32 = 1;
const MAGIC: [u8; 8] = *b"TABIABK\n";
const SECTIONS_MAX: usize = 18;

/// The sections; every book has the first four.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[repr(u32)]
pub(crate) enum SectionId {
    Entries = 1,
    Index = 2,
    Provenance = 3,
    Checksums = 4,
    ExperienceIndex = 5,
    ExperienceRows = 6,
    ExperienceSources = 7,
    Roots = 8,
}

#[derive(Clone, Copy, Debug, FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned)]
#[repr(C)]
struct SectionRecord {
    id: U32,
    zero: U32,
    offset: U64,
    length: U64,
}

/// The header, laid out as in the file.
#[derive(Clone, Debug, FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned)]
#[repr(C)]
pub(crate) struct Header {
    magic: [u8; 8],
    version: U32,
    section_count: U32,
    file_bytes: U64,
    positions: U64,
    edges: U64,
    leaves: U64,
    pub(crate) bucket_bits: U32,
    pub(crate) offset_bytes: U32,
    zero: U64,
    sections: [SectionRecord; SECTIONS_MAX],
    pub(crate) checksums_xxh3: U64,
    own_xxh3: U64,
}

const _: () = assert!(size_of::<Header>() == HEADER_BYTES);

impl Header {
    /// Creates a header without sections or counts; its version depends on whether the book has evaluations.
    pub(crate) fn new(has_evaluations: bool) -> Self {
        let mut header = Self::new_zeroed();
        header.magic = MAGIC;
        header.version = if has_evaluations { VERSION } else { WITHOUT_EVALUATIONS }.into();
        header.file_bytes = (HEADER_BYTES as u64).into();
        header
    }

    /// Appends a section to the table. In the file, the section follows the sections that are already listed.
    pub(crate) fn add_section(&mut self, id: SectionId, length: u64) {
        let count = self.section_count.get();
        assert!((count as usize) < SECTIONS_MAX, "a version has fewer sections than the table");
        let record = SectionRecord {
            id: (id as u32).into(),
            zero: 0.into(),
            offset: self.file_bytes,
            length: length.into(),
        };
        self.sections[count as usize] = record;
        self.section_count = (count + 1).into();
        self.file_bytes += length;
    }

    /// Sets the checksum and returns the bytes to write.
    pub(crate) fn seal(&mut self) -> &[u8] {
        self.own_xxh3 = self.bytes_xxh3().into();
        self.as_bytes()
    }

    /// Sets the counts.
    pub(crate) fn set_counts(&mut self, counts: EntryCounts) {
        self.positions = counts.positions.into();
        self.edges = counts.edges.into();
        self.leaves = counts.leaves.into();
    }

    /// Returns the counts and sizes of a book whose entries and index have these lengths.
    pub(crate) fn stats(&self, entries_bytes: u64, index_bytes: u64) -> BookStats {
        BookStats {
            positions: self.positions.get(),
            edges: self.edges.get(),
            leaves: self.leaves.get(),
            bytes: self.file_bytes.get(),
            entries_bytes,
            index_bytes,
        }
    }

    fn bytes_xxh3(&self) -> u64 {
        xxh3_64(&self.as_bytes()[..HEADER_BYTES - 8])
    }

    /// Reads and checks a file's header. `start` is the first [`HEADER_BYTES`] bytes of the file, or the
    /// whole file if it is shorter.
    pub(crate) fn read(path: &Path, start: &[u8], file_bytes: u64) -> Result<Self> {
        if !start.starts_with(&MAGIC) {
            return Err(Self::without_magic(path, start));
        }
        let too_short =
            |_| Error::Length { path: path.to_owned(), expected: HEADER_BYTES as u64, got: file_bytes };
        let (header, _) = Self::read_from_prefix(start).map_err(too_short)?;
        if header.version.get() > VERSION {
            let (expected, got) = (VERSION, header.version.get());
            return Err(Error::NewerVersion { path: path.to_owned(), expected, got });
        }
        if header.own_xxh3.get() != header.bytes_xxh3() {
            return Err(corrupt(path, 504, "the header does not match its checksum"));
        }
        if header.file_bytes.get() != file_bytes {
            let expected = header.file_bytes.get();
            return Err(Error::Length { path: path.to_owned(), expected, got: file_bytes });
        }
        header.check_sections(path)?;
        Ok(header)
    }

    /// Returns the error for a file that does not begin with the magic bytes. If the rest of the file's
    /// header matches the checksum, the file is a damaged book; otherwise it is not a book.
    fn without_magic(path: &Path, start: &[u8]) -> Error {
        if let Ok((mut header, _)) = Self::read_from_prefix(start) {
            header.magic = MAGIC;
            if header.own_xxh3.get() == header.bytes_xxh3() {
                return corrupt(path, 0, "the magic is not TABIABK");
            }
        }
        Error::NotABook(path.to_owned())
    }

    /// Checks that sections follow each other to the end of the file, and that reserved fields are zero.
    fn check_sections(&self, path: &Path) -> Result<()> {
        if self.version.get() == 0 || self.section_count.get() as usize > SECTIONS_MAX || self.zero.get() != 0
        {
            return Err(corrupt(path, 8, "an invalid version or number of sections"));
        }
        let mut end = HEADER_BYTES as u64;
        for record in self.records() {
            if record.offset.get() != end || record.zero.get() != 0 {
                return Err(corrupt(path, 64, "sections that do not follow each other"));
            }
            end = end
                .checked_add(record.length.get())
                .ok_or_else(|| corrupt(path, 64, "a section that is too long"))?;
        }
        let last = self.records().last().map(|record| record.id.get());
        if end != self.file_bytes.get() || last != Some(SectionId::Checksums as u32) {
            return Err(corrupt(
                path,
                64,
                "the last section is not the checksums, or does not end with the file",
            ));
        }
        Ok(())
    }

    fn records(&self) -> &[SectionRecord] {
        &self.sections[..self.section_count.get() as usize]
    }

    /// Whether the experience may have evaluations.
    pub(crate) fn has_evaluations(&self) -> bool {
        self.version.get() > WITHOUT_EVALUATIONS
    }

    /// Whether the table lists the section.
    pub(crate) fn has(&self, id: SectionId) -> bool {
        self.records().iter().any(|record| record.id.get() == id as u32)
    }

    /// The byte range of a section in the file.
    pub(crate) fn section(&self, path: &Path, id: SectionId) -> Result<Range<usize>> {
        let mut found = self.records().iter().filter(|record| record.id.get() == id as u32);
        match (found.next(), found.next()) {
            (Some(record), None) => {
                let offset = record.offset.get() as usize;
                Ok(offset..offset + record.length.get() as usize)
            }
            _ => Err(corrupt(path, 64, "a section that is missing or occurs twice")),
        }
    }
}

/// An [`Error::Corrupt`].
pub(crate) fn corrupt(path: &Path, offset: u64, what: &'static str) -> Error {
    Error::Corrupt { path: path.to_owned(), offset, what }
}
