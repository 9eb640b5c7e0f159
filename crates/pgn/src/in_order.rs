//! Chunks read one after another, worked on by many threads, and handed out in the order of the text.

use std::{
    collections::BTreeMap,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{Receiver, Sender, channel},
    },
    thread::{self, JoinHandle},
};

use crate::{
    Result,
    input::{Chunk, ChunkOptions, Chunks, Input, Place, Progress, Sources},
};

/// Chunks that each thread may be ahead of who takes the results.
const AHEAD_PER_THREAD: usize = 2;

/// What a thread makes of a chunk. Each thread has a clone of its own.
pub(crate) trait Work: Clone + Send + 'static {
    /// All that came of one chunk.
    type Batch: Batch;

    /// Turns a chunk into a batch.
    fn batch(&mut self, chunk: Chunk) -> Self::Batch;
}

/// What came of one chunk: items of one stream, which are numbered through.
pub(crate) trait Batch: Send + 'static {
    /// Where the chunk stood.
    fn place(&self) -> Place;

    /// How many items it holds.
    fn items(&self) -> usize;

    /// Takes how many items of the same stream come before.
    fn number_after(&mut self, before: u64);
}

/// The batches of all inputs that hold something, in the order of the inputs and their text.
///
/// One thread at a time reads and unpacks, all of them work.
///
/// # Memory
/// Two chunks or their batches for each thread, and one more for who takes them.
pub(crate) struct InOrder<B> {
    chunks: Arc<Chunks>,
    batches: Receiver<Numbered<B>>,
    /// A permit for each chunk that may be read. None once nothing more is wanted.
    permits: Option<Sender<()>>,
    /// Batches that came before their turn.
    early: BTreeMap<u64, thread::Result<Result<B>>>,
    next: u64,
    /// Stream of the last batch (input and part), and its items so far.
    stream: (u32, u32),
    items: u64,
    threads: Vec<JoinHandle<()>>,
}

/// A batch and its number, from 0; or what its thread panicked with, for without the batch all others would wait.
type Numbered<B> = (u64, thread::Result<Result<B>>);

/// Whose turn it is to read: the number of the next chunk.
struct Turn {
    number: u64,
    permits: Receiver<()>,
}

impl<B: Batch> InOrder<B> {
    /// Starts `options.threads` threads.
    ///
    /// # Errors
    /// If a file is not there any more.
    pub(crate) fn start<W: Work<Batch = B>>(
        inputs: Vec<Input>,
        options: &ChunkOptions,
        work: &W,
    ) -> Result<Self> {
        let threads = options.threads.max(1);
        // One reader: inputs come one after another, each from its first byte to its last.
        let chunks = Arc::new(Chunks::open(inputs, ChunkOptions { threads: 1, ..options.clone() })?);
        let (sender, batches) = channel();
        let (permits, received) = channel();
        let turn = Arc::new(Mutex::new(Turn { number: 0, permits: received }));
        let start = |_| {
            let (chunks, turn, sender, work) =
                (Arc::clone(&chunks), Arc::clone(&turn), sender.clone(), work.clone());
            thread::spawn(move || run(&chunks, &turn, &sender, work))
        };
        let threads: Vec<_> = (0..threads).map(start).collect();
        let ahead = AHEAD_PER_THREAD * threads.len();
        for _ in 0..ahead {
            // Threads that are at their end already want no permit.
            permits.send(()).ok();
        }
        let (permits, early) = (Some(permits), BTreeMap::new());
        Ok(Self { chunks, batches, permits, early, next: 0, stream: (0, 0), items: 0, threads })
    }

    /// How far reading has come.
    pub(crate) fn progress(&self) -> Progress {
        self.chunks.progress()
    }

    /// What was read, up to where batches were taken and a little further. Stops all threads.
    pub(crate) fn finish(mut self) -> Sources {
        self.stop();
        let chunks = Arc::clone(&self.chunks);
        drop(self);
        Arc::into_inner(chunks).map(Chunks::finish).unwrap_or_default()
    }

    fn stop(&mut self) {
        self.permits = None;
        for thread in self.threads.drain(..) {
            if let Err(panic) = thread.join()
                && !thread::panicking()
            {
                resume_unwind(panic);
            }
        }
    }
}

