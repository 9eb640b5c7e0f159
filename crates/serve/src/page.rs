//! The explorer's page, where it was built into the program.

/// A file of the page.
pub(crate) struct PageFile {
    /// Its `Content-Type`.
    pub(crate) kind: &'static str,
    pub(crate) bytes: &'static [u8],
    /// Whether the bytes are compressed with gzip.
    pub(crate) is_gzip: bool,
}

/// What is answered at `/` by a program without the page.
const WITHOUT_PAGE: &str = "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>Tabia</title>\n\
    <body><h1>tabia serve</h1>\n<p>This program was built without the explorer's page: <code>make page build</code> \
    builds one with it.</p>\n<p>The API is here: <a href=\"/tabia/artefacts\">what is served</a>, \
    <a href=\"/tabia/probe\">the start position</a>, <a href=\"/lichess\">the same as Lichess's explorer answers it</a>, \
    <a href=\"/openapi.json\">all requests</a>.</p>\n</body></html>\n";

/// The file at a path, which begins with `/`.
pub(crate) fn file(path: &str) -> Option<PageFile> {
    (path == "/").then_some(PageFile {
        kind: "text/html; charset=utf-8",
        bytes: WITHOUT_PAGE.as_bytes(),
        is_gzip: false,
    })
}
