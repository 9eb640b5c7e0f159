//! Inputs cut into chunks for several threads.

use std::sync::{Arc, Mutex, PoisonError, atomic::AtomicBool};

use pgn::input::{BlockHashes, Chunk, ChunkOptions, Chunks, Input, ReadInputs, ReadProgress};
use run::Result;

/// Whether a sink needs chunks in the order of the input.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Order {
    /// In any order, because each thread reads its own part of the inputs.
    Any,
    /// In the order of the input, from the beginning of the first input to the end of the last; threads take
    /// turns reading.
    Input,
}

/// The stages that a pass runs, except its sink, by their names in the recipe. The time of each stage is
/// recorded under its name.
#[derive(Clone, Debug, Default)]
pub struct StageNames {
    /// The stage that reads.
    pub source: Option<String>,
    /// The stage that replays.
    pub operator: Option<String>,
}

/// The games that an earlier pass found to be copies of other games.
pub trait KnownCopies: Send + Sync {
    /// Marks the copies in a chunk.
    fn mark(&self, chunk: &mut Chunk) -> Result<()>;

    /// Refuses inputs that changed after the search for copies.
    fn check_unchanged(&self, inputs: &ReadInputs) -> Result<()>;
}

/// Inputs cut into chunks of whole games or records, for several threads.
pub struct Source {
    chunks: Chunks,
    /// The number of the next chunk; `None` if chunks are not numbered in the order of the input.
    turn: Option<Mutex<u64>>,
    /// The stages that the pass runs.
    pub stages: StageNames,
    /// The games that are copies of other games, and therefore do not count.
    copies: Option<Arc<dyn KnownCopies>>,
}

impl Source {
    /// Opens inputs; each is read when its turn comes. The source stops reading when `stop` is set.
    pub fn open(
        inputs: Vec<Input>,
        order: Order,
        options: &ChunkOptions,
        stop: Arc<AtomicBool>,
        stages: StageNames,
    ) -> Result<Self> {
        let threads = if order == Order::Input { 1 } else { options.threads };
        let chunks = Chunks::open(inputs, ChunkOptions { threads, stop, ..options.clone() })?;
        Ok(Self { chunks, turn: (order == Order::Input).then(Mutex::default), stages, copies: None })
    }

    /// Returns the source with `copies` set. The source then marks these games as copies in the chunks that
    /// it supplies.
    #[must_use]
    pub fn marking(self, copies: Option<Arc<impl KnownCopies + 'static>>) -> Self {
        Self { copies: copies.map(|copies| copies as Arc<dyn KnownCopies>), ..self }
    }

    /// The next chunk for a worker, and its number. `buffer` is the text of a finished chunk; its memory is
    /// reused.
    pub fn next(&self, worker: usize, buffer: Vec<u8>) -> Result<Option<(u64, Chunk)>> {
        let mut next = self.next_unmarked(worker, buffer)?;
        if let (Some(copies), Some((_, chunk))) = (&self.copies, &mut next) {
            copies.mark(chunk)?;
        }
        Ok(next)
    }

    fn next_unmarked(&self, worker: usize, buffer: Vec<u8>) -> Result<Option<(u64, Chunk)>> {
        let Some(turn) = &self.turn else {
            return Ok(self.chunks.next(worker, buffer)?.map(|chunk| (0, chunk)));
        };
        let mut turn = turn.lock().unwrap_or_else(PoisonError::into_inner);
        let chunk = self.chunks.next(0, buffer)?;
        let number = *turn;
        *turn += 1;
        Ok(chunk.map(|chunk| (number, chunk)))
    }

    /// How much of the inputs has been read.
    pub fn progress(&self) -> ReadProgress {
        self.chunks.progress()
    }

    /// The size, in bytes, of the largest window needed to decompress any of the inputs seen so far.
    pub fn window_bytes(&self) -> u64 {
        self.chunks.window_bytes()
    }

    /// The hashes of the inputs' blocks, which become known as the inputs are read.
    pub fn block_hashes(&self) -> BlockHashes {
        self.chunks.block_hashes()
    }

    /// The inputs that were read.
    ///
    /// # Errors
    ///
    /// Fails if inputs have changed since the search for copies.
    pub fn finish(self) -> Result<ReadInputs> {
        let inputs = self.chunks.finish();
        self.copies.map_or(Ok(()), |copies| copies.check_unchanged(&inputs))?;
        Ok(inputs)
    }
}
