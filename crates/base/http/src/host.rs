//! Host names and page origins, normalized to make them comparable.

use std::{
    fmt,
    net::{IpAddr, Ipv6Addr},
    str::FromStr,
};

/// A normalized host, in lower case and without a final dot or brackets.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum HostName {
    /// An address. An IPv4 address mapped into IPv6 is stored as the IPv4 address.
    Address(IpAddr),
    /// Any other name.
    Name(String),
}

/// The text does not name a host.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[error("`{host}` is not a host name or an address: write one without http:// and without a port", host = .0)]
pub struct UnknownHost(String);

/// The origin of a page: scheme, host and port.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct PageOrigin {
    scheme: &'static str,
    host: HostName,
    port: u16,
}

/// The text is not a valid page origin.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[error(
    "`{origin}` is not the origin of a page: write http://HOST or https://HOST, with or without :PORT, and no path",
    origin = .0
)]
pub struct UnknownOrigin(String);

/// A host and an optional port, as in a `Host` header (RFC 9110, 7.2).
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Authority {
    pub(crate) host: HostName,
    port: Option<u16>,
}

impl HostName {
    pub(crate) fn is_loopback(&self) -> bool {
        match self {
            Self::Address(address) => address.is_loopback(),
            Self::Name(name) => name == "localhost",
        }
    }

    /// A name or an IPv4 address; `None` if it has a character that a host name cannot have.
    fn plain(text: &str) -> Option<Self> {
        let text = text.strip_suffix('.').unwrap_or(text).to_ascii_lowercase();
        let is_of_name = |byte: u8| byte.is_ascii_alphanumeric() || b"-._".contains(&byte);
        if text.is_empty() || !text.bytes().all(is_of_name) {
            return None;
        }
        Some(text.parse().map(Self::Address).unwrap_or(Self::Name(text)))
    }

    fn bracketed(text: &str) -> Option<Self> {
        let address = text.parse::<Ipv6Addr>().ok()?;
        Some(Self::Address(IpAddr::V6(address).to_canonical()))
    }
}

/// Parses the form that users write, in which the brackets of an IPv6 address are optional.
impl FromStr for HostName {
    type Err = UnknownHost;

    fn from_str(text: &str) -> Result<Self, UnknownHost> {
        let inner = text.strip_prefix('[').and_then(|text| text.strip_suffix(']'));
        let host = inner.map_or_else(|| Self::plain(text).or_else(|| Self::bracketed(text)), Self::bracketed);
        host.ok_or_else(|| UnknownHost(text.to_owned()))
    }
}

impl Authority {
    /// Reads `HOST` or `HOST:PORT`; `None` for any other text, such as `USER@HOST`.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let (host, port) = if let Some(rest) = text.strip_prefix('[') {
            let (address, port) = rest.split_once(']')?;
            (HostName::bracketed(address)?, port)
        } else {
            let (host, port) = text.split_at(text.find(':').unwrap_or(text.len()));
            (HostName::plain(host)?, port)
        };
        let port = match port.strip_prefix(':') {
            None if port.is_empty() => None,
            Some("") => None,
            Some(digits) if digits.bytes().all(|byte| byte.is_ascii_digit()) => Some(digits.parse().ok()?),
            _ => return None,
        };
        Some(Self { host, port })
    }
}

impl PageOrigin {
    /// Whether this is the origin of pages that `authority` serves over HTTP or HTTPS.
    pub(crate) fn is_of(&self, authority: &Authority) -> bool {
        self.host == authority.host && self.port == authority.port.unwrap_or(default_port(self.scheme))
    }
}

impl FromStr for PageOrigin {
    type Err = UnknownOrigin;

    fn from_str(text: &str) -> Result<Self, UnknownOrigin> {
        let read = || {
            let (scheme, rest) = text.split_once("://")?;
            let scheme = ["http", "https"].into_iter().find(|known| scheme.eq_ignore_ascii_case(known))?;
            let Authority { host, port } = Authority::read(rest.strip_suffix('/').unwrap_or(rest))?;
            Some(Self { scheme, host, port: port.unwrap_or(default_port(scheme)) })
        };
        read().ok_or_else(|| UnknownOrigin(text.to_owned()))
    }
}

