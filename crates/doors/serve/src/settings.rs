//! How a server answers, and what a request may take.

use std::{path::PathBuf, time::Duration};

use http::{HostName, Limits, PageOrigin, Tokens};

use crate::Endpoints;

/// The most bytes of the body of one edit, and of the bodies of all requests together.
const BODY_BYTES_MAX: usize = 4 << 10;
const BODIES_BYTES_MAX: usize = 4 << 20;

/// How a server answers.
pub struct Settings {
    /// The experience file of the default artefact, which need not exist; edits go there.
    pub experience: Option<PathBuf>,
    /// Who may edit.
    pub tokens: Tokens,
    /// Which artefact answers which database.
    pub endpoints: Endpoints,
    /// Names of the server, beside those of loopback and its address.
    pub hosts: Vec<HostName>,
    /// Origins whose pages may read, beside the server's own; if there are none, every page may.
    pub origins: Vec<PageOrigin>,
    /// Whether filters that cannot be answered are refused.
    pub strict_filters: bool,
    /// Requests that a client of another machine may make in a minute.
    pub requests_a_minute: u32,
    /// Reports what the server has to do without.
    pub report: fn(&str),
}

/// What HTTP may take.
pub(crate) fn limits() -> Limits {
    Limits {
        body_bytes_max: BODY_BYTES_MAX,
        bodies_bytes_max: BODIES_BYTES_MAX,
        request: Duration::from_secs(20),
        ..Limits::default()
    }
}
