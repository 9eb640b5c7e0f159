//! Parses the address of a server, and listens on it.

use std::net::{Ipv4Addr, SocketAddr, TcpListener};

use http::{ListenError, listen};

use crate::exit::Usage;

/// Parses an address; a port number alone stands for that port on 127.0.0.1.
pub(super) fn address(text: &str) -> Result<SocketAddr, &'static str> {
    let port = text.strip_prefix("localhost:").unwrap_or(text).parse();
    let own = port.map(|port: u16| SocketAddr::from((Ipv4Addr::LOCALHOST, port)));
    own.or_else(|_| text.parse()).map_err(|_| "expected an address with a port, such as 127.0.0.1:9002")
}

/// Listens on `address`. Fails with a usage error if the address needs tokens and there are none, and with
/// [`ListenError::Io`] if the system refuses the address.
pub(super) fn listen_on(address: SocketAddr, has_tokens: bool) -> anyhow::Result<TcpListener> {
    listen(address, has_tokens).map_err(|error| match error {
        ListenError::Open { .. } => Usage(error.to_string()).into(),
        ListenError::Io { .. } => error.into(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_may_be_a_port() {
        for text in ["9002", "localhost:9002", "127.0.0.1:9002"] {
            assert_eq!(address(text).unwrap().to_string(), "127.0.0.1:9002");
        }
        assert_eq!(address("[::1]:80").unwrap().to_string(), "[::1]:80");
        assert!(address("books.example").is_err() && address("127.0.0.1").is_err());
    }
}
