//! Decides which requests are accepted, based on the host that they name and the page that sends them.
//!
//! A page on any site can make a browser send requests to this machine. The page's host name can even be made
//! to resolve to this machine after the page was loaded (DNS rebinding). Such a request names the page's host
//! in `Host` and, unless it is a plain read, the page's origin in `Origin`. Browsers do not let pages change
//! either header.

use std::{net::IpAddr, sync::Arc};

use axum::{
    extract::{Request, State},
    http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, header},
    middleware::Next,
    response::Response,
};

use crate::{HostName, PageOrigin, host::Authority};

/// The header in which a browser states whether a request comes from a page of the same origin, of the same
/// site or of another site.
const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// The address that a client connected to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LocalAddress(pub(crate) IpAddr);

/// The requests that are accepted.
#[derive(Clone, Debug)]
pub struct Gate {
    /// The host names that the server answers to, in addition to loopback names and the address that the
    /// client connected to.
    pub hosts: Vec<HostName>,
    /// Origins, in addition to the server's own, whose pages may send requests.
    pub origins: Vec<PageOrigin>,
    /// Whether pages of every origin may send read requests.
    pub is_open: bool,
    /// Makes the answer to a request that was refused with this status, for this reason.
    pub refuse: fn(StatusCode, &str) -> Response,
}

/// The status and the reason of a refusal.
type Refusal = (StatusCode, String);

impl Gate {
    /// Refuses a request to another host, or from a page that may not send it.
    fn check(&self, method: &Method, uri: &Uri, headers: &HeaderMap, to: IpAddr) -> Result<(), Refusal> {
        let host = only(headers, &header::HOST)?;
        let host = host.ok_or((StatusCode::BAD_REQUEST, "the header Host is missing".to_owned()))?;
        let host = self.own(host, to)?;
        // A request written for a proxy also names the host in its first line.
        if let Some(authority) = uri.authority() {
            self.own(authority.as_str(), to)?;
        }
        let origin = only(headers, &header::ORIGIN)?;
        let is_read = matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS);
        let is_let_in = match origin {
            _ if is_read && self.is_open => true,
            Some(origin) => origin
                .parse()
                .is_ok_and(|origin: PageOrigin| origin.is_of(&host) || self.origins.contains(&origin)),
            None => is_read || !headers.get_all(FETCH_SITE).iter().any(is_elsewhere),
        };
        if is_let_in {
            return Ok(());
        }
        let why = "this request comes from a page of another site, so it is refused; a proxy in front of this server \
                   must pass on `Host`"
            .to_owned();
        Err((StatusCode::FORBIDDEN, why))
    }

    /// Returns the host that a request names, or refuses the request if the host is not one of this server's.
    fn own(&self, text: &str, to: IpAddr) -> Result<Authority, Refusal> {
        let is_own = |host: &HostName| {
            host.is_loopback() || *host == HostName::Address(to.to_canonical()) || self.hosts.contains(host)
        };
        Authority::read(text).filter(|authority| is_own(&authority.host)).ok_or_else(|| {
            let why = "the request is for another host: this server answers to localhost, to the address that it \
                       listens on, and to the names given by --host";
            (StatusCode::FORBIDDEN, why.to_owned())
        })
    }
}

/// Returns the value of the header `name`, or `None` if the request does not have this header. Refuses the
/// request if the header occurs more than once. A value that is not text becomes `?`, which never equals a
/// valid value.
fn only<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Result<Option<&'h str>, Refusal> {
    let mut values = headers.get_all(name).iter();
    let value = values.next().map(|value| value.to_str().unwrap_or("?"));
    match values.next() {
        None => Ok(value),
        Some(_) => Err((StatusCode::BAD_REQUEST, format!("the header {name} occurs more than once"))),
    }
}

/// Whether the `Sec-Fetch-Site` header says that the request comes from a page of another origin.
fn is_elsewhere(site: &HeaderValue) -> bool {
    site != "same-origin" && site != "none"
}

/// Passes accepted requests on to their handlers, and refuses all others.
pub(crate) async fn pass(State(gate): State<Arc<Gate>>, request: Request, next: Next) -> Response {
    let to = request.extensions().get().map_or(IpAddr::from([0; 4]), |&LocalAddress(to)| to);
    match gate.check(request.method(), request.uri(), request.headers(), to) {
        Ok(()) => next.run(request).await,
        Err((status, why)) => (gate.refuse)(status, &why),
    }
}

