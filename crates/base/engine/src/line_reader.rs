//! Reads lines of bytes from another program in a separate thread. A line that is too long is an error.

use std::{
    io::{self, BufRead, BufReader, Read},
    thread,
};

use crossbeam_channel::{Receiver, bounded};

/// The maximum length of a line in bytes. All moves of the longest possible game fit into 60 kB.
const LINE_BYTES_MAX: usize = 1 << 20;

/// An item delivered by [`receive`].
#[derive(Debug)]
pub enum Delivery {
    /// A line, without its line ending.
    Line(Vec<u8>),
    /// The end of the stream.
    End,
    /// The stream cannot be read, or a line is longer than a mebibyte.
    Failed(io::Error),
}

/// How many lines may be read ahead. A program that prints faster than its output is read has to wait, as
/// with any pipe.
const LINES_AHEAD: usize = 256;

/// Reads lines until the stream ends.
pub fn receive(stream: impl Read + Send + 'static) -> Receiver<Delivery> {
    let (sender, receiver) = bounded(LINES_AHEAD);
    // The thread ends when the stream ends, and is never joined.
    thread::spawn(move || {
        let mut stream = BufReader::new(stream);
        loop {
            let read = read(&mut stream);
            let is_last = !matches!(read, Delivery::Line(_));
            if sender.send(read).is_err() || is_last {
                return;
            }
        }
    });
    receiver
}

fn read(stream: &mut impl BufRead) -> Delivery {
    let mut line = Vec::new();
    match stream.take(LINE_BYTES_MAX as u64 + 1).read_until(b'\n', &mut line) {
        Err(error) => return Delivery::Failed(error),
        Ok(0) => return Delivery::End,
        Ok(_) => {}
    }
    if line.len() > LINE_BYTES_MAX {
        let message = format!("a line has more than {LINE_BYTES_MAX} bytes");
        return Delivery::Failed(io::Error::new(io::ErrorKind::InvalidData, message));
    }
    while line.last().is_some_and(|byte| matches!(byte, b'\n' | b'\r')) {
        line.pop();
    }
    Delivery::Line(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_as_they_like_and_are_bounded() {
        let mut stream = io::Cursor::new(b"uci\r\n\nlast".to_vec());
        for expected in ["uci", "", "last"] {
            let Delivery::Line(line) = read(&mut stream) else { panic!() };
            assert_eq!(line, expected.as_bytes());
        }
        assert!(matches!(read(&mut stream), Delivery::End));
        let mut stream = io::Cursor::new(vec![b'x'; LINE_BYTES_MAX + 1]);
        assert!(matches!(read(&mut stream), Delivery::Failed(_)));
    }
}
