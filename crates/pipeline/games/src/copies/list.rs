//! The places of copies, in a temporary file.
//!
//! # Format
//!
//! Copies are sorted by place, in ascending order. Each copy takes 32 bytes: two little-endian 64-bit words
//! for the place of the copy, then two for the place of its original. The file has no name, and is removed
//! when the run ends.

use std::{
    fs::File,
    io::{self, BufWriter, Write},
    os::unix::fs::FileExt as _,
    path::{Path, PathBuf},
};

use extsort::{Item, Least, Sorted};
use fault::FileFault;
use pgn::input::{Chunk, Place, ReadInputs};
use run::{Result, RunError};
use table::{FingerprintsInfo, TableWriter};

use super::{
    candidate::{place_of_words, words_of_place},
    stayed::StayedGames,
};
use crate::driver::source::KnownCopies;

/// A game that is a copy of another game. Copies are sorted by their own places.
#[derive(Clone, Copy, Debug)]
pub(super) struct Copy {
    pub(super) place: Place,
    pub(super) original: Place,
}

/// The value that is written instead of the original's place if a table already counts the original.
const IN_TABLE: Place = Place { input: u32::MAX, part: u32::MAX, offset: u64::MAX };

impl Item<2> for Copy {
    type Combine = Least;
    const PAYLOAD_BITS: u32 = 16;

    /// The input's number in 28 bits, the part in 28 bits, and the offset in 56 bits.
    #[inline]
    fn bits(&self) -> u128 {
        let Place { input, part, offset } = self.place;
        u128::from(input) << 100 | u128::from(part) << 72 | u128::from(offset) << 16
    }

    #[inline]
    fn add_to(&self, words: &mut [u64; 2]) {
        *words = words_of_place(self.original);
    }
}

impl Copy {
    /// A copy of another game; `original` is `None` if a table already counts the original.
    pub(super) fn new(place: Place, original: Option<Place>) -> Self {
        Self { place, original: original.unwrap_or(IN_TABLE) }
    }

    fn original(&self) -> Option<Place> {
        (self.original != IN_TABLE).then_some(self.original)
    }

    pub(super) fn of_row(row: &extsort::Row<2>) -> Self {
        let bits = |shift, width: u32| (row.id >> shift) as u64 & ((1 << width) - 1);
        let place = Place { input: bits(100, 28) as u32, part: bits(72, 28) as u32, offset: bits(16, 56) };
        Self { place, original: place_of_words(row.sums) }
    }

    pub(super) fn to_bytes(self) -> [u8; COPY_BYTES] {
        let [[a, b], [c, d]] = [self.place, self.original].map(words_of_place);
        let mut bytes = [0; COPY_BYTES];
        for (place, word) in bytes.chunks_exact_mut(8).zip([a, b, c, d]) {
            place.copy_from_slice(&word.to_le_bytes());
        }
        bytes
    }

    pub(super) fn of_bytes(bytes: &[u8; COPY_BYTES]) -> Self {
        let words = bytes.as_chunks::<8>().0;
        let word = |at: usize| u64::from_le_bytes(words[at]);
        Self { place: place_of_words([word(0), word(1)]), original: place_of_words([word(2), word(3)]) }
    }
}

pub(super) const COPY_BYTES: usize = 32;
/// Copies in a block. The index has one entry for each block.
const BLOCK_COPIES: usize = 512;

/// The results of the first pass.
pub(super) struct FoundCopies {
    pub(super) copies: Sorted<2, Least>,
    /// The fingerprints of the kept games.
    pub(super) stayed: Option<StayedGames>,
}

/// The games that are copies of other games.
///
/// # Memory
///
/// Keeps one place in memory for every 512 copies.
pub struct Copies {
    file: File,
    folder: PathBuf,
    /// The number of copies.
    pub count: u64,
    /// The place of the first copy in each block of [`BLOCK_COPIES`] copies.
    blocks: Vec<Place>,
    /// The identities of the inputs in which the copies were found.
    identities: Vec<Option<u64>>,
    stayed: Option<StayedGames>,
}