#[cfg(test)]
mod tests {
    use axum::response::IntoResponse as _;

    use super::*;

    fn gate(hosts: &[&str], origins: &[&str], is_open: bool) -> Gate {
        Gate {
            hosts: hosts.iter().map(|host| host.parse().unwrap()).collect(),
            origins: origins.iter().map(|origin| origin.parse().unwrap()).collect(),
            is_open,
            refuse: |status, _| status.into_response(),
        }
    }

    /// The status with which the gate refuses a request, or 200 if it accepts the request.
    fn status(gate: &Gate, method: &Method, uri: &str, fields: &[(&'static str, &'static str)]) -> u16 {
        let field = |&(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value));
        let mut headers = HeaderMap::new();
        for (name, value) in fields.iter().map(field) {
            headers.append(name, value);
        }
        let to = [192, 0, 2, 1].into();
        gate.check(method, &uri.parse().unwrap(), &headers, to)
            .map_or_else(|(status, _)| status.as_u16(), |()| 200)
    }

    #[test]
    fn only_its_own_hosts_are_answered() {
        let gate = gate(&["books.example"], &[], true);
        let of = |host: &'static str| status(&gate, &Method::GET, "/", &[("host", host)]);
        for host in ["127.0.0.1:9002", "localhost", "192.0.2.1:9002", "Books.Example.:443", "[::1]:9002"] {
            assert_eq!(of(host), 200, "{host}");
        }
        for host in
            ["evil.example:9002", "evil@127.0.0.1", "192.0.2.2", "x.books.example", "", "127.0.0.1\t1"]
        {
            assert_eq!(of(host), 403, "{host}");
        }
        assert_eq!(status(&gate, &Method::GET, "/", &[]), 400);
        let twice = [("host", "127.0.0.1"), ("host", "127.0.0.1")];
        assert_eq!(status(&gate, &Method::GET, "/", &twice), 400);
        let own = [("host", "127.0.0.1")];
        assert_eq!(status(&gate, &Method::GET, "http://localhost/", &own), 200);
        assert_eq!(status(&gate, &Method::GET, "http://evil.example/", &own), 403);
        assert_eq!(status(&gate, &Method::GET, "http://evil@127.0.0.1/", &own), 403);
    }

    #[test]
    fn pages_of_other_sites_change_nothing_and_read_what_is_open() {
        let (open, closed) = (gate(&[], &[], true), gate(&[], &[], false));
        let listed = gate(&[], &["https://lichess.example"], false);
        let host = ("host", "127.0.0.1:9002");
        for (of_page, read, change) in [
            (&[host][..], [200; 3], [200; 3]),
            (
                &[host, ("origin", "http://127.0.0.1:9002"), ("sec-fetch-site", "same-origin")],
                [200; 3],
                [200; 3],
            ),
            (&[host, ("sec-fetch-site", "none")], [200; 3], [200; 3]),
            (&[host, ("sec-fetch-site", "cross-site")], [200; 3], [403; 3]),
            (&[host, ("sec-fetch-site", "same-site")], [200; 3], [403; 3]),
            (&[host, ("origin", "https://lichess.example")], [200, 403, 200], [403, 403, 200]),
            (&[host, ("origin", "https://evil.example")], [200, 403, 403], [403; 3]),
            (&[host, ("origin", "http://127.0.0.1:9003")], [200, 403, 403], [403; 3]),
            (&[host, ("origin", "http://evil@127.0.0.1:9002")], [200, 403, 403], [403; 3]),
            (&[host, ("origin", "null")], [200, 403, 403], [403; 3]),
            (
                &[host, ("origin", "http://127.0.0.1:9002"), ("origin", "http://127.0.0.1:9002")],
                [400; 3],
                [400; 3],
            ),
        ] {
            let by =
                |method: &Method| [&open, &closed, &listed].map(|gate| status(gate, method, "/", of_page));
            assert_eq!(by(&Method::GET), read, "{of_page:?}");
            for method in [Method::PUT, Method::POST, Method::DELETE] {
                assert_eq!(by(&method), change, "{method} {of_page:?}");
            }
        }
    }
}
