//! The parallel source of chunks: every worker calls it and gets chunks of whole games.
//!
//! # Locks
//! There are three kinds of locks, always taken in this order: the worker's entry in `readers_of_workers`,
//! the schedule, a reader. The schedule is locked while an input is opened, which takes little time; a reader
//! is locked while it reads one chunk. Only a thread that has locked a reader locks `games_left`, and it
//! takes no further lock before it unlocks `games_left`.

use std::{
    collections::VecDeque,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
};

use super::{
    done::InputDone,
    limit::{GameTest, GamesLeft},
    needed_window::window_of,
    open_input::{OpenAs, OpenInput},
    origin::Input,
    part_reader::PartReader,
    places::{Part, ReadInput, ReadInputs},
};
use crate::{
    Error, Result,
    input::{
        cutting::{Chunk, GameBounds, Unit},
        lock::lock,
        packings::{WindowLimit, is_large},
        stored::{Meter, identity_of_blocks},
    },
};

/// A chunk fits in the second-level cache, so its text is still there when its games are read. Small chunks
/// also shorten the wait at the end, when some workers have nothing left to read while others read their last
/// chunk.
const CHUNK_BYTES: usize = 256 << 10;

/// How inputs are read.
#[derive(Clone, Debug)]
pub struct ChunkOptions {
    /// The number of workers that will ask for chunks, at least 1. This is also how many inputs, members or
    /// runs of frames are read at the same time.
    pub threads: usize,
    /// The number of bytes of text that are read for a chunk.
    pub chunk_bytes: usize,
    /// The limits on the size of a game; a larger game is returned as
    /// [`PieceKind::Oversized`](crate::input::PieceKind::Oversized).
    pub bounds: GameBounds,
    /// Reading stops after this many games, which are counted in the order of the inputs and include rejected
    /// ones. If there is a limit, the inputs are read one after another.
    pub games_max: Option<u64>,
    /// The test that games must pass to count towards `games_max`; without a test, all games count.
    pub filtered_by: Option<GameTest>,
    /// The unit into which the text of the inputs is cut: games, records or lines.
    pub unit: Unit,
    /// Whether [`ReadInput::whole_xxh3`] is computed.
    pub whole_hash: bool,
    /// For each input, the text that was already read by earlier runs. The list is empty in the first run; it
    /// is `None` in a run that will never be continued. With `None`, a chunk's place may depend on the number
    /// of threads; otherwise it does not.
    pub done: Option<Arc<Vec<InputDone>>>,
    /// Whether to decompress streams even if they need a window of more than 128 MiB of memory.
    pub long_window: bool,
    /// The maximum number of bytes of memory that one window may take.
    pub window_bytes_max: u64,
    /// A flag that the caller sets to stop reading: the next call then returns [`Error::Stopped`].
    pub stop: Arc<AtomicBool>,
}

impl Default for ChunkOptions {
    fn default() -> Self {
        Self {
            threads: 1,
            chunk_bytes: CHUNK_BYTES,
            bounds: GameBounds::default(),
            games_max: None,
            filtered_by: None,
            unit: Unit::Games,
            whole_hash: false,
            done: None,
            long_window: false,
            window_bytes_max: u64::MAX,
            stop: Arc::default(),
        }
    }
}

impl ChunkOptions {
    /// The part of an input that an earlier run has read.
    fn done_of(&self, input: usize) -> Option<&InputDone> {
        self.done.as_ref()?.get(input)
    }

    fn meter(&self, input: usize) -> Arc<Meter> {
        let known_blocks = self.done_of(input).map(|done| done.blocks.clone());
        Meter::with(&self.stop, self.whole_hash, known_blocks.unwrap_or_default())
    }
}

/// How much of the inputs has been read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReadProgress {
    /// The number of stored bytes of the inputs that were read.
    pub bytes_done: u64,
    /// The total stored length of the inputs; `None` if an input is a stream.
    pub bytes_total: Option<u64>,
}

