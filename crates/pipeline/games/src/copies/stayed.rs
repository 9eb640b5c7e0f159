//! Stores the fingerprints of the games that are not left out as copies. The fingerprints become part of the
//! table that counts these games.

use std::{
    fs::File,
    io::{BufRead as _, BufReader, BufWriter, Read as _, Seek as _, Write as _},
    path::{Path, PathBuf},
};

use extsort::{Item, Least, Sorted};
use fault::FileFault;
use position::{Fingerprint, Players};
use run::Result;
use table::{FingerprintsInfo, TableWriter};

use super::{DedupGames, candidate::Candidate};

/// A game that is not left out as a copy. These games are sorted by fingerprint.
#[derive(Clone, Copy)]
pub(super) struct Stays(pub(super) Candidate);

impl Item<2> for Stays {
    /// Nothing is ever combined: the bits include the serial number, so no two games are equal.
    type Combine = Least;
    const PAYLOAD_BITS: u32 = 16;

    #[inline]
    fn bits(&self) -> u128 {
        let Self(Candidate { fingerprint, serial, .. }) = self;
        u128::from(fingerprint.game) << 64 | u128::from(*serial) << 16
    }

    #[inline]
    fn add_to(&self, words: &mut [u64; 2]) {
        *words = self.0.players().words();
    }
}

/// A temporary file with the sorted fingerprints of the kept games. `dedup` is the kind of copies that were
/// left out.
pub(super) struct StayedGames {
    dedup: DedupGames,
    file: File,
    folder: PathBuf,
}

impl StayedGames {
    /// Writes the fingerprints of sorted games to a file in `folder`.
    pub(super) fn write(sorted: &Sorted<2, Least>, dedup: DedupGames, folder: &Path) -> Result<Self> {
        let failed = |source| FileFault::new("write in", folder, source);
        let mut file = BufWriter::new(tempfile::tempfile_in(folder).map_err(failed)?);
        each_stayed(sorted, |fingerprint| Ok(file.write_all(&fingerprint.to_bytes()).map_err(failed)?))?;
        let file = file.into_inner().map_err(|error| failed(error.into_error()))?;
        Ok(Self { dedup, file, folder: folder.into() })
    }

    /// Copies the fingerprints into a table.
    pub(super) fn write_to(&self, writer: &TableWriter) -> Result<FingerprintsInfo> {
        let failed = |source| FileFault::new("read in", self.folder.clone(), source);
        let mut out = writer.fingerprints()?;
        let file = self.file.try_clone().and_then(|mut file| file.rewind().map(|()| file)).map_err(failed)?;
        let mut file = BufReader::new(file);
        let mut bytes = [0; Fingerprint::BYTES];
        while !file.fill_buf().map_err(failed)?.is_empty() {
            file.read_exact(&mut bytes).map_err(failed)?;
            out.push(Fingerprint::of_bytes(&bytes))?;
        }
        Ok(out.finish(&self.dedup.to_string())?)
    }
}

/// Calls `each` with the fingerprints, in order.
pub(super) fn each_stayed(
    sorted: &Sorted<2, Least>,
    mut each: impl FnMut(Fingerprint) -> Result<()>,
) -> Result<()> {
    let (mut bucket, mut rows) = (sorted.bucket(0)?, Vec::new());
    let (mut game, mut group) = (0, Vec::new());
    let mut give = |game, group: &mut Vec<Players>| {
        group.sort_unstable();
        group.drain(..).try_for_each(|players| each(Fingerprint { game, players }))
    };
    while bucket.next_batch(&mut rows)? {
        for row in &rows {
            let next = (row.id >> 64) as u64;
            if next != game {
                give(game, &mut group)?;
                game = next;
            }
            group.push(Players::of_words(row.sums));
        }
    }
    give(game, &mut group)
}
