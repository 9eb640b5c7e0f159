//! Writes a book in one pass.

use std::{
    io::{Seek, SeekFrom, Write},
    path::Path,
};

use output::{OutputFile, Prepared};
use position::{ExperienceRow, Key, Root};
use serde_json::Value;
use xxhash_rust::xxh3::xxh3_64;

use crate::{
    Book, BookStats, Error, Existing, PositionEntry, Result, Segment,
    tabia::{
        checksums::BlockWriter,
        entries::bucket::{KeyBits, OpenBucket},
        experience::Draft,
        header::{HEADER_BYTES, Header, SectionId},
        index,
        segment::{EntryCounts, bucket_length},
    },
};

/// Pushed positions are written once their encoded size reaches this number of bytes.
const SEGMENT_BYTES: usize = 256 * 1024;

/// Writes a book from positions in ascending order of key, pushed one by one or encoded elsewhere as
/// [`Segment`]s.
///
/// The file appears under its name only when [`finish`](Self::finish) succeeds or, after
/// [`prepare`](Self::prepare), when the caller publishes the file. The bytes depend only on the positions and
/// the provenance, not on the division into segments or the expected number of positions.
///
/// # Memory
///
/// Holds four bytes per bucket, eight bytes for each 64 KiB written, and buffers of 0.4 MB. If the expected
/// number of positions is right, a bucket has 17–32 positions on average.
#[derive(Debug)]
pub struct BookWriter {
    output: OutputFile,
    blocks: BlockWriter,
    bits: KeyBits,
    provenance: Value,
    segment: Segment,
    counts: EntryCounts,
    last_key: Option<Key>,
    /// The lengths in bytes of the buckets before the open one.
    lengths: Vec<u32>,
    open: OpenBucket,
    entries_bytes: u64,
    experience: Option<Draft>,
    roots: Vec<Root>,
}

impl BookWriter {
    /// Begins a book at `path`. `provenance` describes the book's inputs and settings; it is stored
    /// unchanged.
    ///
    /// `expected_positions` determines the number of buckets. If the actual number of positions requires a
    /// different number of buckets, `finish` writes the file a second time.
    ///
    /// # Errors
    ///
    /// Fails with [`Error::OutputExists`] if the file exists and must not be replaced, and with [`Error::Io`]
    /// if it cannot be created.
    pub fn create(
        path: &Path,
        provenance: &Value,
        expected_positions: u64,
        existing: Existing,
    ) -> Result<Self> {
        let mut output = OutputFile::create(path, existing).map_err(Error::output(path))?;
        output.file().write_all(&[0; HEADER_BYTES]).map_err(Error::io(path))?;
        let bits = KeyBits { bucket: index::bucket_bits(expected_positions) };
        Ok(Self {
            output,
            blocks: BlockWriter::new(),
            bits,
            provenance: provenance.clone(),
            segment: Segment::new(bits),
            counts: EntryCounts::default(),
            last_key: None,
            lengths: Vec::new(),
            open: OpenBucket::default(),
            entries_bytes: 0,
            experience: None,
            roots: Vec::new(),
        })
    }

    /// Creates an empty segment for this book, which any thread can fill.
    pub fn segment(&self) -> Segment {
        Segment::new(self.bits)
    }

    /// Adds a position.
    ///
    /// # Errors
    ///
    /// Fails as [`Segment::push`] does. If the key of a position is not greater than all keys in the appended
    /// segments, this call may succeed, and a later call then returns [`Error::Order`].
    pub fn push(&mut self, entry: &PositionEntry) -> Result<()> {
        self.segment.push(entry)?;
        if self.segment.bytes() >= SEGMENT_BYTES { self.flush() } else { Ok(()) }
    }

    /// Appends a segment to everything pushed and appended so far.
    ///
    /// # Errors
    ///
    /// Fails with [`Error::Order`] if the segment's keys are not greater than all earlier keys, with
    /// [`Error::ForeignSegment`] if the segment was made for a book with another number of buckets, and with
    /// [`Error::Io`] if the file cannot be written.
    pub fn append(&mut self, segment: Segment) -> Result<()> {
        self.flush()?;
        self.append_segment(segment)
    }

    /// The number of kept moves in all segments appended so far.
    #[must_use]
    pub fn moves(&self) -> u64 {
        self.counts.edges
    }

