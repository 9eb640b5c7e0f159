//! Who may edit.
//!
//! A page of any site can make a browser send requests to this machine, and a name of any site can be made to
//! lead here. So a request without a token has to name this machine by an address or as `localhost`, and must
//! not say that another site made it.

use std::net::{IpAddr, SocketAddr};

use axum::http::{HeaderMap, HeaderName, StatusCode, Uri, header};

use crate::{answer::Refusal, server::Shared};

/// A browser's word for who made a request.
const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
/// What proxies add: their client may be anywhere.
const FORWARDED: [HeaderName; 3] = [
    HeaderName::from_static("forwarded"),
    HeaderName::from_static("x-forwarded-for"),
    HeaderName::from_static("x-real-ip"),
];

/// Refuses an edit from elsewhere without a token.
pub(super) fn check(shared: &Shared, headers: &HeaderMap, from: SocketAddr) -> Result<(), Refusal> {
    let token = text(headers, &header::AUTHORIZATION);
    if shared.tokens.as_ref().zip(token).is_some_and(|(tokens, token)| tokens.of(token).is_some()) {
        return Ok(());
    }
    let is_near =
        from.ip().to_canonical().is_loopback() && !FORWARDED.iter().any(|name| headers.contains_key(name));
    if is_near && is_own(headers) {
        return Ok(());
    }
    let why = "values are set from this machine and by the server's own page, or with a token of --tokens";
    Err(Refusal::new(StatusCode::FORBIDDEN, why))
}

/// Whether a request is made by no other site's page.
fn is_own(headers: &HeaderMap) -> bool {
    let Some(host) = text(headers, &header::HOST).filter(|host| is_this_machine(host)) else { return false };
    let is_same_origin = |origin: &str| origin.strip_prefix("http://") == Some(host);
    text(headers, &header::ORIGIN).is_none_or(is_same_origin)
        && text(headers, &FETCH_SITE).is_none_or(|site| ["same-origin", "none"].contains(&site))
}

/// Whether a `Host` is `localhost` or an address of this machine.
fn is_this_machine(host: &str) -> bool {
    let Ok(uri) = format!("http://{host}/").parse::<Uri>() else { return false };
    let name = uri.host().unwrap_or_default().trim_start_matches('[').trim_end_matches(']');
    name.eq_ignore_ascii_case("localhost")
        || name.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// A header's text; a header that is not text is there, and equals nothing.
fn text<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Option<&'h str> {
    headers.get(name).map(|value| value.to_str().unwrap_or("?"))
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    #[test]
    fn other_sites_are_refused() {
        let headers = |fields: &[(&'static str, &'static str)]| -> HeaderMap {
            let field = |&(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value));
            fields.iter().map(field).collect()
        };
        let host = ("host", "127.0.0.1:9002");
        for own in [
            &[host][..],
            &[
                ("host", "localhost:9002"),
                ("origin", "http://localhost:9002"),
                ("sec-fetch-site", "same-origin"),
            ],
            &[("host", "[::1]:9002"), ("origin", "http://[::1]:9002")],
        ] {
            assert!(is_own(&headers(own)), "{own:?}");
        }
        for other in [
            &[][..],
            &[("host", "rebound.example:9002")],
            &[("host", "rebound.example:9002"), ("origin", "http://rebound.example:9002")],
            &[host, ("origin", "https://site.example")],
            &[host, ("origin", "null")],
            &[host, ("origin", "http://127.0.0.1:9003")],
            &[host, ("sec-fetch-site", "cross-site")],
            &[host, ("sec-fetch-site", "same-site")],
        ] {
            assert!(!is_own(&headers(other)), "{other:?}");
        }
    }
}
