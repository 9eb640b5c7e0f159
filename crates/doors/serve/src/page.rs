//! The explorer's page: files that `make page` built and `build.rs` embedded, each also compressed.

use axum::{
    Router,
    extract::{Path, rejection::PathRejection},
    http::{HeaderMap, HeaderName, StatusCode, header},
    response::{IntoResponse, Response},
    routing::get,
};

use crate::answer::Refusal;

/// One of the files that make up the page.
struct File {
    name: &'static str,
    media_type: &'static str,
    /// The `ETag` of the content.
    tag: &'static str,
    plain: &'static [u8],
    /// The content, compressed with gzip.
    packed: &'static [u8],
}

/// All the files that the page consists of.
static FILES: &[File] = include!(concat!(env!("OUT_DIR"), "/page_files.rs"));

/// `/` and `/page/NAME`. Request paths are only compared with this list; no file is ever opened.
pub(crate) fn router<S: Clone + Send + Sync + 'static>() -> Router<S> {
    let index = |headers: HeaderMap| async move { named("index.html", &headers) };
    let other = |name: Result<Path<String>, PathRejection>, headers: HeaderMap| async move {
        named(name.as_ref().map_or("", |Path(name)| name), &headers)
    };
    Router::new().route("/", get(index)).route("/page/{name}", get(other))
}

fn named(name: &str, headers: &HeaderMap) -> Response {
    let nothing = || Refusal::new(StatusCode::NOT_FOUND, "the page has no such file").json();
    find(name).map_or_else(nothing, |file| answer(file, headers))
}

fn find(name: &str) -> Option<&'static File> {
    FILES.iter().find(|file| file.name == name)
}

/// Answers with a file, compressed for clients that accept compression, or with 304 for clients that already
/// have it.
fn answer(file: &'static File, headers: &HeaderMap) -> Response {
    let has = |name: HeaderName, text: &str| {
        let values = headers.get_all(name);
        values.iter().any(|value| value.to_str().is_ok_and(|value| value.contains(text)))
    };
    let common =
        [(header::ETAG, file.tag), (header::CACHE_CONTROL, "no-cache"), (header::VARY, "accept-encoding")];
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
    use std::process::Command;

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
    fn the_page_is_whole_and_small() {
        for name in ["index.html", "page.js", "style.css", "icon.svg", "licenses.txt"] {
            assert_eq!(named(name, &HeaderMap::new()).status(), StatusCode::OK, "{name}");
        }
        assert!(FILES.iter().map(|file| file.plain.len()).sum::<usize>() < 300_000);
        assert_eq!(named("../index.html", &HeaderMap::new()).status(), StatusCode::NOT_FOUND);
    }

    /// Checks that `page/built` is what `make page` produces from the sources next to it.
    #[test]
    fn the_page_is_built_from_its_sources() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/page");
        let mut check = Command::new("sha256sum");
        let check =
            check.args(["--check", "--quiet", "--strict", "built/sources.sha256"]).current_dir(folder);
        let output = check.output().unwrap();
        let differing = String::from_utf8_lossy(&output.stdout);
        assert!(
            output.status.success(),
            "`make page` builds the page again, for these changed:\n{differing}"
        );
    }
}