impl<B: Batch> InOrder<B> {
    /// The next batch in order, empty or not.
    fn take(&mut self) -> Option<Result<B>> {
        loop {
            if let Some(batch) = self.early.remove(&self.next) {
                self.next += 1;
                if let Some(permits) = &self.permits {
                    // No thread reads any more once all is read.
                    permits.send(()).ok();
                }
                return Some(batch.unwrap_or_else(|panic| resume_unwind(panic)));
            }
            let Ok((number, batch)) = self.batches.recv() else {
                self.stop();
                return None;
            };
            self.early.insert(number, batch);
        }
    }

    fn number(&mut self, batch: &mut B) {
        let place = batch.place();
        let stream = (place.input, place.part);
        if stream != self.stream {
            (self.stream, self.items) = (stream, 0);
        }
        batch.number_after(self.items);
        self.items += batch.items() as u64;
    }
}

impl<B: Batch> Iterator for InOrder<B> {
    type Item = Result<B>;

    fn next(&mut self) -> Option<Result<B>> {
        loop {
            match self.take()? {
                Ok(batch) if batch.items() == 0 => {}
                Ok(mut batch) => {
                    self.number(&mut batch);
                    return Some(Ok(batch));
                }
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

impl<B> Drop for InOrder<B> {
    fn drop(&mut self) {
        // Threads that wait for a permit see that none will come.
        self.permits = None;
    }
}

/// One thread: reads in its turn, works, tells.
fn run<W: Work>(chunks: &Chunks, turn: &Mutex<Turn>, batches: &Sender<Numbered<W::Batch>>, mut work: W) {
    while let Some((number, chunk)) = read_next(chunks, turn) {
        let batch = catch_unwind(AssertUnwindSafe(|| chunk.map(|chunk| work.batch(chunk))));
        if batches.send((number, batch)).is_err() {
            return;
        }
    }
}

/// Waits for its turn and a permit, and reads a chunk; none if there is no more, or nobody wants it.
fn read_next(chunks: &Chunks, turn: &Mutex<Turn>) -> Option<(u64, Result<Chunk>)> {
    let mut turn = turn.lock().unwrap_or_else(PoisonError::into_inner);
    turn.permits.recv().ok()?;
    let chunk = chunks.next(0, Vec::new()).transpose()?;
    let number = turn.number;
    turn.number += 1;
    Some((number, chunk))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives the place of each chunk, and panics at one of them.
    #[derive(Clone)]
    struct Places {
        panics_at: u64,
    }

    /// One item, and how many are said to come before.
    struct One(Place, u64);

    impl Batch for One {
        fn place(&self) -> Place {
            self.0
        }

        fn items(&self) -> usize {
            1
        }

        fn number_after(&mut self, before: u64) {
            self.1 = before;
        }
    }

    impl Work for Places {
        type Batch = One;

        fn batch(&mut self, chunk: Chunk) -> One {
            assert!(chunk.place.offset < self.panics_at, "told to");
            // Later chunks tend to be ready first.
            thread::sleep(std::time::Duration::from_micros(500 - chunk.place.offset.min(500)));
            One(chunk.place, u64::MAX)
        }
    }

    fn start(threads: usize, panics_at: u64) -> InOrder<One> {
        let text = "[Event \"a\"]\n\n*\n\n".repeat(100);
        let input = || Input::stream("-", std::io::Cursor::new(text.clone().into_bytes()));
        let options = ChunkOptions { threads, chunk_bytes: 32, ..ChunkOptions::default() };
        InOrder::start(vec![input(), input()], &options, &Places { panics_at }).unwrap()
    }

    #[test]
    fn batches_come_in_order_from_any_threads_and_are_numbered_by_stream() {
        for threads in [0, 1, 2, 5] {
            let batches: Vec<_> = start(threads, u64::MAX).map(Result::unwrap).collect();
            assert!(batches.is_sorted_by_key(|batch| batch.0) && batches.len() > 80);
            let first = batches.iter().filter(|batch| batch.0.input == 0).count();
            let numbers = batches.iter().map(|batch| batch.1);
            assert!(numbers.eq((0..first as u64).chain(0..(batches.len() - first) as u64)));
        }
    }

    #[test]
    #[should_panic(expected = "told to")]
    fn a_panic_of_a_thread_reaches_who_takes_the_batches() {
        start(3, 800).for_each(drop);
    }
}