impl Copies {
    /// Writes the copies that were found in `inputs` to a file in `folder`.
    pub(super) fn write(found: FoundCopies, inputs: &ReadInputs, folder: &Path) -> Result<Self> {
        let failed = |source| FileFault::new("write in", folder, source);
        let mut file = BufWriter::new(tempfile::tempfile_in(folder).map_err(failed)?);
        let (mut count, mut blocks, mut rows) = (0, Vec::new(), Vec::new());
        let mut bucket = found.copies.bucket(0)?;
        while bucket.next_batch(&mut rows)? {
            for copy in rows.iter().map(Copy::of_row) {
                if count % BLOCK_COPIES as u64 == 0 {
                    blocks.push(copy.place);
                }
                count += 1;
                file.write_all(&copy.to_bytes()).map_err(failed)?;
            }
        }
        let file = file.into_inner().map_err(|error| failed(error.into_error()))?;
        let identities = inputs.list.iter().map(|source| source.xxh3).collect();
        Ok(Self { file, folder: folder.into(), count, blocks, identities, stayed: found.stayed })
    }

    /// Writes the fingerprints of the kept games into a table, if the pass collected these fingerprints.
    pub fn write_fingerprints(&self, writer: &TableWriter) -> Result<Option<FingerprintsInfo>> {
        self.stayed.as_ref().map(|stayed| stayed.write_to(writer)).transpose()
    }

    /// The copies whose place is at least `start` and less than `end`.
    fn within(&self, start: Place, end: Place) -> io::Result<Vec<Copy>> {
        let mut found = Vec::new();
        let first = self.blocks.partition_point(|&place| place <= start).saturating_sub(1);
        for (block, _) in self.blocks.iter().enumerate().skip(first).take_while(|(_, place)| **place < end) {
            let from = (block * BLOCK_COPIES) as u64;
            let count = (self.count - from).min(BLOCK_COPIES as u64) as usize;
            let mut bytes = vec![0; count * COPY_BYTES];
            self.file.read_exact_at(&mut bytes, from * COPY_BYTES as u64)?;
            let copies = bytes.as_chunks().0.iter().map(Copy::of_bytes);
            found.extend(copies.filter(|copy| start <= copy.place && copy.place < end));
        }
        Ok(found)
    }
}

impl KnownCopies for Copies {
    fn mark(&self, chunk: &mut Chunk) -> Result<()> {
        let span = chunk.span();
        let (start, end) = (chunk.place, Place { offset: span.end, ..chunk.place });
        let copies = self.within(start, end).map_err(FileFault::of("read in", &self.folder))?;
        chunk.mark_copies(copies.iter().map(|it| (it.place.offset - span.start, it.original())).collect());
        Ok(())
    }

    fn check_unchanged(&self, inputs: &ReadInputs) -> Result<()> {
        let changed =
            inputs.list.iter().zip(&self.identities).find(|(source, identity)| source.xxh3 != **identity);
        changed.map_or(Ok(()), |(source, _)| Err(RunError::ChangedMeanwhile(source.name.clone()).into()))
    }
}

#[cfg(test)]
mod tests {
    use extsort::{Options, Sorter};

    use super::*;

    fn place(input: u32, part: u32, offset: u64) -> Place {
        Place { input, part, offset }
    }

    #[test]
    fn copies_are_found_by_where_they_are() {
        let sorter = Sorter::<Copy, 2>::new(Options::new(16 << 20, 1)).unwrap();
        let mut writer = sorter.writer().unwrap();
        let places = (0..5000).rev().map(|number| place(number % 3, number % 2, u64::from(number) * 10));
        for place in places.clone() {
            let original = Place { offset: place.offset + 1, ..place };
            writer.push(Copy::new(place, Some(original).filter(|it| it.offset % 20 == 1))).unwrap();
        }
        writer.close().unwrap();
        let folder = tempfile::tempdir().unwrap();
        let found = FoundCopies { copies: sorter.finish().unwrap(), stayed: None };
        let copies = Copies::write(found, &ReadInputs::default(), folder.path()).unwrap();
        assert_eq!(copies.count, 5000);
        for (start, end) in [(0, 10), (0, 60_000), (25_000, 25_001), (25_001, 40_000), (60_000, 70_000)] {
            for (input, part) in [(0, 0), (1, 1), (2, 0), (3, 0)] {
                let found = copies.within(place(input, part, start), place(input, part, end)).unwrap();
                let mut expected: Vec<_> = places
                    .clone()
                    .filter(|it| it.input == input && it.part == part && (start..end).contains(&it.offset))
                    .collect();
                expected.sort_unstable();
                assert_eq!(found.iter().map(|copy| copy.place).collect::<Vec<_>>(), expected);
                for copy in found {
                    let original = (copy.place.offset % 20 == 0).then_some(copy.place.offset + 1);
                    assert_eq!(copy.original().map(|it| it.offset), original);
                }
            }
        }
    }
}
