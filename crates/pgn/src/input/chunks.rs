//! The parallel source of chunks: all workers ask, each gets whole games.

use std::{
    collections::VecDeque,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
};

use super::{
    cut::GAME_BYTES_MAX,
    cutter::Shape,
    expand::Input,
    feed::lock,
    lane::{Chunk, Lane},
    places::{Part, SourceInfo, Sources},
    rule::Unit,
    source::Source,
    stored::Meter,
};
use crate::{Error, Result};

/// Text that stays in the second-level cache while its games are read. Smaller chunks also end sooner: at the end one worker
/// waits for the others' last.
const CHUNK_BYTES: usize = 256 << 10;

/// How inputs are read.
#[derive(Clone, Debug)]
pub struct ChunkOptions {
    /// Workers that will ask for chunks, at least 1. So many inputs, members or frames are read at the same time.
    pub threads: usize,
    /// Bytes of text read for a chunk.
    pub chunk_bytes: usize,
    /// Longest game in bytes; a longer one comes as [`super::PieceKind::Oversized`]. At least 64 KiB.
    pub game_bytes_max: usize,
    /// Ends after so many games, rejected ones counted, in the order of the inputs. Then they are read one after
    /// another.
    pub games_max: Option<u64>,
    /// What the inputs are cut into.
    pub unit: Unit,
    /// Set by whoever wants reading to stop: the next call gives [`Error::Interrupted`].
    pub cancel: Arc<AtomicBool>,
}

impl Default for ChunkOptions {
    fn default() -> Self {
        Self {
            threads: 1,
            chunk_bytes: CHUNK_BYTES,
            game_bytes_max: GAME_BYTES_MAX,
            games_max: None,
            unit: Unit::Games,
            cancel: Arc::default(),
        }
    }
}

/// How far reading has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Bytes read of the inputs as stored.
    pub bytes_done: u64,
    /// Length of all inputs as stored; none if one is a stream.
    pub bytes_total: Option<u64>,
}

/// A source of chunks, shared by all workers.
///
/// A worker stays with the part of an input that it opened (its *lane*), opens another when that ends, and helps
/// others when nothing is left to open. Which chunks there are does not depend on it, only who gets them; but a
/// game may stand in another chunk if the number of threads or the size of chunks is another.
///
/// # Memory
/// For each worker: the unfinished game at the end of its lane's last chunk, and what unpacking takes (for a
/// pzstd file the packed frame and its window, 10 to 25 MiB; for others the window or block of the format). A
/// worker's chunk is in its own buffer: about `chunk_bytes`, at most `game_bytes_max` more for the longest game.
pub struct Chunks {
    options: ChunkOptions,
    meters: Vec<Arc<Meter>>,
    bytes_total: Option<u64>,
    schedule: Mutex<Schedule>,
    /// The lane each worker stays with.
    homes: Vec<Mutex<Option<Arc<Shared>>>>,
    /// Games still wanted.
    wanted: Mutex<u64>,
    /// Nothing more is given: an error was told, or enough games.
    stopped: AtomicBool,
}

/// What is being read and what waits.
struct Schedule {
    waiting: VecDeque<Input>,
    open: Vec<(u32, Source)>,
    lanes: Vec<Arc<Shared>>,
    accounts: Vec<SourceInfo>,
}

/// A lane that several workers may read.
struct Shared {
    lane: Mutex<Lane>,
    input: u32,
    done: AtomicBool,
}

impl Chunks {
    /// Prepares to read `inputs`; each is opened when its turn comes.
    ///
    /// # Errors
    /// If a file is not there any more.
    pub fn open(inputs: Vec<Input>, options: ChunkOptions) -> Result<Self> {
        let mut bytes_total = Some(0);
        for input in &inputs {
            bytes_total = bytes_total.zip(input.stored_bytes()?).map(|(total, bytes)| total + bytes);
        }
        let schedule =
            Schedule { waiting: inputs.into(), open: Vec::new(), lanes: Vec::new(), accounts: Vec::new() };
        Ok(Self {
            meters: schedule.waiting.iter().map(|_| Meter::new(&options.cancel)).collect(),
            bytes_total,
            schedule: Mutex::new(schedule),
            homes: (0..options.threads.max(1)).map(|_| Mutex::default()).collect(),
            wanted: Mutex::new(options.games_max.unwrap_or(u64::MAX)),
            stopped: AtomicBool::new(options.games_max == Some(0)),
            options,
        })
    }

