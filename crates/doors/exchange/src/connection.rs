//! A client of an exchange.

use std::{fmt::Write as _, time::Duration};

use ureq::{
    Agent,
    http::{Response, StatusCode},
};

use crate::{server::BOOK_HEADER, store::PostAnswer};

/// The time limits for connecting to the server and for a request as a whole.
const CONNECT: Duration = Duration::from_secs(3);
const REQUEST: Duration = Duration::from_secs(20);
/// The maximum size of a fetched experience file, in bytes.
const EXPERIENCE_BYTES_MAX: u64 = 1 << 30;

/// A client of an exchange, which posts records and fetches the experience.
#[derive(Debug)]
pub struct Connection {
    agent: Agent,
    url: String,
    token: Option<String>,
    /// The identity of the client's book.
    book: String,
}

/// Why a request failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConnectionError {
    /// The address is not an `http://` address.
    #[error(
        "`{address}` is not the address of an exchange: write http://HOST:PORT; to encrypt the connection, use a tunnel",
        address = .0
    )]
    Address(String),
    /// The server cannot be reached, is busy or has failed; the same request may succeed later.
    #[error("the exchange is not available: {why}", why = .0)]
    Away(String),
    /// The server refused the request, and would refuse it again.
    #[error("the exchange refused the request: {why}")]
    Refused {
        /// The status.
        status: u16,
        /// The server's message.
        why: String,
    },
}

/// A fetched experience file.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct FetchedFile {
    /// The server's tag for the file. The file is not fetched again until the tag changes.
    pub tag: String,
    /// The file.
    pub bytes: Vec<u8>,
}

impl Connection {
    /// Creates a client of the exchange at `url` (`http://HOST:PORT`), for a book with this
    /// [`identity`](crate::identity_of). This sends nothing yet.
    ///
    /// # Errors
    ///
    /// [`ConnectionError::Address`].
    pub fn new(url: &str, token: Option<String>, book: String) -> Result<Self, ConnectionError> {
        if url.strip_prefix("http://").is_none_or(|host| host.trim_matches('/').is_empty()) {
            return Err(ConnectionError::Address(url.to_owned()));
        }
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .timeout_connect(Some(CONNECT))
            .timeout_global(Some(REQUEST));
        let url = url.trim_end_matches('/').to_owned();
        Ok(Self { agent: config.build().into(), url, token, book })
    }

    /// Posts a record of `player`'s games. The record is stored when this returns; a record that is posted
    /// twice is stored once.
    ///
    /// # Errors
    ///
    /// Fails with [`ConnectionError::Away`] if posting the record again may succeed, and with
    /// [`ConnectionError::Refused`] if not.
    pub fn post(&self, player: &str, text: &[u8]) -> Result<PostAnswer, ConnectionError> {
        let request = self.agent.post(format!("{}/records?player={}", self.url, escaped(player)));
        let request = request.header(BOOK_HEADER, &self.book).content_type("application/x-chess-pgn");
        let answer = match &self.token {
            Some(token) => request.header("authorization", format!("Bearer {token}")).send(text),
            None => request.send(text),
        };
        let mut answer = checked(answer)?;
        let text = answer.body_mut().read_to_string().map_err(away)?;
        serde_json::from_str(&text)
            .map_err(|_| ConnectionError::Away(format!("it answered `{}`", text.trim())))
    }

    /// Fetches the experience file, unless the server's file still has the tag `known`.
    ///
    /// # Errors
    ///
    /// As [`post`](Self::post).
    pub fn experience(&self, known: Option<&str>) -> Result<Option<FetchedFile>, ConnectionError> {
        let mut request = self.agent.get(format!("{}/experience", self.url)).header(BOOK_HEADER, &self.book);
        if let Some(token) = &self.token {
            request = request.header("authorization", format!("Bearer {token}"));
        }
        if let Some(known) = known {
            request = request.header("if-none-match", known);
        }
        let mut answer = checked(request.call())?;
        if answer.status() == StatusCode::NOT_MODIFIED {
            return Ok(None);
        }
        let tag =
            answer.headers().get("etag").and_then(|tag| tag.to_str().ok()).unwrap_or_default().to_owned();
        let body = answer.body_mut().with_config().limit(EXPERIENCE_BYTES_MAX);
        Ok(Some(FetchedFile { tag, bytes: body.read_to_vec().map_err(away)? }))
    }
}

/// Returns the answer if its status is a success or 304, and otherwise the error for its status.
fn checked(
    answer: Result<Response<ureq::Body>, ureq::Error>,
) -> Result<Response<ureq::Body>, ConnectionError> {
    let mut answer = answer.map_err(away)?;
    let status = answer.status();
    if status.is_success() || status == StatusCode::NOT_MODIFIED {
        return Ok(answer);
    }
    let why = answer.body_mut().read_to_string().unwrap_or_default();
    let why = format!("{} ({status})", why.trim());
    let is_later = status.is_server_error()
        || [StatusCode::TOO_MANY_REQUESTS, StatusCode::REQUEST_TIMEOUT].contains(&status);
    if is_later {
        Err(ConnectionError::Away(why))
    } else {
        Err(ConnectionError::Refused { status: status.as_u16(), why })
    }
}

#[expect(clippy::needless_pass_by_value, reason = "the signature that map_err calls")]
fn away(error: ureq::Error) -> ConnectionError {
    ConnectionError::Away(error.to_string())
}

/// Escapes a name for use in a URL: all bytes except ASCII letters and digits become `%` and two hex digits.
fn escaped(name: &str) -> String {
    name.bytes().fold(String::new(), |mut text, byte| {
        if byte.is_ascii_alphanumeric() {
            text.push(char::from(byte));
        } else {
            // Writing to a string cannot fail.
            let _ = write!(text, "%{byte:02X}");
        }
        text
    })
}
