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
    input::{Chunk, ChunkOptions, Chunks, Input, Progress, Sources},
};

/// Chunks that each thread may be ahead of who takes the results.
const AHEAD_PER_THREAD: usize = 2;

/// What a thread makes of a chunk. Each thread has a clone of its own.
pub(crate) trait Work: Clone + Send + 'static {
    /// All that came of one chunk.
    type Batch: Send + 'static;

    /// Turns a chunk into a batch.
    fn batch(&mut self, chunk: Chunk) -> Self::Batch;
}

/// The batches of all inputs, in the order of the inputs and their text.
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
    threads: Vec<JoinHandle<()>>,
}

/// A batch and its number, from 0; or what its thread panicked with, for without the batch all others would wait.
type Numbered<B> = (u64, thread::Result<Result<B>>);

/// Whose turn it is to read: the number of the next chunk.
struct Turn {
    number: u64,
    permits: Receiver<()>,
}

impl<B: Send + 'static> InOrder<B> {
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
        Ok(Self { chunks, batches, permits: Some(permits), early: BTreeMap::new(), next: 0, threads })
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

impl<B: Send + 'static> Iterator for InOrder<B> {
    type Item = Result<B>;

    fn next(&mut self) -> Option<Result<B>> {
        loop {
            if let Some(batch) = self.early.remove(&self.next) {
                self.next += 1;
                if let Some(permits) = &self.permits {
                    // No thread reads any more once all is read.
                    permits.send(()).ok();
                }
                return Some(batch.unwrap_or_else(|panic| resume_unwind(panic)));
            }
            match self.batches.recv() {
                Ok((number, batch)) => drop(self.early.insert(number, batch)),
                Err(_) => {
                    self.stop();
                    return None;
                }
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

    /// Gives the offset of each chunk, and panics at one of them.
    #[derive(Clone)]
    struct Offsets {
        panics_at: u64,
    }

    impl Work for Offsets {
        type Batch = u64;

        fn batch(&mut self, chunk: Chunk) -> u64 {
            assert!(chunk.place.offset < self.panics_at, "told to");
            // Later chunks tend to be ready first.
            thread::sleep(std::time::Duration::from_micros(500 - chunk.place.offset.min(500)));
            chunk.place.offset
        }
    }

    fn start(threads: usize, panics_at: u64) -> InOrder<u64> {
        let text = "[Event \"a\"]\n\n*\n\n".repeat(100);
        let input = Input::stream("-", std::io::Cursor::new(text.into_bytes()));
        let options = ChunkOptions { threads, chunk_bytes: 32, ..ChunkOptions::default() };
        InOrder::start(vec![input], &options, &Offsets { panics_at }).unwrap()
    }

    #[test]
    fn batches_come_in_order_from_any_threads() {
        for threads in [0, 1, 2, 5] {
            let offsets: Vec<_> = start(threads, u64::MAX).map(Result::unwrap).collect();
            assert!(offsets.is_sorted() && offsets.len() > 40, "{offsets:?}");
        }
    }

    #[test]
    #[should_panic(expected = "told to")]
    fn a_panic_of_a_thread_reaches_who_takes_the_batches() {
        start(3, 800).for_each(drop);
    }
}
