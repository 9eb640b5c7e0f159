//! Unpacks a stream.

use std::io::{self, BufRead, BufReader, Read};

use super::packing::Packing;

/// Packed bytes read at once.
const BUFFER_BYTES: usize = 128 << 10;

/// Largest Zstandard window that is accepted: what `zstd --long=31` makes.
const ZSTD_WINDOW_LOG_MAX: u32 = 31;

/// Unpacks `stored` to its end: all frames, members or streams of it. What follows them is an error.
///
/// # Panics
/// On archives, which are no streams.
pub(crate) fn unpack<R: Read + Send + 'static>(
    stored: R,
    packing: Packing,
) -> io::Result<Box<dyn Read + Send>> {
    Ok(match packing {
        Packing::Plain => Box::new(stored),
        Packing::Zstd => Box::new(zstd_frames(buffered(stored))?),
        Packing::Gzip => Box::new(flate2::bufread::MultiGzDecoder::new(buffered(stored))),
        Packing::Bzip2 => Box::new(bzip2::bufread::MultiBzDecoder::new(buffered(stored))),
        Packing::Xz => Box::new(liblzma::bufread::XzDecoder::new_multi_decoder(buffered(stored))),
        Packing::Zip | Packing::SevenZ => unreachable!("an archive is not unpacked as one stream"),
    })
}

/// Decompresses all Zstandard frames of `stored`, passing over skippable ones.
pub(crate) fn zstd_frames<R: BufRead>(stored: R) -> io::Result<zstd::stream::read::Decoder<'static, R>> {
    let mut decoder = zstd::stream::read::Decoder::with_buffer(stored)?;
    decoder.window_log_max(ZSTD_WINDOW_LOG_MAX)?;
    Ok(decoder)
}

/// `stored` after a buffer of a size that suits the decoders.
pub(crate) fn buffered<R: Read>(stored: R) -> BufReader<R> {
    BufReader::with_capacity(BUFFER_BYTES, stored)
}