    /// Sets the roots of the book, which are stored unless all of its lines begin at the start position. The
    /// start position is a root if any line begins there.
    pub fn set_roots(&mut self, mut roots: Vec<Root>) {
        roots.sort_unstable_by_key(|root| root.key);
        roots.dedup_by_key(|root| root.key);
        let is_plain = roots.iter().all(|root| root.key == Key::START);
        self.roots = if is_plain { Vec::new() } else { roots };
    }

    /// Adds experience sections to the book; `sources` is a JSON list of the experience's sources. The rows
    /// are added by [`push_experience`](Self::push_experience).
    pub fn begin_experience(&mut self, sources: Value) {
        self.experience = Some(Draft::new(sources));
    }

    /// Adds a row of experience, at any time before [`finish`](Self::finish).
    ///
    /// # Errors
    ///
    /// Fails with [`Error::Io`] if the temporary file cannot be written.
    ///
    /// # Panics
    ///
    /// Panics if [`begin_experience`](Self::begin_experience) was not called, if rows are not in ascending
    /// order, or if a row is of kind `seen`.
    pub fn push_experience(&mut self, row: &ExperienceRow) -> Result<()> {
        let Some(draft) = &mut self.experience else { panic!("experience begins with its sources") };
        draft.push(row).map_err(Error::io(self.output.path()))
    }

    fn flush(&mut self) -> Result<()> {
        let segment = self.segment.take();
        self.append_segment(segment)
    }

    fn append_segment(&mut self, segment: Segment) -> Result<()> {
        if segment.bits != self.bits {
            let (expected, got) = (self.bits.bucket, segment.bits.bucket);
            return Err(Error::ForeignSegment { expected, got });
        }
        let Some((first_key, last_key)) = segment.keys else { return Ok(()) };
        if let Some(previous) = self.last_key.filter(|&last| last >= first_key) {
            return Err(Error::Order { previous, got: first_key });
        }
        self.close_up_to(self.bits.bucket_of(first_key))?;
        self.open.append(segment.first);
        if !segment.lengths.is_empty() || !segment.last.is_empty() {
            self.close_up_to(self.lengths.len() as u64 + 1)?;
            self.write_entries(&segment.bytes)?;
            self.lengths.extend(segment.lengths);
            self.open = segment.last;
        }
        self.counts.add(segment.counts);
        self.last_key = Some(last_key);
        Ok(())
    }

    /// Closes the open bucket and the empty buckets after it, so that bucket number `next` is open.
    fn close_up_to(&mut self, next: u64) -> Result<()> {
        if self.lengths.len() as u64 == next {
            return Ok(());
        }
        let mut bytes = Vec::new();
        self.open.close(self.bits, &mut bytes);
        self.write_entries(&bytes)?;
        self.lengths.push(bucket_length(bytes.len())?);
        self.lengths.resize(next as usize, 0);
        Ok(())
    }

    fn write_entries(&mut self, bytes: &[u8]) -> Result<()> {
        self.entries_bytes += bytes.len() as u64;
        self.write(bytes)
    }

    fn write(&mut self, bytes: &[u8]) -> Result<()> {
        let written = self.blocks.write(self.output.file(), bytes);
        written.and_then(|()| self.output.wrote(bytes.len() as u64)).map_err(Error::io(self.output.path()))
    }

    /// Completes the book and renames it to its path.
    ///
    /// # Errors
    ///
    /// Fails with [`Error::Order`] if the positions that were pushed last are out of order, with
    /// [`Error::OutputExists`] if another process created the file meanwhile, and with [`Error::Io`] if the
    /// file cannot be written.
    pub fn finish(self) -> Result<BookStats> {
        let path = self.output.path().to_owned();
        let (stats, prepared) = self.prepare()?;
        prepared.publish().map_err(|error| Error::output(&path)(error.into()))?;
        Ok(stats)
    }

