//! Opening the address of a server.

use std::net::{SocketAddr, TcpListener};

use http::{ListenError, listen};

use crate::exit::Usage;

/// Listens on `address`. An address that needs tokens is wrong usage; one that the system refuses is not.
pub(super) fn listen_on(address: SocketAddr, has_tokens: bool) -> anyhow::Result<TcpListener> {
    listen(address, has_tokens).map_err(|error| match error {
        ListenError::Open { .. } => Usage(error.to_string()).into(),
        ListenError::Io { .. } => error.into(),
    })
}
