//! Decompresses a stream.

use std::io::{self, BufRead, BufReader, Read};

use super::{
    packing::Packing,
    window::{TooLongWindow, WindowLimit, xz_window_bytes, zstd_window_bytes},
};

/// The number of packed bytes that are read at a time.
const BUFFER_BYTES: usize = 128 << 10;

/// The memory that xz needs in addition to the window.
const XZ_BYTES: u64 = 1 << 20;

/// Decompresses all frames, members or streams in `stored`. Any other data after them is an error.
///
/// # Panics
/// Panics if the packing is an archive, which is not a single stream.
pub(crate) fn unpack<R: Read + Send + 'static>(
    stored: R,
    packing: Packing,
    window: WindowLimit,
) -> io::Result<Box<dyn Read + Send>> {
    Ok(match packing {
        Packing::Plain => Box::new(stored),
        Packing::Zstd => Box::new(zstd_frames(buffered(stored), window)?),
        Packing::Gzip => Box::new(flate2::bufread::MultiGzDecoder::new(buffered(stored))),
        Packing::Bzip2 => Box::new(bzip2::bufread::MultiBzDecoder::new(buffered(stored))),
        Packing::Xz => Box::new(xz_streams(buffered(stored), window)?),
        Packing::Zip | Packing::SevenZ => unreachable!("an archive is not decompressed as one stream"),
    })
}

/// Decompresses all Zstandard frames of `stored`, and ignores skippable ones.
pub(crate) fn zstd_frames<R: BufRead>(
    mut stored: R,
    window: WindowLimit,
) -> io::Result<zstd::stream::read::Decoder<'static, R>> {
    // The decoder refuses a frame with a long window, but its error does not contain the length of the
    // window.
    window.check(zstd_window_bytes(stored.fill_buf()?))?;
    let mut decoder = zstd::stream::read::Decoder::with_buffer(stored)?;
    decoder.window_log_max(window.bytes_max.ilog2())?;
    Ok(decoder)
}

/// Decompresses all xz streams of `stored`.
fn xz_streams<R: BufRead>(mut stored: R, window: WindowLimit) -> io::Result<liblzma::bufread::XzDecoder<R>> {
    window.check(xz_window_bytes(stored.fill_buf()?))?;
    let memory_bytes_max = window.bytes_max + XZ_BYTES;
    let stream =
        liblzma::stream::Stream::new_stream_decoder(memory_bytes_max, liblzma::stream::CONCATENATED)?;
    Ok(liblzma::bufread::XzDecoder::new_stream(stored, stream))
}

/// The error of a decoder that needs a larger window than allowed, with the window's size if that is known;
/// `None` for other errors.
pub(crate) fn too_long_window(error: &io::Error) -> Option<&TooLongWindow> {
    const UNKNOWN: TooLongWindow = TooLongWindow { window_bytes: None };
    let inner = error.get_ref()?;
    let of_xz = inner.downcast_ref() == Some(&liblzma::stream::Error::MemLimit);
    let of_zstd = || inner.to_string() == ZSTD_WINDOW_TOO_LARGE;
    inner.downcast_ref().or_else(|| (of_xz || of_zstd()).then_some(&UNKNOWN))
}

/// Whether the system could not provide memory for a decoder, or a thread to decompress an archive
/// (`EAGAIN`).
pub(crate) fn is_refused(error: &io::Error) -> bool {
    let Some(inner) = error.get_ref() else {
        return matches!(error.kind(), io::ErrorKind::OutOfMemory | io::ErrorKind::WouldBlock);
    };
    inner.downcast_ref() == Some(&liblzma::stream::Error::Mem) || inner.to_string() == ZSTD_OUT_OF_MEMORY
}

/// zstd's message when it cannot allocate memory (`ZSTD_error_memory_allocation`).
const ZSTD_OUT_OF_MEMORY: &str = "Allocation error : not enough memory";

/// zstd's message for a frame whose window is larger than allowed
/// (`ZSTD_error_frameParameter_windowTooLarge`).
const ZSTD_WINDOW_TOO_LARGE: &str = "Frame requires too much memory for decoding";

/// Buffers `stored` in blocks of a size that suits the decoders.
pub(crate) fn buffered<R: Read>(stored: R) -> BufReader<R> {
    BufReader::with_capacity(BUFFER_BYTES, stored)
}
