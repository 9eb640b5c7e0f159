//! Reads pzstd files in parallel, a run of frames at a time; the text of each run consists of whole games.
//!
//! Frames may begin anywhere in a line, and the worker that decompresses a run does not know the text before
//! it. So the text of a run begins at the run's first line at which a game *certainly* starts, whatever text
//! comes before that line. The text before that line is at most the rest of one or two games, and belongs to
//! the previous run. To read it, the worker of the previous run also decompresses the beginning of this run.
//! Both workers search the same bytes by the same rule and find the same line, so every byte is read as text
//! exactly once, and no worker waits for another.

use std::{
    io::{self, BufReader, Cursor, Read},
    ops::Range,
    sync::Arc,
};

use zstd::stream::read::Decoder;

use super::{
    frames::{Run, run_at},
    unpack::{buffered, zstd_frames},
    window::WindowLimit,
};
use crate::input::{
    cutting::{Rule, Search},
    stored::{Meter, RangeReader, ReadAt, StoredFile},
};

/// A file, and the values that all its runs share.
#[derive(Clone)]
pub(crate) struct FramedFile {
    pub(crate) file: Arc<dyn ReadAt>,
    pub(crate) file_bytes: u64,
    pub(crate) rule: Rule,
    pub(crate) window: WindowLimit,
    pub(crate) meter: Arc<Meter>,
}

/// Returns the runs of a pzstd file in order; reads and hashes the file from its first byte to its last.
pub(crate) struct Runs {
    pub(crate) framed: FramedFile,
    /// The reader of the stored bytes; `None` once the last run has taken it.
    stored: Option<StoredFile>,
    at: u64,
    /// The offset at which the next section begins.
    end: u64,
}

impl Runs {
    pub(crate) fn new(framed: FramedFile, stored: StoredFile) -> Self {
        Self { framed, stored: Some(stored), at: 0, end: u64::MAX }
    }

    /// Returns the runs of `section`, which must start and end between runs.
    pub(crate) fn of_section(framed: FramedFile, stored: StoredFile, section: Range<u64>) -> Self {
        Self { framed, stored: Some(stored), at: section.start, end: section.end }
    }

    /// The text of the next run.
    ///
    /// # Memory
    /// Takes up to 17 MiB for the compressed run (about 4 to 7 MiB in files made by pzstd), plus a Zstandard
    /// window.
    pub(crate) fn next(&mut self) -> io::Result<Option<RunText>> {
        let Some(mut stored) = self.stored.take() else { return Ok(None) };
        let run = run_at(&*self.framed.file, self.at, self.framed.file_bytes)?;
        let Some(run) = run.filter(|run| run.start < self.end) else {
            // No frame is left. The remaining bytes are read only to be hashed.
            io::copy(&mut stored, &mut io::sink())?;
            return Ok(None);
        };
        let first = run.start == 0;
        self.at = run.end;
        // A regular run has a known end. All its compressed bytes are read into memory here, so that the next
        // worker can read the file after this run. Any other run extends to the end of the file and is read
        // as a stream.
        let packed = if run.regular {
            let packed = read_run(&mut stored, run)?;
            self.stored = Some(stored);
            RunDecoder::Held(zstd_frames(Cursor::new(packed), self.framed.window)?)
        } else {
            RunDecoder::Streamed(Box::new(zstd_frames(buffered(stored), self.framed.window)?))
        };
        Ok(Some(RunText::new(self.framed.clone(), run, packed, first)))
    }
}

fn read_run(stored: &mut StoredFile, run: Run) -> io::Result<Vec<u8>> {
    let bytes = run.end - run.start;
    let mut packed = Vec::with_capacity(usize::try_from(bytes).unwrap_or(0));
    stored.take(bytes).read_to_end(&mut packed)?;
    Ok(packed)
}

/// Decompresses a run.
enum RunDecoder {
    Held(Decoder<'static, Cursor<Vec<u8>>>),
    Streamed(Box<Decoder<'static, BufReader<StoredFile>>>),
}

impl Read for RunDecoder {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Held(decoder) => decoder.read(buffer),
            Self::Streamed(decoder) => decoder.read(buffer),
        }
    }
}

/// How far a run has been read.
enum Stage {
    /// The reader has not reached the run's first line at which a game certainly starts.
    Seeking(Search),
    /// The reader is in the text that is stored in this run.
    Own,
    /// The reader is at the beginning of a later run, in text that still belongs to this run.
    Beyond(Box<BeforeStart<Decoder<'static, BufReader<RangeReader>>>>),
    End,
}

/// The text of one run of frames. In the first run, it begins with the first byte. In any other run, it
/// begins at the run's first line at which a game certainly starts. The text ends at the first such line in a
/// later run.
pub(crate) struct RunText {
    framed: FramedFile,
    run: Run,
    packed: RunDecoder,
    stage: Stage,
    /// The beginning of the run's text, as far as it was decompressed during the search for its first line.
    found: Cursor<Vec<u8>>,
    /// The number of bytes of this run that have been decompressed so far.
    pub(crate) own_bytes: u64,
    /// The number of decompressed bytes of this run that come before its text. This number is final after
    /// the first read.
    pub(crate) skipped_bytes: u64,
    /// The offset of the run that will be read next.
    next: u64,
}

impl RunText {
    fn new(framed: FramedFile, run: Run, packed: RunDecoder, first: bool) -> Self {
        let stage = if first { Stage::Own } else { Stage::Seeking(Search::amid_unknown(framed.rule)) };
        let found = Cursor::default();
        Self { framed, run, packed, stage, found, own_bytes: 0, skipped_bytes: 0, next: run.end }
    }

