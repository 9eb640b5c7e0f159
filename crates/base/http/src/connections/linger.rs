//! Ends a connection whose client is still sending.

use std::{future::poll_fn, io, pin::Pin, time::Duration};

use tokio::{io::AsyncWrite as _, net::TcpStream, time::timeout};

/// How long to keep discarding what a client sends.
pub(super) const LINGER: Duration = Duration::from_secs(2);
/// The maximum number of bytes to discard at the end of a connection.
const FORGOTTEN_BYTES_MAX: usize = 4 << 20;

/// Closes the server's side of a connection, and discards whatever the client still sends. If a connection is
/// closed while received bytes are unread, the system resets the connection. The client may then lose the
/// server's answer, for example the answer that the headers are too long.
pub(super) async fn linger(stream: &mut TcpStream) {
    let _ = poll_fn(|context| Pin::new(&mut *stream).poll_shutdown(context)).await;
    let (mut left, mut buffer) = (FORGOTTEN_BYTES_MAX, [0; 4096]);
    let forgotten = async {
        while left > 0 && stream.readable().await.is_ok() {
            match stream.try_read(&mut buffer) {
                Ok(0) => break,
                Ok(read) => left = left.saturating_sub(read),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                Err(_) => break,
            }
        }
    };
    let _ = timeout(LINGER, forgotten).await;
}
