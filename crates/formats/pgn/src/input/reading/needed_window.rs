//! Finds the size of the window that an input needs, before the input is read.

use std::{fs::File, io, path::Path, sync::Arc};

use super::{origin::Origin, text::PeekReader};
use crate::input::{
    packings::{HEAD_BYTES, Packing, dictionary_bytes_7z, window_bytes_zip, window_of_head},
    stored::{Meter, RangeReader, ReadAt},
};

/// Finds the size of the window that an input needs; returns 0 if that is not known. The size is read from
/// the input's first bytes or, if the input is a zip or 7z archive, from the opened archive. An input that
/// cannot be read is reported later, when it is opened. The first bytes of a stream are kept until it is
/// read.
pub(crate) fn window_of(origin: &mut Origin) -> u64 {
    let window = match origin {
        Origin::File(path) => window_of_file(path),
        Origin::Object { object, bytes } => window_of_stored(object, *bytes),
        Origin::Stream(stream) => {
            let whole = std::mem::replace(stream, Box::new(io::empty()));
            let peeked = PeekReader::of_what_comes(whole, HEAD_BYTES);
            let window = window_of_head(peeked.head());
            *stream = Box::new(peeked);
            window
        }
    };
    window.unwrap_or(0)
}

fn window_of_file(path: &Path) -> Option<u64> {
    if !path.metadata().ok()?.is_file() {
        return None;
    }
    let file = File::open(path).ok()?;
    let bytes = file.metadata().ok()?.len();
    window_of_stored(&(Arc::new(file) as Arc<dyn ReadAt>), bytes)
}

fn window_of_stored(file: &Arc<dyn ReadAt>, bytes: u64) -> Option<u64> {
    let mut head = [0; HEAD_BYTES];
    let read = file.read_at(&mut head, 0).ok()?;
    let whole = || RangeReader::new(file, 0, bytes, &Meter::new(&Arc::default()));
    match Packing::of(&head[..read]) {
        Packing::SevenZ => dictionary_bytes_7z(whole()),
        Packing::Zip => window_bytes_zip(whole()),
        _ => window_of_head(&head[..read]),
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Write as _};

    use super::*;

    #[test]
    fn a_stream_is_whole_after_a_look_at_its_beginning() {
        let mut encoder = zstd::Encoder::new(Vec::new(), 1).unwrap();
        encoder.window_log(27).unwrap();
        encoder.write_all(b"text").unwrap();
        let stored = encoder.finish().unwrap();
        let mut origin = Origin::Stream(Box::new(io::Cursor::new(stored.clone())));
        let bytes = window_of(&mut origin);
        let Origin::Stream(mut stream) = origin else { panic!("a file") };
        let mut read = Vec::new();
        stream.read_to_end(&mut read).unwrap();
        assert_eq!((read, bytes), (stored, 128 << 20));
    }
}