    /// The offset in the file to report if reading fails: roughly how far the file has been read.
    pub(crate) fn stored_offset(&self) -> u64 {
        match (&self.stage, &self.packed) {
            (Stage::Beyond(_), _) => self.next,
            (_, RunDecoder::Held(decoder)) => self.run.start + decoder.get_ref().position(),
            (_, RunDecoder::Streamed(_)) => {
                self.framed.meter.bytes.load(std::sync::atomic::Ordering::Relaxed)
            }
        }
    }

    /// Reads up to the run's first line at which a game certainly starts. If there is no such line, the whole
    /// run belongs to the text of an earlier run.
    fn seek_start(&mut self, mut search: Search) -> io::Result<()> {
        loop {
            self.skipped_bytes += search.settled_bytes() as u64;
            let kept = search.kept_bytes();
            let more = search.read_block(&mut self.packed)?;
            self.own_bytes += (search.fresh().len() - kept) as u64;
            // Text that cannot belong to a game whose start is found later is dropped. The rest of the block
            // is searched again together with the next block.
            if let Some(start) = search.find() {
                self.skipped_bytes += start as u64;
                self.found = Cursor::new(search.fresh()[start..].to_vec());
                self.stage = Stage::Own;
                return Ok(());
            }
            if !more {
                self.stage = Stage::End;
                return Ok(());
            }
        }
    }

    fn read_own(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let bytes = self.found.read(buffer)?;
        if bytes > 0 {
            return Ok(bytes);
        }
        let bytes = self.packed.read(buffer)?;
        self.own_bytes += bytes as u64;
        Ok(bytes)
    }

    /// Continues in the next run, up to its first line at which a game certainly starts.
    fn step_beyond(&mut self) -> io::Result<()> {
        let FramedFile { file, file_bytes, rule, window, meter } = &self.framed;
        self.stage = match run_at(&**file, self.next, *file_bytes)? {
            None => Stage::End,
            Some(run) => {
                self.next = run.end;
                let stored = RangeReader::new(file, run.start, run.end, meter);
                Stage::Beyond(Box::new(BeforeStart::new(zstd_frames(buffered(stored), *window)?, *rule)))
            }
        };
        Ok(())
    }
}

impl Read for RunText {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            // The stage becomes `End` unless a branch of this `match` sets another stage. So no text is
            // returned after an error.
            match std::mem::replace(&mut self.stage, Stage::End) {
                Stage::End => return Ok(0),
                Stage::Seeking(search) => self.seek_start(search)?,
                Stage::Own => {
                    let bytes = self.read_own(buffer)?;
                    if bytes > 0 || buffer.is_empty() {
                        self.stage = Stage::Own;
                        return Ok(bytes);
                    }
                    self.step_beyond()?;
                }
                Stage::Beyond(mut text) => {
                    let bytes = text.read(buffer)?;
                    if bytes > 0 || buffer.is_empty() {
                        self.stage = Stage::Beyond(text);
                        return Ok(bytes);
                    }
                    // If there is no line in a later run at which a game certainly starts, all of the later
                    // run belongs to this text, and the text continues in the next run.
                    if !text.found {
                        self.step_beyond()?;
                    }
                }
            }
        }
    }
}

/// The beginning of a run, up to the first line at which a game certainly starts. The worker of the previous
/// run reads this text.
struct BeforeStart<R> {
    inner: R,
    search: Search,
    /// The number of bytes of [`Search::fresh`] that the caller may read, including the first `passed` bytes,
    /// which the caller has already read.
    ready: usize,
    passed: usize,
    found: bool,
    ended: bool,
}

impl<R: Read> BeforeStart<R> {
    fn new(inner: R, rule: Rule) -> Self {
        Self { inner, search: Search::amid_unknown(rule), ready: 0, passed: 0, found: false, ended: false }
    }

    fn advance(&mut self) -> io::Result<()> {
        self.passed = 0;
        self.ended = !self.search.read_block(&mut self.inner)?;
        if let Some(start) = self.search.find() {
            self.found = true;
            self.ready = start;
        } else if self.ended {
            self.ready = self.search.fresh().len();
        } else {
            // A game may start in text that is not settled, so this text is kept until the next block is
            // read.
            self.ready = self.search.settled_bytes();
        }
        Ok(())
    }
}

impl<R: Read> Read for BeforeStart<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.passed == self.ready && !self.found && !self.ended {
            self.advance()?;
        }
        let bytes = (&self.search.fresh()[self.passed..self.ready]).read(buffer)?;
        self.passed += bytes;
        Ok(bytes)
    }
}
