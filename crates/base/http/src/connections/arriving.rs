//! Request bodies that the server is still receiving.

use std::{
    future::poll_fn,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use axum::{
    body::{Bytes, HttpBody},
    http::{HeaderMap, header},
};
use hyper::body::{Frame, Incoming, SizeHint};
use tokio::{runtime::Handle, time::timeout};

use super::{Activity, linger::LINGER};

/// A request body that the server is still receiving. While the server waits for the rest of the body, the
/// connection counts as idle.
///
/// When this value is dropped, the rest of the body is still read and discarded, for at most [`LINGER`]. If
/// the connection ended at once instead, a client that is still writing would lose the answer.
pub(super) struct Arriving {
    /// The rest of the body; `None` only once `drop` has taken it.
    rest: Option<Incoming>,
    /// After this value is dropped, at most this many bytes of the rest of the body are read. The limit is 0
    /// if the client sent `Expect`, because such a client waits for permission before it sends the body.
    forgotten_bytes_max: usize,
    activity: Arc<Activity>,
}

impl Arriving {
    pub(super) fn new(body: Incoming, head: &HeaderMap, bytes_max: usize, activity: Arc<Activity>) -> Self {
        let asks = head.contains_key(header::EXPECT);
        Self { rest: Some(body), forgotten_bytes_max: if asks { 0 } else { bytes_max }, activity }
    }
}

impl HttpBody for Arriving {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        let Some(rest) = &mut self.rest else { return Poll::Ready(None) };
        let polled = Pin::new(rest).poll_frame(context);
        if polled.is_pending() {
            self.activity.rest();
        } else {
            self.activity.work();
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.rest.as_ref().is_none_or(HttpBody::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        self.rest.as_ref().map_or_else(SizeHint::default, HttpBody::size_hint)
    }
}

impl Drop for Arriving {
    fn drop(&mut self) {
        let Some(mut rest) = self.rest.take().filter(|rest| !rest.is_end_stream()) else { return };
        let Ok(runtime) = Handle::try_current() else { return };
        let mut left = self.forgotten_bytes_max;
        let forgotten = async move {
            while left > 0
                && let Some(Ok(frame)) = poll_fn(|context| Pin::new(&mut rest).poll_frame(context)).await
            {
                left = left.saturating_sub(frame.data_ref().map_or(0, Bytes::len));
            }
        };
        if left > 0 {
            runtime.spawn(timeout(LINGER, forgotten));
        }
    }
}
