//! Finds copies of games when several machines each read a section of the inputs.
//!
//! # Flow
//!
//! 1. One machine sorts the candidates of a section ([`Section`]) into buckets by their moves.
//! 2. A machine gets a bucket's candidates from all sections and compares them ([`settle`]). The same machine
//!    writes the copies and the fingerprints of the kept games to a file ([`FoundFile`]).
//! 3. The machine that counts a section looks up the section's copies in the files of all buckets
//!    ([`Copies::of_section`]).
//!
//! # Format
//!
//! A bucket's file consists of four blocks of little-endian numbers:
//!
//! 1. Two numbers for each section: how many copies there are up to and including this section, and the
//!    XXH3-64 of this section's own copies.
//! 2. The copies, sorted by place in ascending order, as in `list.rs`.
//! 3. The fingerprints of the kept games, as in `stayed.rs`.
//! 4. The number of these fingerprints, and their XXH3-64.
//!
//! In this file, the place of a game contains the number of its section instead of the number of its input.

use std::{
    io::{self, BufReader, Read, Seek, SeekFrom, Write},
    ops::Range,
    path::Path,
    sync::Mutex,
};

use extsort::{BucketRows, Item as _, Least, Sorted, Sorter};
use fault::FileFault;
use pgn::input::{Place, ReadAt, ReadInputs};
use position::Fingerprint;
use run::{Context, Result, SettingError};
use xxhash_rust::xxh3::Xxh3Default;

use super::{
    candidate::{Candidate, SERIAL_BITS, WORDS},
    finder::{BUCKETS, Finder},
    list::{COPY_BYTES, Copies, Copy, FoundCopies},
    stayed::each_stayed,
};

/// How many payload bits a sorted candidate has.
pub const CANDIDATE_PAYLOAD_BITS: u32 = Candidate::PAYLOAD_BITS;
/// The maximum number of sections. If there were more, candidates in different sections would have the same
/// serial numbers.
pub const SECTIONS_MAX: u32 = 1 << (SERIAL_BITS - GAMES_BITS);
/// How many bits of a serial number distinguish the games within a section.
const GAMES_BITS: u32 = 28;
const INDEX_BYTES: u64 = 16;

/// A section of the inputs, and how the candidates in this section are numbered and sorted.
#[derive(Clone, Debug)]
pub struct Section {
    number: u32,
    /// The serial numbers for games of this section.
    pub(super) serials: Range<u64>,
    pub(super) buckets: u32,
    pub(super) run_source: u64,
}

impl Section {
    /// All of the inputs.
    pub(super) fn whole() -> Self {
        Self { number: 0, serials: 0..1 << SERIAL_BITS, buckets: BUCKETS, run_source: 0 }
    }

    /// Makes section `number`, which must be less than [`SECTIONS_MAX`]. The section's candidates are sorted
    /// into `buckets` buckets. Their run gets the source number `run_source`.
    #[must_use]
    pub fn new(number: u32, buckets: u32, run_source: u64) -> Self {
        let [start, end] = [number, number + 1].map(|number| u64::from(number) << GAMES_BITS);
        Self { number, serials: start..end, buckets, run_source }
    }

    /// Converts a game's place in this section to its place among all sections.
    pub(super) fn place(&self, place: Place) -> Place {
        Place { input: self.number + place.input, ..place }
    }

    /// Refuses a serial number that is beyond the section's range.
    pub(super) fn check_serial(&self, serial: u64) -> Result<()> {
        if serial < self.serials.end {
            return Ok(());
        }
        let games = self.serials.end - self.serials.start;
        let why = format!("cannot find copies in a chunk of {games} games or more: plan smaller chunks");
        Err(SettingError::because("dedup_games", why).into())
    }
}

/// Compares a bucket's candidates from all `sections`, and writes the bucket's file.
pub fn settle(
    context: &Context,
    candidates: BucketRows<WORDS, Least>,
    sections: u32,
    (out, path): (impl Write + Seek, &Path),
) -> Result<()> {
    let stayed = Sorter::new(context.sorting(1, context.memory.count / 2, context.threads))?;
    let finder = Finder {
        context,
        copies: Sorter::new(context.sorting(1, context.memory.leaves, context.threads))?,
        stayed: Some(stayed),
        table: None,
        crowd: Mutex::default(),
    };
    finder.settle_rows(candidates)?;
    let stayed = finder.stayed.map(Sorter::finish).transpose()?;
    let mut out = FoundWriter { out, path, ends: Vec::new(), count: 0, hash: Xxh3Default::new() };
    out.seek(u64::from(sections) * INDEX_BYTES)?;
    out.write_copies(&finder.copies.finish()?, sections)?;
    stayed.as_ref().map_or(Ok(()), |stayed| out.write_stayed(stayed))?;
    out.write_index()
}

/// Writes the file of a bucket.
struct FoundWriter<'p, W> {
    out: W,
    path: &'p Path,
    /// The index so far.
    ends: Vec<[u64; 2]>,
    count: u64,
    hash: Xxh3Default,
}

