//! Windows: how much of its earlier output a decoder must keep in order to continue.
//!
//! Most compressors use windows of at most 8 MiB, and every worker may have a window of that size open.
//! Larger windows are detected before any input is read. This makes sure that only one larger window is open
//! at a time, and that the caller knows how much memory that window takes.

use std::io;

use super::packing::{Packing, is_skippable_frame, is_zstd_frame};

/// The largest window that is decompressed by default: the one that `zstd` itself accepts.
const WINDOW_BYTES_MAX: u64 = 128 << 20;

/// The largest window that `zstd` can make, with `--long=31`.
const LONG_WINDOW_BYTES_MAX: u64 = 2 << 30;

/// Only one window above this size is open at a time.
const SMALL_WINDOW_BYTES_MAX: u64 = 8 << 20;

/// The number of bytes at the start of an input from which the window of the first frame or block can be
/// determined, even if a skippable frame comes first.
pub(crate) const HEAD_BYTES: usize = 64;

/// The length of the header of an xz stream.
const XZ_HEADER_BYTES: usize = 12;

/// The identifier of LZMA2, the xz filter that uses a window (xz file format, 5.3.1).
const LZMA2: u64 = 0x21;

/// The limit on the size of windows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct WindowLimit {
    pub(crate) bytes_max: u64,
    /// Whether `long` would raise the limit.
    pub(crate) by_length: bool,
}

impl WindowLimit {
    /// Allows windows of at most `bytes_max` bytes; windows above [`WINDOW_BYTES_MAX`] also require `long`.
    pub(crate) fn new(long: bool, bytes_max: u64) -> Self {
        let allowed = if long { LONG_WINDOW_BYTES_MAX } else { WINDOW_BYTES_MAX };
        Self { bytes_max: bytes_max.min(allowed), by_length: !long && allowed <= bytes_max }
    }

    /// Fails if the needed window is known to exceed the limit.
    pub(crate) fn check(self, needed_bytes: Option<u64>) -> io::Result<()> {
        if needed_bytes.is_some_and(|bytes| bytes > self.bytes_max) {
            return Err(io::Error::other(TooLongWindow { window_bytes: needed_bytes }));
        }
        Ok(())
    }
}

/// A stream that needs a larger window than is allowed.
#[derive(Debug, thiserror::Error)]
#[error("the window is longer than allowed")]
pub(crate) struct TooLongWindow {
    /// The size of the window, if it is known.
    pub(crate) window_bytes: Option<u64>,
}

/// Whether a window is so large that only one may be open at a time.
pub(crate) fn is_large(window_bytes: u64) -> bool {
    window_bytes > SMALL_WINDOW_BYTES_MAX
}

/// The window that a stream of Zstandard or xz needs, according to its first bytes.
pub(crate) fn window_of_head(head: &[u8]) -> Option<u64> {
    match Packing::of(head) {
        Packing::Zstd => zstd_window_bytes(head),
        Packing::Xz => xz_window_bytes(head),
        _ => None,
    }
}

/// The window that the first non-skippable frame needs (RFC 8878, 3.1.1.1); `None` if the frame's header is
/// not in `stored`, or if its content is so short that a small window is enough. A frame that consists of a
/// single segment states no window: its window is as large as its content.
pub(crate) fn zstd_window_bytes(mut stored: &[u8]) -> Option<u64> {
    while is_skippable_frame(stored) {
        let (length, content) = stored.get(4..)?.split_first_chunk()?;
        stored = content.get(u32::from_le_bytes(*length) as usize..)?;
    }
    let (descriptor, header) = stored.get(4..).filter(|_| is_zstd_frame(stored))?.split_first()?;
    if descriptor & 0x20 == 0 {
        let window = *header.first()?;
        let base = 1 << (10 + (window >> 3));
        return Some(base + base / 8 * u64::from(window & 7));
    }
    let dictionary_bytes = [0, 1, 2, 4][usize::from(descriptor & 3)];
    let content = header.get(dictionary_bytes..)?;
    match descriptor >> 6 {
        // The content's length is stored in at most two bytes, so the content has at most 64 KiB plus 255
        // bytes.
        0 | 1 => None,
        2 => content.first_chunk().map(|&length| u64::from(u32::from_le_bytes(length))),
        _ => content.first_chunk().map(|&length| u64::from_le_bytes(length)),
    }
}

/// The window of the first block of an xz stream (xz file format, 3.1).
pub(crate) fn xz_window_bytes(stored: &[u8]) -> Option<u64> {
    let (flags, mut rest) = stored.get(XZ_HEADER_BYTES + 1..)?.split_first()?;
    // Skips the compressed and decompressed lengths of the block, which are optional.
    for _ in 0..(flags >> 6).count_ones() {
        xz_number(&mut rest)?;
    }
    for _ in 0..=flags & 3 {
        let (filter, bytes) = (xz_number(&mut rest)?, xz_number(&mut rest)?);
        let properties = rest.split_off(..usize::try_from(bytes).ok()?)?;
        if filter == LZMA2 {
            return lzma2_dictionary_bytes(properties);
        }
    }
    None
}

/// Reads a number that is stored with seven bits per byte, lowest bits first (xz file format, 1.2).
fn xz_number(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..63).step_by(7) {
        let byte = *bytes.split_off_first()?;
        number |= u64::from(byte & 0x7F) << shift;
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

/// Reads the dictionary size of an LZMA2 filter from its properties (xz file format, 5.3.1; 7z uses the same
/// properties).
pub(crate) fn lzma2_dictionary_bytes(properties: &[u8]) -> Option<u64> {
    match *properties.first()? {
        bits @ 0..40 => Some(u64::from(2 | bits & 1) << (bits / 2 + 11)),
        _ => Some(u32::MAX.into()),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    fn xz(dictionary_bytes: u32) -> Vec<u8> {
        let mut options = liblzma::stream::LzmaOptions::new_preset(0).unwrap();
        options.dict_size(dictionary_bytes);
        let mut filters = liblzma::stream::Filters::new();
        filters.lzma2(&options);
        let check = liblzma::stream::Check::Crc32;
        let stream = liblzma::stream::Stream::new_stream_encoder(&filters, check).unwrap();
        let mut encoder = liblzma::write::XzEncoder::new_stream(Vec::new(), stream);
        encoder.write_all(b"text").unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn an_xz_stream_says_how_large_its_window_is() {
        for bytes in [4 << 10, 6 << 10, 8 << 20, 96 << 20, 1 << 30] {
            assert_eq!(xz_window_bytes(&xz(bytes)), Some(bytes.into()), "{bytes}");
        }
        assert_eq!(xz_window_bytes(&xz(8 << 20)[..16]), None);
    }
}