    /// Completes the book and waits until it is on disk.
    ///
    /// # Errors
    ///
    /// Fails with [`Error::Order`] if the positions that were pushed last are out of order, and with
    /// [`Error::Io`] if the file cannot be written.
    pub fn prepare(mut self) -> Result<(BookStats, Prepared)> {
        self.flush()?;
        self.close_up_to(1 << self.bits.bucket)?;
        let fitting_bits = index::bucket_bits(self.counts.positions);
        let stats = self.write_rest()?;
        if self.bits.bucket != fitting_bits {
            return self.rewrite();
        }
        let path = self.output.path().to_owned();
        Ok((stats, self.output.prepare().map_err(Error::output(&path))?))
    }

    /// Writes the sections after the entries, and then the header.
    fn write_rest(&mut self) -> Result<BookStats> {
        let offset_bytes = index::offset_bytes(self.entries_bytes);
        let index_bytes = self.write_index(offset_bytes as usize)?;
        let provenance = self.provenance.to_string();
        self.write(provenance.as_bytes())?;
        let has_evaluations = self.experience.as_ref().is_some_and(|draft| draft.has_evaluations);
        let experience = self.write_experience()?;
        let roots: Vec<u8> = self.roots.iter().flat_map(|root| root.to_bytes()).collect();
        self.write(&roots)?;
        let path = self.output.path().to_owned();
        let checksums = self.blocks.finish(self.output.file()).map_err(Error::io(&path))?;
        let mut header = Header::new(has_evaluations);
        header.add_section(SectionId::Entries, self.entries_bytes);
        header.add_section(SectionId::Index, index_bytes);
        header.add_section(SectionId::Provenance, provenance.len() as u64);
        for (id, bytes) in experience {
            header.add_section(id, bytes);
        }
        if !roots.is_empty() {
            header.add_section(SectionId::Roots, roots.len() as u64);
        }
        header.add_section(SectionId::Checksums, checksums.len() as u64);
        header.set_counts(self.counts);
        header.bucket_bits = self.bits.bucket.into();
        header.offset_bytes = offset_bytes.into();
        header.checksums_xxh3 = xxh3_64(&checksums).into();
        let header_bytes = header.seal();
        let file = self.output.file();
        file.seek(SeekFrom::Start(0)).and_then(|_| file.write_all(header_bytes)).map_err(Error::io(&path))?;
        Ok(header.stats(self.entries_bytes, index_bytes))
    }

    /// Writes the sections of experience and returns their lengths.
    fn write_experience(&mut self) -> Result<Vec<(SectionId, u64)>> {
        let Some(mut draft) = self.experience.take() else { return Ok(Vec::new()) };
        self.write(&draft.index)?;
        let (blocks, file) = (&mut self.blocks, self.output.file());
        let written = draft.for_each_piece(|piece| blocks.write(file, piece));
        written.map_err(Error::io(self.output.path()))?;
        let sources = draft.sources.to_string();
        self.write(sources.as_bytes())?;
        let sections = vec![
            (SectionId::ExperienceIndex, draft.index.len() as u64),
            (SectionId::ExperienceRows, draft.rows_bytes),
            (SectionId::ExperienceSources, sources.len() as u64),
        ];
        self.experience = Some(draft);
        Ok(sections)
    }

    fn write_index(&mut self, offset_bytes: usize) -> Result<u64> {
        let lengths = std::mem::take(&mut self.lengths);
        let mut offset = 0u64;
        let mut bytes = Vec::with_capacity(SEGMENT_BYTES + 8);
        for length in lengths.iter().chain([&0]) {
            bytes.extend(&offset.to_le_bytes()[..offset_bytes]);
            offset += u64::from(*length);
            if bytes.len() >= SEGMENT_BYTES {
                self.write(&bytes)?;
                bytes.clear();
            }
        }
        self.write(&bytes)?;
        Ok((lengths.len() as u64 + 1) * offset_bytes as u64)
    }

    /// Writes the book again with the number of bucket bits that matches its number of positions.
    fn rewrite(self) -> Result<(BookStats, Prepared)> {
        let (path, existing) = (self.output.path().to_owned(), self.output.existing());
        let draft = Book::open(self.output.temp_path())?;
        let mut writer = Self::create(&path, &self.provenance, self.counts.positions, existing)?;
        (writer.experience, writer.roots) = (self.experience, self.roots);
        let mut positions = draft.positions();
        let mut entry = PositionEntry::default();
        while positions.next_into(&mut entry)? {
            writer.push(&entry)?;
        }
        writer.prepare()
    }
}
