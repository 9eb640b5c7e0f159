//! The settings of a server, and the limits on requests.

use std::{path::PathBuf, time::Duration};

use http::{HostName, Limits, PageOrigin, Tokens};

use crate::Endpoints;

/// The maximum size of the body of one edit, and of the bodies of all requests together, in bytes.
const BODY_BYTES_MAX: usize = 4 << 10;
const BODIES_BYTES_MAX: usize = 4 << 20;

/// How a server answers.
pub struct Settings {
    /// The default artefact's experience file, which edits are written to; it need not exist.
    pub experience: Option<PathBuf>,
    /// Who may edit.
    pub tokens: Tokens,
    /// The artefacts from which requests for Lichess's databases are answered.
    pub endpoints: Endpoints,
    /// The server's host names, in addition to its address and the names of the loopback interface.
    pub hosts: Vec<HostName>,
    /// Origins whose pages may read and edit, in addition to the server's own. If there are none, any page
    /// may read the paths of Lichess's explorer, but only the server's own pages may read the others.
    pub origins: Vec<PageOrigin>,
    /// Whether requests are refused if an artefact cannot apply their filters.
    pub strict_filters: bool,
    /// The number of requests that a client on another machine may make in a minute.
    pub requests_a_minute: u32,
    /// Called with a warning, for example when an artefact cannot be reopened or a filter is ignored.
    pub report: fn(&str),
}

/// The limits on HTTP requests.
pub(crate) fn limits() -> Limits {
    Limits {
        body_bytes_max: BODY_BYTES_MAX,
        bodies_bytes_max: BODIES_BYTES_MAX,
        request: Duration::from_secs(20),
        ..Limits::default()
    }
}
