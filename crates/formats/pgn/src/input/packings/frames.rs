//! The layout of pzstd files, which allows them to be read in parallel.
//!
//! # Format
//! pzstd (facebook/zstd, `contrib/pzstd`; Lichess publishes such files) repeats this layout, little-endian:
//!
//! | offset | bytes | meaning |
//! |---|---|---|
//! | 0 | 4 | magic of a skippable frame, `0x184D2A50` |
//! | 4 | 4 | length of its content, 4 |
//! | 8 | 4 | length in bytes `n` of the frame that follows |
//! | 12 | n | a Zstandard frame |
//!
//! Frames may begin anywhere in a line. At the first data that does not have this layout, one last run
//! begins, which extends to the end of the file.

use std::io;

use super::packing::is_zstd_frame;
use crate::input::stored::ReadAt;

const HEADER_BYTES: u64 = 12;

/// The first bytes of a header: magic and content length.
const HEADER_MAGIC: [u8; 8] = [0x50, 0x2A, 0x4D, 0x18, 4, 0, 0, 0];

/// Small frames are joined into a run until it has this many compressed bytes.
const RUN_BYTES_MIN: u64 = 1 << 20;

/// A frame longer than this is not held in memory. Instead, the last run begins with this frame, and is read
/// as a stream.
const FRAME_BYTES_MAX: u64 = 16 << 20;

/// A run of whole frames, which one worker decompresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Run {
    /// The offset of the first byte in the file.
    pub(crate) start: u64,
    /// The offset after the last byte.
    pub(crate) end: u64,
    /// Whether the run has pzstd's layout, in which case another run may follow.
    pub(crate) regular: bool,
}

/// Finds the run that begins at `start`. The result depends only on the file: every worker gets the same
/// runs.
///
/// # Errors
/// Fails if the file cannot be read.
pub(crate) fn run_at(file: &dyn ReadAt, start: u64, file_bytes: u64) -> io::Result<Option<Run>> {
    if start >= file_bytes {
        return Ok(None);
    }
    let mut end = start;
    while end - start < RUN_BYTES_MIN {
        match frame_end(file, end, file_bytes)? {
            Some(next) => end = next,
            None => break,
        }
    }
    let regular = end > start;
    Ok(Some(Run { start, end: if regular { end } else { file_bytes }, regular }))
}

/// The end of the frame whose pzstd header is at `start`. It is `None` if there is no such header, or if the
/// frame is missing, too long, or followed by anything but another frame or the end of the file.
fn frame_end(file: &dyn ReadAt, start: u64, file_bytes: u64) -> io::Result<Option<u64>> {
    let mut header = [0; HEADER_BYTES as usize + 4];
    let found = read_up_to(file, &mut header, start)?;
    let Some((magic, rest)) = found.split_first_chunk::<8>() else { return Ok(None) };
    let Some((length, frame)) = rest.split_first_chunk::<4>() else { return Ok(None) };
    let bytes = u64::from(u32::from_le_bytes(*length));
    if *magic != HEADER_MAGIC || bytes > FRAME_BYTES_MAX || !is_zstd_frame(frame) {
        return Ok(None);
    }
    let end = start + HEADER_BYTES + bytes;
    let mut next = [0; 4];
    let sensible = end == file_bytes || end < file_bytes && is_zstd_frame(read_up_to(file, &mut next, end)?);
    Ok(sensible.then_some(end))
}

/// Whether the file ends with a header that no frame follows. Without this test, a file that was cut off
/// after a header would seem complete.
///
/// # Errors
/// Fails if the file cannot be read.
pub(crate) fn ends_in_header(file: &dyn ReadAt, file_bytes: u64) -> io::Result<bool> {
    let Some(at) = file_bytes.checked_sub(HEADER_BYTES) else { return Ok(false) };
    let mut header = [0; HEADER_BYTES as usize];
    Ok(read_up_to(file, &mut header, at)?.starts_with(&HEADER_MAGIC))
}

/// Reads until the buffer is full or the file ends.
fn read_up_to<'b>(file: &dyn ReadAt, buffer: &'b mut [u8], at: u64) -> io::Result<&'b [u8]> {
    let mut read = 0;
    while read < buffer.len() {
        match file.read_at(&mut buffer[read..], at + read as u64) {
            Ok(0) => break,
            Ok(bytes) => read += bytes,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(&buffer[..read])
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn framed(frame: &[u8]) -> Vec<u8> {
        let length = u32::try_from(frame.len()).unwrap();
        [&HEADER_MAGIC[..], &length.to_le_bytes(), frame].concat()
    }

    fn runs(bytes: &[u8]) -> Vec<(u64, u64, bool)> {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(bytes).unwrap();
        let (mut at, mut runs) = (0, Vec::new());
        while let Some(run) = run_at(&file, at, bytes.len() as u64).unwrap() {
            runs.push((run.start, run.end, run.regular));
            at = run.end;
        }
        runs
    }

    #[test]
    fn frames_are_found_by_their_headers() {
        let small = framed(&zstd::encode_all(&b"small"[..], 1).unwrap());
        let mut large = zstd::encode_all(&b"large"[..], 1).unwrap();
        large.resize(1 << 20, 0);
        let large = framed(&large);
        let (s, l) = (small.len() as u64, large.len() as u64);
        assert_eq!(
            runs(&[&small[..], &small, &large, &large, &small].concat()),
            [(0, 2 * s + l, true), (2 * s + l, 2 * s + 2 * l, true), (2 * s + 2 * l, 3 * s + 2 * l, true),]
        );
        assert_eq!(runs(b""), []);
    }

    #[test]
    fn what_deviates_is_the_last_run() {
        let frame = zstd::encode_all(&b"text"[..], 1).unwrap();
        let good = framed(&frame);
        let (g, f) = (good.len() as u64, frame.len() as u64);
        assert_eq!(runs(&[&good[..], &frame].concat()), [(0, g, true), (g, g + f, false)]);
        assert_eq!(runs(&[&good[..], b"garbage"].concat()), [(0, g + 7, false)]);
        assert_eq!(runs(&good[..good.len() - 1]), [(0, g - 1, false)]);
        assert_eq!(runs(&good[..9]), [(0, 9, false)]);
    }
}
