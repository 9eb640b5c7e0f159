//! Decides which ranges of an object are kept, which are being fetched, and which comes next.

use std::{ops::Range, thread};

use bytes::Bytes;

/// The number of bytes that are fetched after a jump, enough for a header and whatever is usually read with
/// it.
const HOP_BYTES: u64 = 16 << 10;

/// When a reader continues past the end of a window, the next window is larger by this factor.
const GROWTH: u64 = 4;

/// Windows of at least this size belong to a sequential reader, and the range after them is fetched ahead.
/// Smaller windows are for jumps and for a reader's first reads; they do not count towards the limit on large
/// windows.
const SEQUENTIAL_BYTES: u64 = 1 << 20;

/// The largest window.
const WINDOW_BYTES_MAX: u64 = 8 << 20;

/// The maximum total size of the large windows. Machines with many cores may reach it, because they may have
/// many readers.
const KEPT_BYTES_MAX: u64 = 64 << 20;

/// The maximum number of large windows that are kept, and the maximum size of a window in bytes. There may be
/// as many small windows as large ones.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    windows: u64,
    window_bytes: u64,
}

impl Limits {
    /// Allows two windows per core: each core may have a reader, which needs the window that it is reading
    /// and the next one.
    pub(crate) fn of_machine() -> Self {
        Self::of_cores(thread::available_parallelism().map_or(1, usize::from) as u64)
    }

    pub(crate) fn of_cores(cores: u64) -> Self {
        let windows = (2 * cores).clamp(4, KEPT_BYTES_MAX / SEQUENTIAL_BYTES);
        Self { windows, window_bytes: WINDOW_BYTES_MAX.min(KEPT_BYTES_MAX / windows) }
    }
}

struct Window {
    range: Range<u64>,
    /// The bytes; `None` while they are being fetched.
    bytes: Option<Bytes>,
    /// The time of the last use.
    used: u64,
    /// Whether the last byte of the window has been read.
    spent: bool,
}

impl Window {
    fn len(&self) -> u64 {
        self.range.end - self.range.start
    }
}

/// The state of the bytes at an offset.
pub(crate) enum FetchState {
    /// One or more bytes, beginning at the offset, have been fetched.
    Ready(Bytes),
    /// The bytes are being fetched.
    Pending,
    /// The bytes have not been fetched.
    Absent,
}

/// The windows of an object.
pub(crate) struct Windows {
    limits: Limits,
    object_bytes: u64,
    kept: Vec<Window>,
    clock: u64,
}

impl Windows {
    pub(crate) fn new(object_bytes: u64, limits: Limits) -> Self {
        Self { limits, object_bytes, kept: Vec::new(), clock: 0 }
    }

    /// Looks up at most `wanted` bytes at offset `at`, and marks them as read.
    pub(crate) fn find(&mut self, at: u64, wanted: usize) -> FetchState {
        self.clock += 1;
        let Some(window) = self.kept.iter_mut().find(|window| window.range.contains(&at)) else {
            return FetchState::Absent;
        };
        let Some(bytes) = &window.bytes else { return FetchState::Pending };
        let from = (at - window.range.start) as usize;
        let to = bytes.len().min(from.saturating_add(wanted));
        window.used = self.clock;
        window.spent |= to == bytes.len();
        FetchState::Ready(bytes.slice(from..to))
    }

    /// Begins a window at `at`, an offset that no window contains yet, for a reader that wants `wanted`
    /// bytes.
    pub(crate) fn begin(&mut self, at: u64, wanted: usize) -> Range<u64> {
        let before = self.kept.iter().filter(|window| window.range.end == at).map(Window::len).max();
        let len = before.map_or(HOP_BYTES, |before| before * GROWTH).max(wanted as u64);
        let range = self.range(at, len);
        self.make_room(&range, |_| true);
        self.reserve(range)
    }

    /// Begins the window after the one that contains `at`. Does nothing unless the window at `at` is large,
    /// `at` is in its second half, and there is room.
    pub(crate) fn begin_ahead(&mut self, at: u64) -> Option<Range<u64>> {
        let window = self.kept.iter().find(|window| window.range.contains(&at))?;
        let (len, end) = (window.len(), window.range.end);
        let due = len >= SEQUENTIAL_BYTES && at - window.range.start >= len / 2;
        let known = end >= self.object_bytes || self.kept.iter().any(|window| window.range.contains(&end));
        if !due || known {
            return None;
        }
        let range = self.range(end, len * GROWTH);
        self.make_room(&range, |window| window.spent).then(|| self.reserve(range))
    }

    /// Stores the fetched bytes of a window.
    pub(crate) fn fill(&mut self, range: &Range<u64>, bytes: Bytes) {
        if let Some(window) = self.kept.iter_mut().find(|window| window.range == *range) {
            window.bytes = Some(bytes);
        }
    }

    /// Removes a window unless its bytes have been fetched.
    pub(crate) fn abandon(&mut self, range: &Range<u64>) {
        self.kept.retain(|window| window.range != *range || window.bytes.is_some());
    }

    /// Tries to make room for a window of `range`, and returns whether there is room now. If the limit on
    /// windows of the same kind (large or small) has been reached, one of these windows is dropped. Only a
    /// fetched window for which `may_go` returns true can be dropped. Windows that were read to their end are
    /// dropped before others, and less recently used windows before more recently used ones.
    fn make_room(&mut self, range: &Range<u64>, may_go: impl Fn(&Window) -> bool) -> bool {
        let large = |range: &Range<u64>| range.end - range.start >= SEQUENTIAL_BYTES;
        let kind = || self.kept.iter().enumerate().filter(|(_, window)| large(&window.range) == large(range));
        if (kind().count() as u64) < self.limits.windows {
            return true;
        }
        let candidates = kind().filter(|(_, window)| window.bytes.is_some() && may_go(window));
        let oldest =
            candidates.min_by_key(|(_, window)| (!window.spent, window.used)).map(|(index, _)| index);
        oldest.map(|index| self.kept.swap_remove(index)).is_some()
    }

    /// The range of at most `len` bytes that begins at `at`.
    fn range(&self, at: u64, len: u64) -> Range<u64> {
        at..at + len.min(self.limits.window_bytes).min(self.object_bytes - at)
    }

    fn reserve(&mut self, range: Range<u64>) -> Range<u64> {
        self.kept.push(Window { range: range.clone(), bytes: None, used: self.clock, spent: false });
        range
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_core_has_two_windows_as_long_as_all_together_are_small() {
        for (cores, windows, mib) in [(1, 4, 8), (4, 8, 8), (8, 16, 4), (16, 32, 2), (200, 64, 1)] {
            let limits = Limits::of_cores(cores);
            assert_eq!((limits.windows, limits.window_bytes), (windows, mib << 20), "{cores} cores");
        }
    }
}