/// A source of chunks, shared by all workers.
///
/// A worker keeps reading the part of an input that it opened. When that part ends, the worker opens another
/// one; when nothing is left to open, it reads from the parts of other workers. So a large input keeps all
/// workers busy, and small inputs are read in parallel. Timing decides which worker gets a chunk, but affects
/// neither the games nor their places.
///
/// # Memory
/// Each worker holds the unfinished game at the end of its part's last chunk, and the memory for
/// decompressing. A pzstd file needs 10 to 35 MiB for the compressed run and its windows; other formats need
/// only one window or block. At most one window of more than 8 MiB is open at a time, in one worker: see
/// [`window_bytes`](Self::window_bytes). Each worker's chunk has its own buffer of about `chunk_bytes`, which
/// grows for a longer game up to the size that [`GameBounds`] allows.
pub struct Chunks {
    options: ChunkOptions,
    meters: Vec<Arc<Meter>>,
    /// The window needed to decompress each input; 0 if it is not known in advance.
    windows: Vec<u64>,
    /// For each input, whether only a section of it is read.
    sections: Vec<bool>,
    bytes_total: Option<u64>,
    schedule: Mutex<Schedule>,
    /// The reader that each worker currently uses.
    readers_of_workers: Vec<Mutex<Option<Arc<SharedReader>>>>,
    /// The number of games that may still be returned under [`ChunkOptions::games_max`].
    games_left: Mutex<GamesLeft>,
    /// Set when no more chunks will be returned, because a worker failed or the limit on games was reached.
    stopped: AtomicBool,
}

/// The hashes of the blocks that have been read so far, for all inputs.
#[derive(Clone, Debug)]
pub struct BlockHashes(Vec<Arc<Meter>>);

impl BlockHashes {
    /// The hashes of an input's blocks, except those of the first `from` blocks.
    #[must_use]
    pub fn of(&self, input: u32, from: usize) -> Vec<u64> {
        self.0[input as usize].blocks(from)
    }
}

/// The inputs that are still to be read, and those that are being read.
struct Schedule {
    waiting: VecDeque<Input>,
    open: Vec<(u32, OpenInput)>,
    readers: Vec<Arc<SharedReader>>,
    accounts: Vec<ReadInput>,
}

/// A reader that several workers may use, one at a time.
struct SharedReader {
    reader: Mutex<PartReader>,
    input: u32,
    done: AtomicBool,
}

impl Chunks {
    /// Prepares to read `inputs`, each of which is opened for reading only when its turn comes.
    ///
    /// # Errors
    /// Fails if a file no longer exists.
    pub fn open(mut inputs: Vec<Input>, options: ChunkOptions) -> Result<Self> {
        let mut bytes_total = Some(0);
        for input in &inputs {
            bytes_total = bytes_total.zip(input.stored_bytes()?).map(|(total, bytes)| total + bytes);
        }
        let windows = inputs.iter_mut().map(|input| window_of(&mut input.origin)).collect();
        let sections = inputs.iter().map(|input| input.section.is_some()).collect();
        let schedule =
            Schedule { waiting: inputs.into(), open: Vec::new(), readers: Vec::new(), accounts: Vec::new() };
        Ok(Self {
            meters: (0..schedule.waiting.len()).map(|input| options.meter(input)).collect(),
            windows,
            sections,
            bytes_total,
            schedule: Mutex::new(schedule),
            readers_of_workers: (0..options.threads.max(1)).map(|_| Mutex::default()).collect(),
            games_left: Mutex::new(GamesLeft::new(options.games_max, options.filtered_by.clone())),
            stopped: AtomicBool::new(options.games_max == Some(0)),
            options,
        })
    }

    /// Returns the next chunk for a worker (workers are numbered from 0). Returns `None` when nothing is left
    /// to read, when the limit on games has been reached, or when another worker has failed.
    ///
    /// `recycled` is the text of a chunk that is no longer needed, or an empty vector. It is best not to
    /// clear it: its bytes are overwritten, whereas bytes that are added to it must be zeroed first.
    ///
    /// # Errors
    /// Fails if an input cannot be read, is not PGN, is damaged or encrypted, or if the caller asked to stop.
    /// Only one worker gets the error; the other workers get no more chunks.
    pub fn next(&self, worker: usize, mut recycled: Vec<u8>) -> Result<Option<Chunk>> {
        loop {
            if self.options.stop.load(Ordering::Relaxed) {
                return Err(Error::Stopped);
            }
            if self.stopped.load(Ordering::Acquire) {
                return Ok(None);
            }
            let outcome = match self.reader_for(worker % self.readers_of_workers.len()) {
                Ok(Some(shared)) => self.read(&shared, &mut recycled),
                Ok(None) => return Ok(None),
                Err(error) => Err(error),
            };
            match outcome {
                Ok(None) => {}
                Ok(chunk) => return Ok(chunk),
                Err(error) => {
                    self.stopped.store(true, Ordering::Release);
                    return Err(error);
                }
            }
        }
    }