impl<W: Write + Seek> FoundWriter<'_, W> {
    fn seek(&mut self, at: u64) -> Result<()> {
        self.out.seek(SeekFrom::Start(at)).map(drop).map_err(FileFault::of("write", self.path))
    }

    fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.hash.update(bytes);
        self.out.write_all(bytes).map_err(FileFault::of("write", self.path))
    }

    /// Adds the sections before `end` to the index, unless they are already there. All copies of these
    /// sections must have been written.
    fn end_sections(&mut self, end: u32) {
        while self.ends.len() < end as usize {
            self.ends.push([self.count, self.hash.digest()]);
            self.hash.reset();
        }
    }

    fn write_copies(&mut self, copies: &Sorted<2, Least>, sections: u32) -> Result<()> {
        let (mut bucket, mut rows) = (copies.bucket(0)?, Vec::new());
        while bucket.next_batch(&mut rows)? {
            for copy in rows.iter().map(Copy::of_row) {
                self.end_sections(copy.place.input);
                self.write(&copy.to_bytes())?;
                self.count += 1;
            }
        }
        self.end_sections(sections);
        Ok(())
    }

    fn write_stayed(&mut self, stayed: &Sorted<2, Least>) -> Result<()> {
        let mut count = 0_u64;
        each_stayed(stayed, |fingerprint| {
            count += 1;
            self.write(&fingerprint.to_bytes())
        })?;
        let hash = self.hash.digest();
        self.write(&count.to_le_bytes())?;
        self.write(&hash.to_le_bytes())
    }

    fn write_index(mut self) -> Result<()> {
        self.seek(0)?;
        for numbers in std::mem::take(&mut self.ends) {
            self.write(numbers.map(u64::to_le_bytes).as_flattened())?;
        }
        self.out.flush().map_err(FileFault::of("write", self.path))
    }
}

/// Reads the file of a bucket.
pub struct FoundFile<'f> {
    /// The bytes of the file.
    pub stored: &'f dyn ReadAt,
    /// The number of bytes.
    pub bytes: u64,
    /// The name of the file.
    pub path: &'f Path,
    /// The number of sections.
    pub sections: u32,
}

impl FoundFile<'_> {
    fn failed(&self) -> impl Fn(io::Error) -> FileFault {
        |source| FileFault::new("read", self.path, source)
    }

    fn reader(&self, at: u64) -> BufReader<StoredReader<'_>> {
        BufReader::new(StoredReader { stored: self.stored, at })
    }

    fn numbers(&self, at: u64) -> Result<[u64; 2]> {
        let mut bytes = [0; INDEX_BYTES as usize];
        self.reader(at).read_exact(&mut bytes).map_err(self.failed())?;
        let [first, second] = bytes.as_chunks::<8>().0 else { unreachable!("it has two") };
        Ok([*first, *second].map(u64::from_le_bytes))
    }

    /// Calls `each` with the copies in a section.
    fn copies(&self, section: u32, mut each: impl FnMut(Copy) -> Result<()>) -> Result<()> {
        let at = u64::from(section) * INDEX_BYTES;
        let start = if section == 0 { 0 } else { self.numbers(at - INDEX_BYTES)?[0] };
        let [end, xxh3] = self.numbers(at)?;
        let first = u64::from(self.sections) * INDEX_BYTES;
        let at = first + start * COPY_BYTES as u64;
        self.records((at, end.saturating_sub(start)), xxh3, |bytes| each(Copy::of_bytes(bytes)))
    }

    /// Calls `each` with the fingerprints of the kept games, in order.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read or is damaged, or if `each` fails.
    pub fn stayed(&self, mut each: impl FnMut(Fingerprint) -> Result<()>) -> Result<()> {
        let end = self.bytes.saturating_sub(INDEX_BYTES);
        let [count, xxh3] = self.numbers(end)?;
        let bytes = count.checked_mul(Fingerprint::BYTES as u64);
        let Some(start) = bytes.and_then(|bytes| end.checked_sub(bytes)) else { return self.damaged() };
        self.records((start, count), xxh3, |bytes| each(Fingerprint::of_bytes(bytes)))
    }

    /// Calls `each` with `count` records of `BYTES` bytes, which begin at offset `at`. Fails unless the XXH3
    /// of all of them is `xxh3`.
    fn records<const BYTES: usize>(
        &self,
        (at, count): (u64, u64),
        xxh3: u64,
        mut each: impl FnMut(&[u8; BYTES]) -> Result<()>,
    ) -> Result<()> {
        let (mut records, mut hash, mut bytes) = (self.reader(at), Xxh3Default::new(), [0; BYTES]);
        for _ in 0..count {
            records.read_exact(&mut bytes).map_err(self.failed())?;
            hash.update(&bytes);
            each(&bytes)?;
        }
        if hash.digest() == xxh3 { Ok(()) } else { self.damaged() }
    }

    fn damaged(&self) -> Result<()> {
        let why = "its checksum is not the one that was written: it is damaged";
        Err(self.failed()(io::Error::new(io::ErrorKind::InvalidData, why)).into())
    }
}

/// Reads stored bytes from the offset `at`.
struct StoredReader<'f> {
    stored: &'f dyn ReadAt,
    at: u64,
}

impl Read for StoredReader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.stored.read_at(buffer, self.at)?;
        self.at += read as u64;
        Ok(read)
    }
}

impl Copies {
    /// Finds the copies in a section, using the files of all buckets. `each_file` must call its argument with
    /// each bucket's file.
    pub fn of_section(
        context: &Context,
        section: u32,
        each_file: impl FnOnce(&mut dyn FnMut(&FoundFile<'_>) -> Result<()>) -> Result<()>,
    ) -> Result<Self> {
        let sorter = Sorter::<Copy, 2>::new(context.sorting(1, context.memory.leaves, context.threads))?;
        let mut writer = sorter.writer()?;
        each_file(&mut |file| {
            file.copies(section, |copy| {
                let place = Place { input: 0, ..copy.place };
                Ok(writer.push(Copy { place, ..copy })?)
            })
        })?;
        writer.close()?;
        let found = FoundCopies { copies: sorter.finish()?, stayed: None };
        Self::write(found, &ReadInputs::default(), &context.temp_dir)
    }
}
