//! Text that is generated in parts and read as a stream.

use std::io::{self, Read};

/// Reads the text of all parts, one after another.
pub(crate) struct AsText<P> {
    pieces: P,
    text: io::Cursor<String>,
}

impl<P: Iterator<Item = io::Result<String>>> AsText<P> {
    /// Creates a string that begins with `head`, followed by the parts.
    pub(crate) fn new(head: String, pieces: P) -> Self {
        Self { pieces, text: io::Cursor::new(head) }
    }
}

impl<P: Iterator<Item = io::Result<String>>> Read for AsText<P> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let read = self.text.read(buffer)?;
            if read > 0 || buffer.is_empty() {
                return Ok(read);
            }
            let Some(piece) = self.pieces.next() else { return Ok(0) };
            self.text = io::Cursor::new(piece?);
        }
    }
}
