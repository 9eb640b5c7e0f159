//! Taking items in.

use std::marker::PhantomData;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

use crate::budget::Budget;
use crate::chunk::RunBuilder;
use crate::gauge::Lease;
use crate::spill::Shared;
use crate::{Error, Item, Options, Result, Sorted};

/// Sorts and sums items that several threads push.
///
/// # Memory
/// [`Options::memory_bytes`] bound all that the sorter, its writers and its result hold together.
pub struct Sorter<I, const LANES: usize> {
    shared: Arc<Shared>,
    writers_open: AtomicUsize,
    writer_dropped: AtomicBool,
    items: PhantomData<fn(I)>,
}

impl<I: Item<LANES>, const LANES: usize> Sorter<I, LANES> {
    /// A sorter without items.
    ///
    /// # Errors
    /// [`Error::Option`] and [`Error::BudgetTooSmall`].
    pub fn new(options: Options) -> Result<Self> {
        options.check()?;
        let budget = Budget::derive::<LANES>(&options, size_of::<I>())?;
        Ok(Self::with_budget(options, budget))
    }

    /// A sorter with shares of memory set by hand.
    pub(crate) fn with_budget(options: Options, budget: Budget) -> Self {
        const {
            assert!(I::PAYLOAD_BITS >= 16 && I::PAYLOAD_BITS <= 64, "the payload is 16 to 64 bits");
            assert!(LANES < 200, "a sum code is a byte");
        }
        Self {
            shared: Arc::new(Shared::new(options, budget, I::PAYLOAD_BITS, LANES)),
            writers_open: AtomicUsize::new(0),
            writer_dropped: AtomicBool::new(false),
            items: PhantomData,
        }
    }

    /// A writer for one thread.
    ///
    /// # Errors
    /// [`Error::TooManyWriters`] if as many as [`Options::threads`] are open.
    pub fn writer(&self) -> Result<Writer<'_, I, LANES>> {
        let threads = self.shared.options.threads;
        if self.writers_open.fetch_add(1, Relaxed) >= threads {
            self.writers_open.fetch_sub(1, Relaxed);
            return Err(Error::TooManyWriters { threads });
        }
        let chunk_items = self.shared.budget.chunk_items;
        let encoder_bytes = RunBuilder::<LANES>::memory_bytes();
        let lease = self.shared.gauge.lease((2 * chunk_items * size_of::<I>() + encoder_bytes) as u64);
        Ok(Writer {
            sorter: self,
            items: Vec::with_capacity(chunk_items),
            scratch: Vec::new(),
            chunk_items,
            builder: RunBuilder::new(Arc::clone(&self.shared)),
            _lease: lease,
        })
    }

    /// Ends the input; what was pushed can now be read in order.
    ///
    /// # Errors
    /// [`Error::WriterDropped`] and [`Error::Stopped`] if items were lost, and those of merging run files.
    pub fn finish(self) -> Result<Sorted<LANES>> {
        if self.writer_dropped.load(Relaxed) {
            return Err(Error::WriterDropped);
        }
        if self.shared.pool.has_failed() {
            return Err(Error::Stopped);
        }
        Sorted::new(self.shared)
    }
}

/// Pushes the items of one thread into a [`Sorter`].
///
/// # Memory
/// A chunk of items and a scratch of the same size; pushing allocates nothing.
pub struct Writer<'s, I: Item<LANES>, const LANES: usize> {
    sorter: &'s Sorter<I, LANES>,
    items: Vec<I>,
    scratch: Vec<I>,
    chunk_items: usize,
    builder: RunBuilder<LANES>,
    _lease: Lease,
}

impl<I: Item<LANES>, const LANES: usize> Writer<'_, I, LANES> {
    /// Adds an item.
    ///
    /// # Errors
    /// Once a chunk is full: those of spilling, [`Error::Interrupted`], and [`Error::Stopped`] after another
    /// thread's error.
    #[inline]
    pub fn push(&mut self, item: I) -> Result<()> {
        if self.items.len() == self.chunk_items {
            self.sort_chunk()?;
        }
        self.items.push(item);
        Ok(())
    }

    /// Hands over what is left. A writer that is dropped instead fails the sort.
    ///
    /// # Errors
    /// As [`push`](Self::push).
    pub fn close(mut self) -> Result<()> {
        if self.items.is_empty() { Ok(()) } else { self.sort_chunk() }
    }

    #[cold]
    fn sort_chunk(&mut self) -> Result<()> {
        let shared = &self.sorter.shared;
        let sorted = shared.check().and_then(|()| {
            self.scratch.resize(self.items.len(), self.items[0]);
            self.builder.build(&mut self.items, &mut self.scratch)
        });
        match sorted {
            Ok(()) => self.items.clear(),
            Err(_) => shared.pool.fail(),
        }
        sorted
    }
}

impl<I: Item<LANES>, const LANES: usize> Drop for Writer<'_, I, LANES> {
    fn drop(&mut self) {
        if !self.items.is_empty() {
            self.sorter.writer_dropped.store(true, Relaxed);
        }
        self.sorter.writers_open.fetch_sub(1, Relaxed);
    }
}
