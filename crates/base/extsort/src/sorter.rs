//! Receives items from several threads.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::arena::Arena;
use crate::budget::{Budget, sorting_bytes};
use crate::gauge::Lease;
use crate::radix::PieceSorter;
use crate::sort_buffer::SortBuffer;
use crate::spill::Shared;
use crate::unspilled::{Unspilled, UnspilledRows};
use crate::{Error, Item, Options, Result, RunFile, Sorted, Stats};

/// Sorts and combines items that several threads push.
///
/// # Memory
/// [`Options::memory_bytes`] limits the total memory that the sorter, its writers and its result hold.
pub struct Sorter<I, const SUMS: usize> {
    shared: Arc<Shared>,
    writers_open: AtomicUsize,
    writer_dropped: AtomicBool,
    /// The buffers that were not full when their writers were closed. Later writers continue to fill these
    /// buffers.
    unspilled: Mutex<Unspilled<I>>,
}

impl<I: Item<SUMS>, const SUMS: usize> Sorter<I, SUMS> {
    /// Creates an empty sorter.
    ///
    /// # Errors
    /// Fails with [`Error::Option`] if an option is out of range, and with [`Error::BudgetTooSmall`] if the
    /// memory limit is too small.
    pub fn new(options: Options) -> Result<Self> {
        Self::with_arena(options, &Arena::none())
    }

    /// Creates an empty sorter, which takes its buffers from an arena and returns them to it.
    ///
    /// # Errors
    /// Fails with the same errors as [`new`](Self::new).
    pub fn with_arena(options: Options, arena: &Arena<I>) -> Result<Self> {
        options.check()?;
        let budget = Budget::derive::<I, SUMS>(&options)?;
        Ok(Self::with_budget(options, budget, arena))
    }

    /// Creates an empty sorter that divides its memory according to `budget`.
    pub(crate) fn with_budget(options: Options, budget: Budget, arena: &Arena<I>) -> Self {
        const {
            assert!(I::PAYLOAD_BITS >= 16 && I::PAYLOAD_BITS <= 64, "the payload is 16 to 64 bits");
            assert!(SUMS < 200, "a sum code is a byte");
        }
        Self {
            shared: Arc::new(Shared::new(options, budget, I::PAYLOAD_BITS)),
            writers_open: AtomicUsize::new(0),
            writer_dropped: AtomicBool::new(false),
            unspilled: Mutex::new(Unspilled::new(arena.clone())),
        }
    }

    /// Creates a writer for one thread. If runs have no names ([`Options::runs`]), the new writer takes over
    /// the buffer of a closed writer, if there is one. If runs have names, create at most
    /// [`Options::threads`] writers in total.
    ///
    /// # Errors
    /// Fails with [`Error::TooManyWriters`] if [`Options::threads`] writers are open already.
    pub fn writer(&self) -> Result<Writer<'_, I, SUMS>> {
        let threads = self.shared.options.threads;
        if self.writers_open.fetch_add(1, Relaxed) >= threads {
            self.writers_open.fetch_sub(1, Relaxed);
            return Err(Error::TooManyWriters(threads));
        }
        let buffer_items = self.shared.budget.buffer_items;
        // A group must hold exactly the items of its own writer, so if runs have names, a writer begins with
        // an empty buffer.
        let goes_on = self.shared.options.runs.is_none();
        let mut unspilled = self.unspilled();
        let before = if goes_on { unspilled.pop() } else { None };
        let (buffer, lease) = before.unwrap_or_else(|| {
            (unspilled.arena.buffer(buffer_items), self.shared.gauge.lease(sorting_bytes::<I>(buffer_items)))
        });
        drop(unspilled);
        Ok(Writer {
            sorter: self,
            buffer,
            sorter_of_pieces: PieceSorter::new(),
            lease,
            group: RunGroup::default(),
        })
    }

    /// Adds the runs of a group that a writer of this sorter [ended](Writer::end_group), or runs that another
    /// process wrote with the same options. Their items need not be pushed again. The caller must have
    /// recorded these runs already. If they are merged later, the [ledger](crate::RunLedger) records the
    /// merged run.
    ///
    /// # Errors
    /// Fails with [`Error::Corrupt`] if a run comes from a different kind of sort. If there are too many
    /// runs, some are merged, and this may also fail.
    pub fn adopt(&self, runs: Vec<RunFile>) -> Result<()> {
        runs.iter().try_for_each(|run| self.shared.check_shape(run, SUMS))?;
        self.shared.adopt::<SUMS, I::Combine>(runs.into_iter().map(RunFile::recorded))
    }

    fn unspilled(&self) -> MutexGuard<'_, Unspilled<I>> {
        // No method leaves the list in an inconsistent state, so it can still be used after another thread
        // has panicked.
        self.unspilled.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Statistics of the sort so far, for progress reports.
    pub fn stats(&self) -> Stats {
        self.shared.stats()
    }

    /// Ends the input. The items can then be read in order.
    ///
    /// # Errors
    /// Fails with [`Error::WriterDropped`] or [`Error::AnotherThreadFailed`] if items were lost. Also fails
    /// if items cannot be spilled or run files cannot be merged.
    pub fn finish(self) -> Result<Sorted<SUMS, I::Combine>> {
        if self.writer_dropped.load(Relaxed) {
            return Err(Error::WriterDropped);
        }
        if self.shared.has_failed() {
            return Err(Error::AnotherThreadFailed);
        }
        let unspilled = self.unspilled.into_inner().unwrap_or_else(PoisonError::into_inner);
        self.shared.counters.items.fetch_add(unspilled.items(), Relaxed);
        let unspilled = unspilled.finish(&self.shared)?;
        Sorted::new(self.shared, unspilled.map(|items| Arc::new(items) as Arc<dyn UnspilledRows<SUMS>>))
    }
}

