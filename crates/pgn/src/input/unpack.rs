//! Unpacks a stream.

use std::io::{self, BufRead, BufReader, Read};

use super::packing::{Packing, is_skippable_frame, is_zstd_frame};

/// Packed bytes read at once.
const BUFFER_BYTES: usize = 128 << 10;

/// Largest window that is unpacked without being asked for: what `zstd` itself accepts.
const WINDOW_BYTES_MAX: u64 = 128 << 20;

/// Largest Zstandard window there is: what `zstd --long=31` makes.
const LONG_WINDOW_BYTES_MAX: u64 = 2 << 30;

/// Memory that xz needs besides the window.
const XZ_BYTES: u64 = 1 << 20;

/// A stream that needs a longer window than is allowed.
#[derive(Debug, thiserror::Error)]
#[error("the window is too long")]
pub(crate) struct TooLongWindow {
    /// Length of the window where it is known.
    pub(crate) window_bytes: Option<u64>,
}

/// How large windows may be.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Window {
    bytes_max: u64,
}

impl Window {
    /// Windows as packers make them by default, or long ones too.
    pub(crate) fn new(long: bool) -> Self {
        Self { bytes_max: if long { LONG_WINDOW_BYTES_MAX } else { WINDOW_BYTES_MAX } }
    }
}

/// Unpacks `stored` to its end: all frames, members or streams of it. What follows them is an error.
///
/// # Panics
/// On archives, which are no streams.
pub(crate) fn unpack<R: Read + Send + 'static>(
    stored: R,
    packing: Packing,
    window: Window,
) -> io::Result<Box<dyn Read + Send>> {
    Ok(match packing {
        Packing::Plain => Box::new(stored),
        Packing::Zstd => Box::new(zstd_frames(buffered(stored), window)?),
        Packing::Gzip => Box::new(flate2::bufread::MultiGzDecoder::new(buffered(stored))),
        Packing::Bzip2 => Box::new(bzip2::bufread::MultiBzDecoder::new(buffered(stored))),
        Packing::Xz => Box::new(xz_streams(buffered(stored), window)?),
        Packing::Zip | Packing::SevenZ => unreachable!("an archive is not unpacked as one stream"),
    })
}

/// Decompresses all Zstandard frames of `stored`, passing over skippable ones.
pub(crate) fn zstd_frames<R: BufRead>(
    mut stored: R,
    window: Window,
) -> io::Result<zstd::stream::read::Decoder<'static, R>> {
    // The decoder refuses long windows of any frame, and does not say how long they are.
    let needed = zstd_window_bytes(stored.fill_buf()?);
    if needed.is_some_and(|bytes| bytes > window.bytes_max) {
        return Err(io::Error::other(TooLongWindow { window_bytes: needed }));
    }
    let mut decoder = zstd::stream::read::Decoder::with_buffer(stored)?;
    decoder.window_log_max(window.bytes_max.ilog2())?;
    Ok(decoder)
}

/// The window that the first frame needs, skippable ones left out (RFC 8878, 3.1.1.1); `None` if it does not
/// begin in `stored`. The window of a single segment is its content.
fn zstd_window_bytes(mut stored: &[u8]) -> Option<u64> {
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
        // Such content has at most 64 KiB and a bit.
        0 | 1 => None,
        2 => content.first_chunk().map(|&length| u64::from(u32::from_le_bytes(length))),
        _ => content.first_chunk().map(|&length| u64::from_le_bytes(length)),
    }
}

/// Decompresses all xz streams of `stored`.
fn xz_streams<R: BufRead>(stored: R, window: Window) -> io::Result<liblzma::bufread::XzDecoder<R>> {
    let memory_bytes_max = window.bytes_max + XZ_BYTES;
    let stream =
        liblzma::stream::Stream::new_stream_decoder(memory_bytes_max, liblzma::stream::CONCATENATED)?;
    Ok(liblzma::bufread::XzDecoder::new_stream(stored, stream))
}

/// Whether a decoder failed because a window is longer than allowed; and how long it is, if that is known.
pub(crate) fn too_long_window(error: &io::Error) -> Option<&TooLongWindow> {
    const UNKNOWN: TooLongWindow = TooLongWindow { window_bytes: None };
    let inner = error.get_ref()?;
    let of_xz = inner.downcast_ref() == Some(&liblzma::stream::Error::MemLimit);
    let of_zstd = || inner.to_string() == ZSTD_WINDOW_TOO_LARGE;
    inner.downcast_ref().or_else(|| (of_xz || of_zstd()).then_some(&UNKNOWN))
}

/// Whether a decoder was refused memory.
pub(crate) fn is_out_of_memory(error: &io::Error) -> bool {
    let Some(inner) = error.get_ref() else { return error.kind() == io::ErrorKind::OutOfMemory };
    inner.downcast_ref() == Some(&liblzma::stream::Error::Mem) || inner.to_string() == ZSTD_OUT_OF_MEMORY
}

/// What zstd says where it is refused memory (`ZSTD_error_memory_allocation`).
const ZSTD_OUT_OF_MEMORY: &str = "Allocation error : not enough memory";

/// What zstd says of a frame with a longer window than allowed (`ZSTD_error_frameParameter_windowTooLarge`).
const ZSTD_WINDOW_TOO_LARGE: &str = "Frame requires too much memory for decoding";

/// `stored` after a buffer of a size that suits the decoders.
pub(crate) fn buffered<R: Read>(stored: R) -> BufReader<R> {
    BufReader::with_capacity(BUFFER_BYTES, stored)
}
