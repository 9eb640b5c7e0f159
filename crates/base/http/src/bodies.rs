//! Reads request bodies within a shared memory budget.

use std::{future::poll_fn, ops::Deref, pin::Pin, sync::Arc};

use axum::{
    body::{Body, HttpBody as _},
    http::StatusCode,
};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::Limits;

/// The minimum number of bytes taken from the budget at once.
const STEP_BYTES: usize = 4 << 10;

/// Reads bodies. The bodies of all connections share one memory budget.
///
/// # Memory
///
/// At most [`Limits::bodies_bytes_max`] for all bodies that are being read or held. While a body's buffer
/// grows, its old memory is held too; this memory does not count towards the limit.
#[derive(Clone, Debug)]
pub struct Bodies {
    body_bytes_max: usize,
    /// The number of bytes left in the budget.
    left: Arc<Semaphore>,
}

/// A request body that was read into memory. Its bytes count against the budget until it is dropped.
#[derive(Debug, Default)]
pub struct HeldBody {
    bytes: Vec<u8>,
    taken: Option<OwnedSemaphorePermit>,
}

/// Why a body could not be read.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
pub enum BodyError {
    /// The body is too large: status 413.
    #[error("the request body is longer than {limit} bytes", limit = .0)]
    TooLarge(usize),
    /// Other bodies have used up the budget: status 503.
    #[error("too many request bodies are being received; try again later")]
    Busy,
    /// The client did not send the whole body: status 400.
    #[error("the connection ended before the whole request body arrived")]
    Broken,
}

impl Bodies {
    /// Creates a reader that keeps bodies within these limits.
    #[must_use]
    pub fn new(limits: &Limits) -> Self {
        let left = limits.bodies_bytes_max.min(Semaphore::MAX_PERMITS);
        Self { body_bytes_max: limits.body_bytes_max, left: Arc::new(Semaphore::new(left)) }
    }

    /// Reads a whole body.
    ///
    /// # Errors
    ///
    /// Returns a [`BodyError`]; the caller should answer with its [`status`](BodyError::status).
    pub async fn read(&self, mut body: Body) -> Result<HeldBody, BodyError> {
        let mut held = HeldBody::default();
        if body.size_hint().lower() > self.body_bytes_max as u64 {
            return Err(self.too_large());
        }
        while let Some(frame) = poll_fn(|context| Pin::new(&mut body).poll_frame(context)).await {
            let frame = frame.map_err(|_| BodyError::Broken)?;
            let Some(data) = frame.data_ref() else { continue };
            self.make_room(&mut held, data.len())?;
            // The bytes are copied, because holding the frame would keep its whole read buffer in memory.
            held.bytes.extend_from_slice(data);
        }
        Ok(held)
    }

    /// Makes room for `more` bytes in the body's buffer. If the buffer has to grow, the bytes by which it
    /// grows are taken from the budget.
    fn make_room(&self, held: &mut HeldBody, more: usize) -> Result<(), BodyError> {
        let needed = held.bytes.len() + more;
        if needed > self.body_bytes_max {
            return Err(self.too_large());
        }
        let taken = held.taken.as_ref().map_or(0, OwnedSemaphorePermit::num_permits);
        if needed <= taken {
            return Ok(());
        }
        let size = needed.next_power_of_two().max(STEP_BYTES).min(self.body_bytes_max);
        let missing = u32::try_from(size - taken).map_err(|_| BodyError::Busy)?;
        let permit = Arc::clone(&self.left).try_acquire_many_owned(missing).map_err(|_| BodyError::Busy)?;
        match &mut held.taken {
            Some(taken) => taken.merge(permit),
            taken => *taken = Some(permit),
        }
        held.bytes.reserve_exact(size - held.bytes.len());
        Ok(())
    }

    fn too_large(&self) -> BodyError {
        BodyError::TooLarge(self.body_bytes_max)
    }
}

impl Deref for HeldBody {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.bytes
    }
}

impl BodyError {
    /// The HTTP status for the answer to the request.
    #[must_use]
    pub fn status(self) -> StatusCode {
        match self {
            Self::TooLarge { .. } => StatusCode::PAYLOAD_TOO_LARGE,
            Self::Busy => StatusCode::SERVICE_UNAVAILABLE,
            Self::Broken => StatusCode::BAD_REQUEST,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads a body that is already in memory, so a runtime without timers and I/O is enough.
    fn read(bodies: &Bodies, bytes: usize) -> Result<HeldBody, BodyError> {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(bodies.read(Body::from(vec![b'x'; bytes])))
    }

    #[test]
    fn bodies_share_a_budget_and_give_it_back() {
        let limits = Limits { body_bytes_max: 10_000, bodies_bytes_max: 25_000, ..Limits::default() };
        let bodies = Bodies::new(&limits);
        assert_eq!(read(&bodies, 0).unwrap().len(), 0);
        assert_eq!(read(&bodies, 10_001).unwrap_err(), BodyError::TooLarge(10_000));
        let held = [read(&bodies, 10_000).unwrap(), read(&bodies, 10_000).unwrap()];
        assert!(held.iter().all(|body| body.len() == 10_000 && body.bytes.capacity() == 10_000));
        assert_eq!(read(&bodies, 10_000).unwrap_err(), BodyError::Busy);
        let small = read(&bodies, 1).unwrap();
        assert_eq!(read(&bodies, 1).unwrap_err(), BodyError::Busy, "each takes a step at least");
        drop((held, small));
        assert_eq!(bodies.left.available_permits(), 25_000);
        assert_eq!(read(&bodies, 10_000).unwrap().len(), 10_000);
    }
}