    /// The largest window that any input needs, as far as the windows are known before the inputs are read.
    #[must_use]
    pub fn window_bytes(&self) -> u64 {
        self.windows.iter().copied().max().unwrap_or(0)
    }

    /// How much of the inputs has been read.
    pub fn progress(&self) -> ReadProgress {
        let bytes_done: u64 = self.meters.iter().map(|meter| meter.bytes.load(Ordering::Relaxed)).sum();
        let bytes_total = self.bytes_total;
        ReadProgress {
            bytes_done: bytes_total.map_or(bytes_done, |total| bytes_done.min(total)),
            bytes_total,
        }
    }

    /// The hashes of the blocks read so far, to which workers add as they read.
    #[must_use]
    pub fn block_hashes(&self) -> BlockHashes {
        BlockHashes(self.meters.clone())
    }

    /// Returns a report on the inputs that were read. Call this once all workers are done.
    #[must_use]
    pub fn finish(self) -> ReadInputs {
        let mut schedule = self.schedule.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
        for shared in std::mem::take(&mut schedule.readers) {
            schedule.record(&shared);
        }
        let mut list = schedule.accounts;
        for (at, (account, meter)) in list.iter_mut().zip(&self.meters).enumerate() {
            let read = meter.bytes.load(Ordering::Relaxed);
            match meter.whole.get() {
                Some(whole) => {
                    account.bytes = whole.bytes;
                    account.xxh3 = (!self.sections[at]).then(|| identity_of_blocks(&whole.blocks));
                    account.whole_xxh3 = whole.xxh3_at_once;
                    account.blocks.clone_from(&whole.blocks);
                }
                None => account.bytes = account.bytes.max(read),
            }
        }
        ReadInputs { list }
    }

    /// The reader that a worker should use; `None` if every part has been read to its end.
    fn reader_for(&self, worker: usize) -> Result<Option<Arc<SharedReader>>> {
        let mut own = lock(&self.readers_of_workers[worker]);
        if let Some(shared) = own.as_ref().filter(|shared| !shared.done.load(Ordering::Acquire)) {
            return Ok(Some(Arc::clone(shared)));
        }
        let mut schedule = lock(&self.schedule);
        *own = self.start_reader(&mut schedule)?;
        Ok(own.clone().or_else(|| schedule.reader_to_help(worker)))
    }

    /// Opens another part of an input; `None` if none can be opened now.
    fn start_reader(&self, schedule: &mut Schedule) -> Result<Option<Arc<SharedReader>>> {
        // If there is a limit, games are counted in the order of the inputs, so only one part is open at a
        // time.
        let in_order = self.options.games_max.is_some();
        if in_order && !schedule.readers.is_empty() {
            return Ok(None);
        }
        let inputs_max = if in_order { 1 } else { self.readers_of_workers.len() };
        loop {
            if let Some(reader) = self.open_part(schedule)? {
                let shared = Arc::new(reader);
                schedule.readers.push(Arc::clone(&shared));
                return Ok(Some(shared));
            }
            if schedule.open.len() >= inputs_max || !self.open_input(schedule)? {
                return Ok(None);
            }
        }
    }

    /// Opens the next part of an open input; closes inputs without further parts.
    fn open_part(&self, schedule: &mut Schedule) -> Result<Option<SharedReader>> {
        let bounds = self.options.bounds;
        let max_game_bytes = bounds.max_game_bytes.max(GameBounds::GAME_BYTES_LEAST);
        let sizes = (self.options.chunk_bytes.max(1), GameBounds { max_game_bytes, ..bounds });
        let mut at = 0;
        while let Some((input, source)) = schedule.open.get_mut(at) {
            let input = *input;
            // Some archives have one decoder, which decompresses the members one after another.
            let in_turn = source.in_turn() || is_large(self.windows[input as usize]);
            if in_turn && schedule.readers.iter().any(|reader| reader.input == input) {
                at += 1;
                continue;
            }
            match source.next_part()? {
                Some(part) => {
                    let done = self.options.done_of(input as usize);
                    let spans = done.and_then(|done| done.parts.get(&part.part));
                    let reader = PartReader::new(input, part, sizes, source.blame.clone(), spans);
                    let reader = Mutex::new(reader);
                    return Ok(Some(SharedReader { reader, input, done: AtomicBool::new(false) }));
                }
                None => drop(schedule.open.remove(at)),
            }
        }
        Ok(None)
    }

