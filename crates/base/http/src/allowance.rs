//! Limits how often a client may send requests.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

/// When this many clients are remembered, those without a request in the last minute are forgotten.
const CLIENTS_MAX: usize = 4096;
const MINUTE: Duration = Duration::from_mins(1);

/// Allows each client a number of requests per minute. A client may use its full allowance at once; the
/// allowance is then refilled evenly over a minute.
///
/// # Memory
///
/// Takes about a hundred bytes for each client that it remembers. The total exceeds about 400 KB only if more
/// than 4,096 clients sent a request in the last minute.
#[derive(Debug)]
pub struct Allowance {
    a_minute: u32,
    clients: Mutex<HashMap<String, RequestsLeft>>,
}

/// The number of requests that a client has left.
#[derive(Clone, Copy, Debug)]
struct RequestsLeft {
    requests: f64,
    /// The time at which `requests` was computed.
    at: Instant,
}

impl Allowance {
    /// Allows `a_minute` requests per minute; 0 counts as 1.
    #[must_use]
    pub fn new(a_minute: u32) -> Self {
        Self { a_minute: a_minute.max(1), clients: Mutex::default() }
    }

    /// Counts a request.
    ///
    /// # Errors
    ///
    /// If the client has sent too many requests, returns how long it has to wait.
    pub fn admit(&self, client: &str, now: Instant) -> Result<(), Duration> {
        let most = f64::from(self.a_minute);
        let mut clients = self.clients.lock().unwrap_or_else(PoisonError::into_inner);
        if clients.len() >= CLIENTS_MAX {
            // After a minute without requests, a client's allowance is full again, so the client can be
            // treated like an unknown one.
            clients.retain(|_, left| now.saturating_duration_since(left.at) < MINUTE);
        }
        let left = clients.entry(client.to_owned()).or_insert(RequestsLeft { requests: most, at: now });
        let minutes = now.saturating_duration_since(left.at).as_secs_f64() / MINUTE.as_secs_f64();
        let requests = (left.requests + most * minutes).min(most);
        *left = RequestsLeft { requests, at: now };
        if requests < 1.0 {
            return Err(MINUTE.mul_f64((1.0 - requests) / most));
        }
        left.requests -= 1.0;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_waits_for_its_own_requests_only() {
        let (allowance, start) = (Allowance::new(3), Instant::now());
        let at = |seconds| start + Duration::from_secs(seconds);
        for _ in 0..3 {
            assert_eq!(allowance.admit("a", at(0)), Ok(()));
        }
        let wait = allowance.admit("a", at(0)).unwrap_err();
        assert!((wait.as_secs_f64() - 20.0).abs() < 0.5, "{wait:?}");
        assert_eq!(allowance.admit("b", at(0)), Ok(()));
        assert!(allowance.admit("a", at(19)).is_err());
        assert_eq!(allowance.admit("a", at(21)), Ok(()));
        assert!(allowance.admit("a", at(22)).is_err());
        assert_eq!(
            (0..4).filter(|_| allowance.admit("a", at(600)).is_ok()).count(),
            3,
            "and not more than that"
        );
    }

    #[test]
    fn clients_that_do_not_ask_are_forgotten() {
        let (allowance, start) = (Allowance::new(1), Instant::now());
        for client in 0..2 * CLIENTS_MAX {
            let now = start + Duration::from_secs(client as u64);
            assert_eq!(allowance.admit(&client.to_string(), now), Ok(()));
        }
        assert!(allowance.clients.lock().unwrap().len() <= CLIENTS_MAX);
    }
}
