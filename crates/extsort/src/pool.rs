//! All pages of runs in memory, under one limit, and who spills when it is reached.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::budget::Budget;
use crate::gauge::Gauge;
use crate::memory_run::{MemoryRun, Page};
use crate::{Error, Result};

/// How often a waiting thread looks at the cancel flag.
const WAIT: Duration = Duration::from_millis(50);

/// The pages of runs in memory, and the runs that are whole.
///
/// One thread at a time spills: it takes all whole runs, and their pages come back one by one while it
/// merges, so that the others go on filling. A thread that finds no page while nobody spills hands over
/// what it has as a run and spills itself, so somebody always makes progress.
///
/// # Memory
/// Never more than the pool's share of the [`Budget`]: a page is only made below the limit.
#[derive(Debug)]
pub(crate) struct Pool {
    bytes_max: u64,
    page_bytes: usize,
    runs_max: usize,
    cancel: Arc<AtomicBool>,
    gauge: Arc<Gauge>,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    /// Bytes of all pages there are, spare ones too.
    held_bytes: u64,
    spare: Vec<Page>,
    runs: Vec<MemoryRun>,
    spilling: bool,
    failed: bool,
}

/// What a thread that asked for a page has to do.
pub(crate) enum Grant<'p> {
    /// Use this page.
    Page(Page),
    /// Spill these runs, then ask again.
    Spill(Spill<'p>),
}

/// The right, and the duty, to spill some runs; nobody else spills while this value lives.
pub(crate) struct Spill<'p> {
    pub(crate) runs: Vec<MemoryRun>,
    pool: &'p Pool,
}

impl Drop for Spill<'_> {
    fn drop(&mut self) {
        self.pool.state().spilling = false;
        self.pool.changed.notify_all();
    }
}

impl Pool {
    pub(crate) fn new(budget: &Budget, cancel: Arc<AtomicBool>, gauge: Arc<Gauge>) -> Self {
        Self {
            bytes_max: budget.pool_bytes,
            page_bytes: budget.page_bytes,
            runs_max: budget.memory_runs_max,
            cancel,
            gauge,
            state: Mutex::default(),
            changed: Condvar::new(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // A panic elsewhere leaves the state whole: nothing here panics half-way through a change.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'s>(&self, state: MutexGuard<'s, State>) -> Result<MutexGuard<'s, State>> {
        let (state, _) = self.changed.wait_timeout(state, WAIT).unwrap_or_else(PoisonError::into_inner);
        self.check(&state)?;
        Ok(state)
    }

    fn check(&self, state: &State) -> Result<()> {
        if self.cancel.load(Relaxed) {
            return Err(Error::Interrupted);
        }
        if state.failed { Err(Error::Stopped) } else { Ok(()) }
    }

    /// Stops everybody: some thread has met an error.
    pub(crate) fn fail(&self) {
        self.state().failed = true;
        self.changed.notify_all();
    }

    /// Whether some thread has met an error.
    pub(crate) fn has_failed(&self) -> bool {
        self.state().failed
    }

    /// An empty page, or the order to spill if there is none; `partial` is the caller's run in the making.
    pub(crate) fn page(&self, partial: &mut MemoryRun) -> Result<Grant<'_>> {
        let mut state = self.state();
        self.check(&state)?;
        loop {
            if let Some(page) = state.spare.pop() {
                return Ok(Grant::Page(page));
            }
            if state.held_bytes + self.page_bytes as u64 <= self.bytes_max {
                return Ok(Grant::Page(self.make_page(&mut state)));
            }
            let anything = !state.runs.is_empty() || !partial.pages.is_empty();
            if anything && !state.spilling {
                if !partial.pages.is_empty() {
                    state.runs.push(std::mem::take(partial));
                }
                return Ok(Grant::Spill(self.spill(&mut state)));
            }
            state = self.wait(state)?;
        }
    }

    fn make_page(&self, state: &mut State) -> Page {
        let page = Page::new(self.page_bytes);
        state.held_bytes += page.capacity() as u64;
        self.gauge.add(page.capacity() as u64);
        page
    }

    fn spill(&self, state: &mut State) -> Spill<'_> {
        state.spilling = true;
        Spill { runs: std::mem::take(&mut state.runs), pool: self }
    }

    /// Adds a whole run; the order to spill once too much is held.
    pub(crate) fn publish(&self, mut run: MemoryRun) -> Result<Option<Spill<'_>>> {
        let slack = run.pages.last_mut().map_or(0, |page| {
            let before = page.capacity();
            page.shrink();
            (before - page.capacity()) as u64
        });
        self.gauge.subtract(slack);
        let mut state = self.state();
        state.held_bytes -= slack;
        while state.spilling && state.runs.len() >= self.runs_max {
            state = self.wait(state)?;
        }
        self.check(&state)?;
        state.runs.push(run);
        let spare_bytes = (state.spare.len() * self.page_bytes) as u64;
        let used_bytes = state.held_bytes - spare_bytes;
        // An eighth is left free, so that others can go on filling while this thread starts to merge.
        let full = used_bytes > self.bytes_max - self.bytes_max / 8 || state.runs.len() >= self.runs_max;
        Ok((full && !state.spilling).then(|| self.spill(&mut state)))
    }

    /// Takes back a page that has been read.
    pub(crate) fn recycle(&self, mut page: Page) {
        let mut state = self.state();
        if page.capacity() == self.page_bytes {
            page.clear();
            state.spare.push(page);
        } else {
            state.held_bytes -= page.capacity() as u64;
            self.gauge.subtract(page.capacity() as u64);
        }
        drop(state);
        self.changed.notify_all();
    }

    /// All runs that were never spilled; frees the spare pages.
    pub(crate) fn take_runs(&self) -> Vec<MemoryRun> {
        let mut state = self.state();
        let spare_bytes: u64 = state.spare.drain(..).map(|page| page.capacity() as u64).sum();
        state.held_bytes -= spare_bytes;
        self.gauge.subtract(spare_bytes);
        std::mem::take(&mut state.runs)
    }
}