    /// Opens the next input; returns false if there is none, or if it cannot be opened now.
    fn open_input(&self, schedule: &mut Schedule) -> Result<bool> {
        let number = schedule.accounts.len();
        let large = self.windows.get(number).is_some_and(|&bytes| is_large(bytes));
        // Only one input with a large window is read at a time: while one is open, the worker helps to read
        // it and opens no other.
        if large && self.has_large_window_open(schedule) {
            return Ok(false);
        }
        let Some(input) = schedule.waiting.pop_front() else { return Ok(false) };
        let parallel = self.readers_of_workers.len() > 1 || self.options.done.is_some();
        let parallel = parallel && self.options.games_max.is_none() && !large;
        let bytes = input.stored_bytes()?.unwrap_or(0);
        let window = WindowLimit::new(self.options.long_window, self.options.window_bytes_max);
        let how = OpenAs { unit: self.options.unit, window, parallel };
        let mut source = OpenInput::open(input, &self.meters[number], how)?;
        schedule.accounts.push(ReadInput {
            name: source.blame.name.to_string(),
            packing: source.blame.packing,
            bytes,
            skipped: std::mem::take(&mut source.skipped),
            ..ReadInput::default()
        });
        schedule.open.push((number as u32, source));
        Ok(true)
    }

    /// Whether an input with a large window is being read.
    fn has_large_window_open(&self, schedule: &Schedule) -> bool {
        let open = schedule.open.iter().map(|(input, _)| *input);
        let mut inputs = open.chain(schedule.readers.iter().map(|reader| reader.input));
        inputs.any(|input| is_large(self.windows[input as usize]))
    }

    /// Reads the next chunk of a part; at the end of the part, closes it.
    fn read(&self, shared: &Arc<SharedReader>, buffer: &mut Vec<u8>) -> Result<Option<Chunk>> {
        let mut reader = lock(&shared.reader);
        // The limit on games is checked again under the lock: another worker may have reached it while this
        // one waited.
        if self.stopped.load(Ordering::Acquire) {
            return Ok(None);
        }
        if let Some(mut chunk) = reader.next(buffer)? {
            self.count(&mut chunk);
            return Ok(Some(chunk));
        }
        drop(reader);
        // Several workers may reach the end of the part; the first one closes it.
        if !shared.done.swap(true, Ordering::AcqRel) {
            let mut schedule = lock(&self.schedule);
            schedule.readers.retain(|other| !Arc::ptr_eq(other, shared));
            schedule.record(shared);
        }
        Ok(None)
    }

    /// Cuts the chunk off after the last game within the limit. It is called under the reader's lock, so
    /// games are counted in the order of the text.
    fn count(&self, chunk: &mut Chunk) {
        if self.options.games_max.is_none() {
            return;
        }
        let mut games_left = lock(&self.games_left);
        let rest = chunk.games().find(|piece| !games_left.take(piece)).map(|piece| piece.offset);
        chunk.text.truncate(rest.unwrap_or(chunk.text.len()));
        self.stopped.fetch_or(games_left.is_reached(), Ordering::AcqRel);
    }
}

impl Schedule {
    /// An open reader for a worker that has none, preferably one that is not in use.
    fn reader_to_help(&self, worker: usize) -> Option<Arc<SharedReader>> {
        let count = self.readers.len();
        let in_turn = (0..count).map(|step| &self.readers[(worker + step) % count]);
        let free = in_turn.clone().find(|shared| shared.reader.try_lock().is_ok());
        free.or_else(|| in_turn.clone().next()).cloned()
    }

    /// Adds the part that a reader has read to the report on the part's input.
    fn record(&mut self, shared: &SharedReader) {
        let Some((input, part, read)) = lock(&shared.reader).account() else { return };
        let parts = &mut self.accounts[input as usize].parts;
        if parts.len() <= part as usize {
            parts.resize(part as usize + 1, Part::default());
        }
        parts[part as usize] = read;
    }
}