/// Pushes the items of one thread into a [`Sorter`].
///
/// # Memory
/// Holds a buffer of items. While a full buffer is sorted and spilled, the writer also holds a copy of the
/// buffer's largest piece, and the memory needed to write a run file. Pushing allocates nothing once the
/// first buffer has filled up.
pub struct Writer<'s, I: Item<SUMS>, const SUMS: usize> {
    sorter: &'s Sorter<I, SUMS>,
    buffer: SortBuffer<I>,
    sorter_of_pieces: PieceSorter<I>,
    lease: Lease,
    /// The named runs that were spilled and have not yet been handed to the caller.
    group: RunGroup,
}

/// Named runs that contain exactly the items that were pushed to a writer since the writer's previous group
/// ended.
///
/// The runs of a group are not part of the sort until the caller has recorded the runs and has [handed them
/// back](Sorter::adopt) to the sorter.
#[derive(Debug, Default)]
pub struct RunGroup {
    /// The runs, which have been synced to disk.
    pub runs: Vec<RunFile>,
    /// The number of items in the runs.
    pub items: u64,
}

impl<I: Item<SUMS>, const SUMS: usize> Writer<'_, I, SUMS> {
    /// Roughly how many items can still be pushed before the writer spills.
    #[must_use]
    pub fn room_items(&self) -> u64 {
        self.buffer.room_items()
    }

    /// Whether the writer has spilled items into named runs since the last group ended. Always `false` if
    /// runs have no names.
    #[must_use]
    pub fn has_spilled(&self) -> bool {
        !self.group.runs.is_empty()
    }

    /// Spills the items pushed since the previous group ended into named runs ([`Options::runs`]), and
    /// returns the runs.
    ///
    /// # Errors
    /// Fails with the same errors as [`push`](Self::push).
    ///
    /// # Panics
    /// Panics if runs have no names.
    pub fn end_group(&mut self) -> Result<RunGroup> {
        assert!(self.sorter.shared.options.runs.is_some(), "runs of a group have names");
        if !self.buffer.is_empty() {
            self.spill()?;
        }
        Ok(std::mem::take(&mut self.group))
    }

    /// Empties the buffer.
    fn spill(&mut self) -> Result<()> {
        let shared = &self.sorter.shared;
        let items = self.buffer.items();
        shared.counters.items.fetch_add(items, Relaxed);
        let spilled = shared.check().and_then(|()| match shared.options.runs.as_deref() {
            None => shared.spill(&mut self.buffer, &mut self.sorter_of_pieces),
            folder => {
                let run = shared.spill_to(folder, &mut self.buffer, &mut self.sorter_of_pieces)?;
                self.group.runs.push(run);
                self.group.items += items;
                Ok(())
            }
        });
        spilled.inspect_err(|_| shared.fail())
    }

    /// Adds an item.
    ///
    /// # Errors
    /// If the writer's buffer is full, it is spilled first, and this may fail. At that point, pushing also
    /// fails with [`Error::Stopped`] if the caller asked to stop, and with [`Error::AnotherThreadFailed`]
    /// after an error in another thread.
    #[inline]
    pub fn push(&mut self, item: I) -> Result<()> {
        if self.buffer.push(item) { Ok(()) } else { self.push_to_next(item) }
    }

    /// Hands the sorter the remaining items, and the runs that were spilled after the last
    /// [`end_group`](Self::end_group). If a writer that still has items or runs is dropped instead, the sort
    /// fails.
    ///
    /// # Errors
    /// Fails with the same errors as [`push`](Self::push).
    pub fn close(mut self) -> Result<()> {
        let sorter = self.sorter;
        sorter.shared.check()?;
        // The writer keeps an empty buffer, because the sort fails if a writer is dropped while its buffer
        // has items.
        let buffer = std::mem::replace(&mut self.buffer, SortBuffer::new(0));
        sorter.unspilled().push(buffer, self.lease.take());
        sorter.shared.adopt::<SUMS, I::Combine>(std::mem::take(&mut self.group).runs)
    }

    #[cold]
    fn push_to_next(&mut self, item: I) -> Result<()> {
        self.spill()?;
        assert!(self.buffer.push(item), "an empty buffer has room");
        Ok(())
    }
}

impl<I: Item<SUMS>, const SUMS: usize> Drop for Writer<'_, I, SUMS> {
    fn drop(&mut self) {
        if !self.buffer.is_empty() || self.has_spilled() {
            self.sorter.writer_dropped.store(true, Relaxed);
        }
        self.sorter.writers_open.fetch_sub(1, Relaxed);
    }
}
