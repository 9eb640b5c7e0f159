//! The games that stay, for the table that counts them.

use std::{
    fs::File,
    io::{self, BufRead as _, BufReader, BufWriter, Read as _, Seek as _, Write},
    path::{Path, PathBuf},
};

use extsort::{Item, Least, Sorted};
use fault::FileFault;
use position::{Fingerprint, Players};
use run::Result;
use table::{FingerprintsInfo, TableWriter};

use super::{DedupGames, candidate::Candidate};

/// A game that stays, sorted by its fingerprint.
#[derive(Clone, Copy)]
pub(super) struct Stays(pub(super) Candidate);

impl Item<2> for Stays {
    /// Nothing is combined: the serial number is among the bits, so no two games are equal.
    type Combine = Least;
    const PAYLOAD_BITS: u32 = 16;

    #[inline]
    fn bits(&self) -> u128 {
        let Self(Candidate { fingerprint, serial, .. }) = self;
        u128::from(fingerprint.game) << 64 | u128::from(*serial) << 16
    }

    #[inline]
    fn note(&self) -> u16 {
        0
    }

    #[inline]
    fn add_to(&self, words: &mut [u64; 2]) {
        *words = self.0.players().words();
    }
}

/// The fingerprints of the games that stay, in order in a temporary file, and which copies were left out.
pub(super) struct StayedGames {
    dedup: DedupGames,
    file: File,
    folder: PathBuf,
}

impl StayedGames {
    /// Writes sorted games to a file in `folder`.
    pub(super) fn write(sorted: &Sorted<2, Least>, dedup: DedupGames, folder: &Path) -> Result<Self> {
        let failed = |source| FileFault::new("write in", folder, source);
        let mut file = BufWriter::new(tempfile::tempfile_in(folder).map_err(failed)?);
        let mut bucket = sorted.bucket(0)?;
        let mut rows = Vec::new();
        let mut game = 0;
        let mut group = Vec::new();
        while bucket.next_batch(&mut rows)? {
            for row in &rows {
                let next = (row.id >> 64) as u64;
                if next != game {
                    write_group(game, &mut group, &mut file).map_err(failed)?;
                    game = next;
                }
                group.push(Players::of_words(row.sums));
            }
        }
        write_group(game, &mut group, &mut file).map_err(failed)?;
        let file = file.into_inner().map_err(|error| failed(error.into_error()))?;
        Ok(Self { dedup, file, folder: folder.into() })
    }

    /// Copies the fingerprints into a table.
    pub(super) fn write_to(&self, writer: &TableWriter) -> Result<FingerprintsInfo> {
        let failed = |source| FileFault::new("read in", self.folder.clone(), source);
        let mut out = writer.fingerprints()?;
        let file = self.file.try_clone().and_then(|mut file| file.rewind().map(|()| file)).map_err(failed)?;
        let mut file = BufReader::new(file);
        let mut game = [0; 8];
        let mut players = [0; 16];
        while !file.fill_buf().map_err(failed)?.is_empty() {
            file.read_exact(&mut game).and_then(|()| file.read_exact(&mut players)).map_err(failed)?;
            let (game, players) = (u64::from_le_bytes(game), Players(u128::from_le_bytes(players)));
            out.push(Fingerprint { game, players })?;
        }
        Ok(out.finish(&self.dedup.to_string())?)
    }
}

/// Writes the games with the same number, in order.
fn write_group(game: u64, group: &mut Vec<Players>, out: &mut impl Write) -> io::Result<()> {
    group.sort_unstable();
    group.drain(..).try_for_each(|players| {
        out.write_all(&game.to_le_bytes())?;
        out.write_all(&players.0.to_le_bytes())
    })
}