    /// The next chunk for a worker, numbered from 0; none when all is read, or another worker was given an error.
    ///
    /// `recycled` is the text of a chunk that is done with, as it is (not cleared), or an empty vector.
    ///
    /// # Errors
    /// If an input cannot be read, is not PGN, is damaged or encrypted, or if reading was cancelled. One worker is
    /// told; the others get no more chunks.
    pub fn next(&self, worker: usize, mut recycled: Vec<u8>) -> Result<Option<Chunk>> {
        loop {
            if self.options.cancel.load(Ordering::Relaxed) {
                return Err(Error::Interrupted);
            }
            if self.stopped.load(Ordering::Acquire) {
                return Ok(None);
            }
            let outcome = match self.lane_for(worker % self.homes.len()) {
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

    /// How far reading has come.
    pub fn progress(&self) -> Progress {
        let bytes_done: u64 = self.meters.iter().map(|meter| meter.bytes.load(Ordering::Relaxed)).sum();
        let bytes_total = self.bytes_total;
        Progress { bytes_done: bytes_total.map_or(bytes_done, |total| bytes_done.min(total)), bytes_total }
    }

    /// What was read, once no worker asks any more.
    #[must_use]
    pub fn finish(self) -> Sources {
        let mut schedule = self.schedule.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
        for shared in std::mem::take(&mut schedule.lanes) {
            schedule.record(&shared);
        }
        let mut list = schedule.accounts;
        for (account, meter) in list.iter_mut().zip(&self.meters) {
            let read = meter.bytes.load(Ordering::Relaxed);
            (account.bytes, account.xxh3) = match meter.whole.get() {
                Some(&(bytes, xxh3)) => (bytes, Some(xxh3)),
                None => (account.bytes.max(read), None),
            };
        }
        Sources { list }
    }

    /// The lane a worker should read, none if all are read to their ends.
    fn lane_for(&self, worker: usize) -> Result<Option<Arc<Shared>>> {
        let mut home = lock(&self.homes[worker]);
        if let Some(shared) = home.as_ref().filter(|shared| !shared.done.load(Ordering::Acquire)) {
            return Ok(Some(Arc::clone(shared)));
        }
        let mut schedule = lock(&self.schedule);
        *home = self.start_lane(&mut schedule)?;
        Ok(home.clone().or_else(|| schedule.lane_to_help(worker)))
    }

    /// Opens another part of an input, if there is one that need not wait.
    fn start_lane(&self, schedule: &mut Schedule) -> Result<Option<Arc<Shared>>> {
        let in_order = self.options.games_max.is_some();
        if in_order && !schedule.lanes.is_empty() {
            return Ok(None);
        }
        let inputs_max = if in_order { 1 } else { self.homes.len() };
        loop {
            if let Some(lane) = self.open_part(schedule)? {
                let shared = Arc::new(lane);
                schedule.lanes.push(Arc::clone(&shared));
                return Ok(Some(shared));
            }
            if schedule.open.len() >= inputs_max || !self.open_input(schedule)? {
                return Ok(None);
            }
        }
    }

    /// Opens the next part of an input that is open; inputs that have no more are closed.
    fn open_part(&self, schedule: &mut Schedule) -> Result<Option<Shared>> {
        let shape = Shape {
            chunk_bytes: self.options.chunk_bytes.max(1),
            game_bytes_max: self.options.game_bytes_max.max(super::start::LOOK_BYTES_MAX),
        };
        let mut at = 0;
        while let Some((input, source)) = schedule.open.get_mut(at) {
            let input = *input;
            if source.in_turn() && schedule.lanes.iter().any(|lane| lane.input == input) {
                at += 1;
                continue;
            }
            match source.next_part()? {
                Some(part) => {
                    let lane = Mutex::new(Lane::new(input, part, shape, source.blame.clone()));
                    return Ok(Some(Shared { lane, input, done: AtomicBool::new(false) }));
                }
                None => drop(schedule.open.remove(at)),
            }
        }
        Ok(None)
    }

    /// Opens the next input that waits; false if none does.
    fn open_input(&self, schedule: &mut Schedule) -> Result<bool> {
        let Some(input) = schedule.waiting.pop_front() else { return Ok(false) };
        let number = schedule.accounts.len();
        let parallel = self.homes.len() > 1 && self.options.games_max.is_none();
        let bytes = input.stored_bytes()?.unwrap_or(0);
        let mut source = Source::open(input, &self.meters[number], self.options.unit, parallel)?;
        schedule.accounts.push(SourceInfo {
            name: source.blame.name.to_string(),
            packing: source.blame.packing,
            bytes,
            xxh3: None,
            parts: Vec::new(),
            skipped: std::mem::take(&mut source.skipped),
        });
        schedule.open.push((number as u32, source));
        Ok(true)
    }

    /// Reads a chunk of a lane; closes the lane at its end.
    fn read(&self, shared: &Arc<Shared>, buffer: &mut Vec<u8>) -> Result<Option<Chunk>> {
        let mut lane = lock(&shared.lane);
        if self.stopped.load(Ordering::Acquire) {
            return Ok(None);
        }
        if let Some(mut chunk) = lane.next(buffer)? {
            self.count(&mut chunk);
            return Ok(Some(chunk));
        }
        drop(lane);
        if !shared.done.swap(true, Ordering::AcqRel) {
            let mut schedule = lock(&self.schedule);
            schedule.lanes.retain(|other| !Arc::ptr_eq(other, shared));
            schedule.record(shared);
        }
        Ok(None)
    }

    /// Cuts the chunk after the last game that is wanted. Called under the lane's lock, so in order.
    fn count(&self, chunk: &mut Chunk) {
        if self.options.games_max.is_none() {
            return;
        }
        let mut wanted = lock(&self.wanted);
        let mut unwanted = None;
        for piece in chunk.games() {
            if *wanted == 0 {
                unwanted = Some(piece.offset);
                break;
            }
            *wanted -= 1;
        }
        chunk.text.truncate(unwanted.unwrap_or(chunk.text.len()));
        self.stopped.fetch_or(*wanted == 0, Ordering::AcqRel);
    }
}

impl Schedule {
    /// A lane that a worker without one may read: better one that nobody reads at the moment.
    fn lane_to_help(&self, worker: usize) -> Option<Arc<Shared>> {
        let count = self.lanes.len();
        let in_turn = (0..count).map(|step| &self.lanes[(worker + step) % count]);
        let free = in_turn.clone().find(|shared| shared.lane.try_lock().is_ok());
        free.or_else(|| in_turn.clone().next()).cloned()
    }

    /// Enters what a lane read into the account of its input.
    fn record(&mut self, shared: &Shared) {
        let Some((input, part, read)) = lock(&shared.lane).account() else { return };
        let parts = &mut self.accounts[input as usize].parts;
        if parts.len() <= part as usize {
            parts.resize(part as usize + 1, Part::default());
        }
        parts[part as usize] = read;
    }
}
