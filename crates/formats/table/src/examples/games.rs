//! Writes the games that are examples, in small blocks that are compressed with a dictionary of some of these
//! games.
//!
//! A request needs a few games from many blocks, so blocks are small. The dictionary has games from all over
//! the file; with it, small blocks are compressed as well as blocks of sixteen times their size. All games
//! must be known before the dictionary can be made, so until then they wait in a file of their own.

use std::{fs, path::PathBuf};

use super::{
    ExampleGame, GameId,
    blocks::{Blocks, BlocksInfo, BlocksWriter, LEVEL, Packing, encoded},
};
use crate::{Error, Result, file_bytes::FileBytes};

pub(super) const GAMES_NAME: &str = "games";
const BLOCK_BYTES: usize = 1 << 13;
const WAITING_NAME: &str = "waiting";
const WAITING: Packing<'_> = Packing { block_bytes: 1 << 17, level: 1, dictionary: &[] };

/// Writes the games that are examples.
pub struct GamesWriter {
    folder: PathBuf,
    waiting: BlocksWriter<ExampleGame>,
    sample: Sample,
}

impl GamesWriter {
    pub(super) fn create(folder: PathBuf) -> Result<Self> {
        let waiting = BlocksWriter::create(folder.join(WAITING_NAME), &WAITING)?;
        Ok(Self { folder, waiting, sample: Sample::default() })
    }

    /// Adds a game; games must come in ascending order of ids.
    ///
    /// # Errors
    ///
    /// Fails if it cannot be written.
    ///
    /// # Panics
    ///
    /// Panics if ids do not ascend.
    pub fn push(&mut self, id: GameId, game: &ExampleGame) -> Result<()> {
        self.sample.push(game);
        self.waiting.push(id.0, game)
    }

    /// Writes the waiting games to their final file, and returns when this file is on disk.
    pub(super) fn finish(self) -> Result<BlocksInfo> {
        let path = self.folder.join(WAITING_NAME);
        let info = self.waiting.end()?.0;
        let waiting = Blocks::open(&path, FileBytes::at(&path)?, &info)?;
        let dictionary = self.sample.games.concat();
        let packing = Packing { block_bytes: BLOCK_BYTES, level: LEVEL, dictionary: &dictionary };
        let mut games = BlocksWriter::<ExampleGame>::create(self.folder.join(GAMES_NAME), &packing)?;
        for entry in waiting.all() {
            let (id, game) = entry?;
            games.push(id, &game)?;
        }
        fs::remove_file(&path).map_err(Error::io(&path))?;
        games.finish()
    }
}

/// Games from all over a file, for a dictionary: every 32nd game, or fewer if the file has many.
struct Sample {
    stride: u64,
    seen: u64,
    games: Vec<Vec<u8>>,
    bytes: usize,
}

impl Default for Sample {
    fn default() -> Self {
        Self { stride: 32, seen: 0, games: Vec::new(), bytes: 0 }
    }
}

impl Sample {
    const BYTES_MAX: usize = 1 << 18;

    fn push(&mut self, game: &ExampleGame) {
        self.seen += 1;
        if !self.seen.is_multiple_of(self.stride) {
            return;
        }
        let game = encoded(game, Vec::new());
        self.bytes += game.len();
        self.games.push(game);
        while self.bytes > Self::BYTES_MAX {
            self.halve();
        }
    }

    /// Drops every second game of the sample, and takes only half as many of the games to come.
    fn halve(&mut self) {
        let mut place = 0;
        self.games.retain(|_| {
            place += 1;
            place % 2 == 0
        });
        self.stride *= 2;
        self.bytes = self.games.iter().map(Vec::len).sum();
    }
}

#[cfg(test)]
mod tests {
    use position::Outcome;

    use super::*;

    #[test]
    fn a_sample_is_of_the_whole_file_and_bounded() {
        let mut sample = Sample::default();
        for number in 1..=100_000_u32 {
            sample.push(&ExampleGame::new([format!("{number:0>90}")], Outcome::Draw, &[]));
        }
        assert_eq!(sample.stride, 64);
        let whole = 100_000 / sample.stride as usize;
        assert_eq!(sample.games.len(), whole);
        let last = encoded(&ExampleGame::new([format!("{:0>90}", 99_968)], Outcome::Draw, &[]), Vec::new());
        assert_eq!(sample.games.last(), Some(&last));
    }
}