/// Writes the origin as browsers do: with the port only if it is not the default of the scheme.
impl fmt::Display for PageOrigin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { scheme, host, port } = self;
        match host {
            HostName::Address(IpAddr::V6(address)) => write!(f, "{scheme}://[{address}]")?,
            HostName::Address(address) => write!(f, "{scheme}://{address}")?,
            HostName::Name(name) => write!(f, "{scheme}://{name}")?,
        }
        if *port == default_port(scheme) { Ok(()) } else { write!(f, ":{port}") }
    }
}

fn default_port(scheme: &str) -> u16 {
    if scheme == "https" { 443 } else { 80 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_read_in_every_spelling() {
        let is_loopback = |text: &str| Authority::read(text).is_some_and(|read| read.host.is_loopback());
        for text in [
            "localhost",
            "LocalHost:9002",
            "localhost.",
            "localhost.:80",
            "localhost:",
            "127.0.0.1",
            "127.0.0.1:9002",
            "127.0.0.1.:9002",
            "127.8.9.10",
            "[::1]",
            "[::1]:9002",
            "[0:0:0:0:0:0:0:1]",
            "[::ffff:127.0.0.1]:1",
        ] {
            assert!(is_loopback(text), "{text}");
        }
        for text in [
            "",
            ".",
            ":9002",
            "evil@127.0.0.1",
            "127.0.0.1@evil",
            "user:word@127.0.0.1",
            "127.0.0.1:x",
            "127.0.0.1:+80",
            "127.0.0.1:99999",
            "127.0.0.1:80:80",
            "127.0.0.1/",
            "127.0.0.1#",
            "127.0.0.1, evil.example",
            " localhost",
            "localhost..",
            "localhost.evil.example",
            "evil.localhost",
            "localhost%00",
            "127.1",
            "0x7f.0.0.1",
            "2130706433",
            "0.0.0.0",
            "::1",
            "[::1",
            "[::1]x",
            "[::1%25lo]",
            "[127.0.0.1]",
            "[localhost]",
            "evil.example",
        ] {
            assert!(!is_loopback(text), "{text}");
        }
    }

    #[test]
    fn origins_are_those_of_a_host() {
        let is_of = |origin: &str, host: &str| {
            origin.parse::<PageOrigin>().is_ok_and(|origin| origin.is_of(&Authority::read(host).unwrap()))
        };
        for (origin, host) in [
            ("http://127.0.0.1:9002", "127.0.0.1:9002"),
            ("http://[::1]:9002", "[::1]:9002"),
            ("http://books.example", "Books.Example."),
            ("https://books.example", "books.example"),
            ("https://books.example", "books.example:443"),
            ("http://books.example", "books.example:80"),
        ] {
            assert!(is_of(origin, host), "{origin} {host}");
        }
        for (origin, host) in [
            ("null", "127.0.0.1:9002"),
            ("", "127.0.0.1:9002"),
            ("127.0.0.1:9002", "127.0.0.1:9002"),
            ("http://127.0.0.1:9003", "127.0.0.1:9002"),
            ("http://127.0.0.1", "127.0.0.1:9002"),
            ("http://evil@127.0.0.1:9002", "127.0.0.1:9002"),
            ("ftp://127.0.0.1:9002", "127.0.0.1:9002"),
            ("http://localhost:9002", "127.0.0.1:9002"),
            ("http://127.0.0.1:9002/page", "127.0.0.1:9002"),
        ] {
            assert!(!is_of(origin, host), "{origin} {host}");
        }
    }

    #[test]
    fn flags_name_hosts_and_origins() {
        let host = |text: &str| text.parse::<HostName>();
        assert_eq!(host("Books.Example."), Ok(HostName::Name("books.example".into())));
        assert_eq!(host("[2001:db8::1]"), host("2001:db8::1"));
        assert_eq!(host("192.0.2.7"), Ok(HostName::Address([192, 0, 2, 7].into())));
        for wrong in ["", "http://books.example", "books.example:443", "a b", "*"] {
            assert_eq!(host(wrong), Err(UnknownHost(wrong.into())));
        }
        let shown = |text: &str| text.parse::<PageOrigin>().map(|origin| origin.to_string());
        assert_eq!(shown("HTTPS://Books.Example:443/").as_deref(), Ok("https://books.example"));
        assert_eq!(shown("http://[::1]:9002").as_deref(), Ok("http://[::1]:9002"));
        assert!(shown("books.example").is_err());
    }
}
