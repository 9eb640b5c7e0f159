//! The explorer's page at `/`: files that `make page` built and `build.rs` embedded, each also compressed.
//!
//! A build without them, as `cargo install` makes it, answers `/` with how to build the page. The page
//! loads nothing from elsewhere, and its content security policy forbids it.

use axum::{
    Router,
    extract::Path,
    http::{HeaderMap, HeaderName, StatusCode, header},
    response::{Html, IntoResponse, Response},
    routing::get,
};

/// Scripts and styles are files of the page. The board sets styles of elements; the pieces are in the style
/// sheet, as data.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; \
                      img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; \
                      frame-ancestors 'none'";

/// What every answer of the page says to browsers.
const HEADERS: [(HeaderName, &str); 4] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::CACHE_CONTROL, "no-cache"),
];

/// A file of the page.
struct File {
    name: &'static str,
    media_type: &'static str,
    /// An `ETag`, of the content.
    tag: &'static str,
    plain: &'static [u8],
    /// As gzip.
    packed: &'static [u8],
}

/// All files of the page; none in a build without it.
static FILES: &[File] = include!(concat!(env!("OUT_DIR"), "/page_files.rs"));

/// What a build without the page answers.
const NOT_BUILT: &str = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Tabia</title>\
    <h1>Tabia</h1><p>This build has no page. To have it, run <code>make page build</code> in Tabia's folder \
    (it needs Node.js 18 or later) and start <code>tabia serve</code> again.</p>\
    <p>The API is here: <a href=\"/openapi.json\">its description</a>, \
    <a href=\"/lichess\">/lichess</a>, <a href=\"/tabia/probe\">/tabia/probe</a>.</p></html>";

/// `/` and `/page/NAME`.
pub fn router<S: Clone + Send + Sync + 'static>() -> Router<S> {
    Router::new().route("/", get(|headers: HeaderMap| async move { index(&headers) })).route(
        "/page/{name}",
        get(|Path(name): Path<String>, headers: HeaderMap| async move { named(&name, &headers) }),
    )
}

fn index(headers: &HeaderMap) -> Response {
    match find("index.html") {
        Some(file) => answer(file, headers),
        None => (HEADERS, Html(NOT_BUILT)).into_response(),
    }
}

fn named(name: &str, headers: &HeaderMap) -> Response {
    match find(name) {
        Some(file) => answer(file, headers),
        None => (StatusCode::NOT_FOUND, HEADERS, "no such file of the page\n").into_response(),
    }
}

fn find(name: &str) -> Option<&'static File> {
    FILES.iter().find(|file| file.name == name)
}

/// A file, compressed for clients that ask for it; 304 for those that have it.
fn answer(file: &'static File, headers: &HeaderMap) -> Response {
    let has = |name: HeaderName, text: &str| {
        let values = headers.get_all(name);
        values.iter().any(|value| value.to_str().is_ok_and(|value| value.contains(text)))
    };
    let common = (HEADERS, [(header::ETAG, file.tag), (header::VARY, "accept-encoding")]);
    if has(header::IF_NONE_MATCH, file.tag) {
        return (StatusCode::NOT_MODIFIED, common).into_response();
    }
    let kind = [(header::CONTENT_TYPE, file.media_type)];
    if has(header::ACCEPT_ENCODING, "gzip") {
        return (common, kind, [(header::CONTENT_ENCODING, "gzip")], file.packed).into_response();
    }
    (common, kind, file.plain).into_response()
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    static FILE: File = File {
        name: "page.js",
        media_type: "text/javascript; charset=utf-8",
        tag: "\"0123456789abcdef\"",
        plain: b"alert()",
        packed: b"packed",
    };

    fn asked(name: HeaderName, value: &'static str) -> HeaderMap {
        HeaderMap::from_iter([(name, HeaderValue::from_static(value))])
    }

    #[test]
    fn a_file_is_compressed_for_those_who_ask() {
        let plain = answer(&FILE, &HeaderMap::new());
        assert_eq!(plain.status(), StatusCode::OK);
        assert_eq!(plain.headers()[header::CONTENT_TYPE], "text/javascript; charset=utf-8");
        assert!(!plain.headers().contains_key(header::CONTENT_ENCODING));
        let packed = answer(&FILE, &asked(header::ACCEPT_ENCODING, "gzip, deflate, br"));
        assert_eq!(packed.headers()[header::CONTENT_ENCODING], "gzip");
        assert_eq!(packed.headers()[header::VARY], "accept-encoding");
    }

    #[test]
    fn a_file_that_the_client_has_is_not_sent_again() {
        let again = answer(&FILE, &asked(header::IF_NONE_MATCH, "\"0123456789abcdef\""));
        assert_eq!(again.status(), StatusCode::NOT_MODIFIED);
        let other = answer(&FILE, &asked(header::IF_NONE_MATCH, "\"0123456789abcdee\""));
        assert_eq!(other.status(), StatusCode::OK);
    }

    #[test]
    fn every_answer_forbids_requests_to_elsewhere() {
        for response in
            [index(&HeaderMap::new()), named("page.js", &HeaderMap::new()), named("x", &HeaderMap::new())]
        {
            let policy = response.headers()[header::CONTENT_SECURITY_POLICY].to_str().unwrap();
            assert!(policy.starts_with("default-src 'none'; script-src 'self'"), "{policy}");
            assert_eq!(response.headers()[header::X_CONTENT_TYPE_OPTIONS], "nosniff");
        }
    }

    /// All that is embedded has a name of its own and is what it says; the page as a whole is small.
    #[test]
    fn the_page_is_whole_or_not_there() {
        let index = find("index.html");
        assert_eq!(index.is_some(), !FILES.is_empty());
        for name in ["page.js", "style.css", "icon.svg", "licenses.txt"] {
            assert_eq!(find(name).is_some(), index.is_some(), "{name}");
        }
        assert!(FILES.iter().map(|file| file.plain.len()).sum::<usize>() < 300_000);
    }
}
