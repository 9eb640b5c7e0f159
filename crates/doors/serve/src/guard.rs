//! Middleware: limits the number of requests and their duration, and sets response headers.

use std::{
    net::{IpAddr, SocketAddr},
    sync::Arc,
    time::{Duration, Instant},
};

use axum::{
    extract::{ConnectInfo, Request, State},
    http::{HeaderMap, HeaderValue, Method, StatusCode, header},
    middleware::Next,
    response::{IntoResponse as _, Response},
};
use tokio::time;

use crate::{answer::Refusal, shared::Shared};

/// The longest time that a request may take.
const REQUEST: Duration = Duration::from_secs(15);

/// Refuses a request if its client has sent too many, and ends it if it takes too long.
pub(crate) async fn limited(
    State(shared): State<Arc<Shared>>,
    ConnectInfo(from): ConnectInfo<SocketAddr>,
    request: Request,
    next: Next,
) -> Response {
    if !from.ip().to_canonical().is_loopback()
        && let Err(wait) = shared.allowance.admit(&client(from.ip()), Instant::now())
    {
        let why = format!("too many requests: wait {} s", wait.as_secs() + 1);
        return Refusal::new(StatusCode::TOO_MANY_REQUESTS, why).wait(wait).json();
    }
    let Ok(response) = time::timeout(REQUEST, next.run(request)).await else {
        return Refusal::new(StatusCode::SERVICE_UNAVAILABLE, "the request took too long")
            .wait(REQUEST)
            .json();
    };
    response
}

/// The client's address. For IPv6, only the network part is used, because a client may use any number of
/// addresses in its network.
fn client(from: IpAddr) -> String {
    match from.to_canonical() {
        IpAddr::V4(address) => address.to_string(),
        IpAddr::V6(address) => format!("{:x?}", &address.segments()[..4]),
    }
}

/// Adds the current tag (`ETag`) to successful answers. If the request shows that the client already has an
/// answer with this tag, answers with status 304 instead.
pub(crate) async fn tagged(State(shared): State<Arc<Shared>>, request: Request, next: Next) -> Response {
    // The tag is read before the answer is made. If the data changes in between, the answer is newer than its
    // tag. The only effect is that the client fetches the same answer a second time.
    let tag = shared.tag();
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return next.run(request).await;
    }
    let has_it = has_tag(request.headers(), &tag);
    let mut response =
        if has_it { StatusCode::NOT_MODIFIED.into_response() } else { next.run(request).await };
    if response.status() == StatusCode::OK || has_it {
        let headers = response.headers_mut();
        headers.insert(header::ETAG, tag);
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    }
    response
}

/// Whether `If-None-Match` names the tag. Weak and strong tags are treated alike, since a proxy may have
/// turned one into the other.
fn has_tag(headers: &HeaderMap, tag: &HeaderValue) -> bool {
    let strong = |tag: &str| tag.trim().trim_start_matches("W/").to_owned();
    let Ok(tag) = tag.to_str().map(strong) else { return false };
    let named = headers.get_all(header::IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    named.flat_map(|value| value.split(',')).any(|named| strong(named) == tag)
}

/// Tells browsers not to guess the type of an answer, and to load nothing from other sites.
pub(crate) async fn marked(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    for (name, value) in [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (
            header::CONTENT_SECURITY_POLICY,
            // All of the page's files come from this server, but its board sets style attributes, and its
            // style sheet contains the pieces as data URLs.
            "default-src 'none'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; \
             img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        ),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}
