//! Names of objects: `s3://bucket/key`, `gs://bucket/key`, `az://container/key`.

use std::{fmt, path::Path, str::FromStr};

use strum::{Display, EnumString};

use crate::Error;

/// A kind of object store.
#[derive(Clone, Copy, Debug, Display, EnumString, Eq, Hash, PartialEq)]
#[strum(serialize_all = "lowercase")]
pub enum Scheme {
    /// `s3://`: Amazon S3 and other servers with its protocol.
    S3,
    /// `gs://`: Google Cloud Storage.
    Gs,
    /// `az://`: Azure Blob Storage. The account is taken from the environment.
    Az,
}

/// The text before `://`, if `text` begins like a URL.
fn scheme_of(text: &str) -> Option<&str> {
    let (scheme, _) = text.split_once("://")?;
    let letters = scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
    (letters && scheme.starts_with(|first: char| first.is_ascii_alphabetic())).then_some(scheme)
}

/// Whether `text` is a URL and not a path. [`Url`] refuses URLs of stores that are not supported.
#[must_use]
pub fn is_url(text: &str) -> bool {
    scheme_of(text).is_some()
}

/// The URL in a path argument of the command line; `None` if the argument is a path in the file system.
///
/// # Errors
///
/// Fails like [`Url::from_str`] if the URL is malformed or its scheme is not supported.
pub fn url_of(path: &Path) -> Result<Option<Url>, Error> {
    path.to_str().filter(|text| is_url(text)).map(str::parse).transpose()
}

/// The URL of an object, of all objects below a prefix, or of a whole bucket.
///
/// The key is taken literally: `%20` is not decoded, and `?` and `#` are part of it.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub struct Url {
    pub(crate) scheme: Scheme,
    /// The bucket, which Azure calls a container.
    pub(crate) bucket: String,
    /// The key, without `/` at either end; empty for a bucket.
    pub(crate) key: String,
}

impl Url {
    /// The last part of the URL's key; `None` for the URL of a bucket.
    #[must_use]
    pub fn file_name(&self) -> Option<&str> {
        self.key.rsplit('/').next().filter(|name| !name.is_empty())
    }

    /// The URL one level up; `None` for the URL of a bucket.
    #[must_use]
    pub fn parent(&self) -> Option<Self> {
        self.file_name()?;
        let key = self.key.rsplit_once('/').map_or("", |(parent, _)| parent);
        Some(Self { key: key.to_owned(), ..self.clone() })
    }

    /// This URL, followed by `/` and `name`; `name` may have several parts, separated by `/`.
    ///
    /// # Errors
    ///
    /// Fails if the name has an empty part, `.`, `..` or a control character.
    pub fn join(&self, name: &str) -> Result<Self, Error> {
        format!("{self}/{name}").parse()
    }
}

impl fmt::Display for Url {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let slash = if self.key.is_empty() { "" } else { "/" };
        write!(formatter, "{}://{}{slash}{}", self.scheme, self.bucket, self.key)
    }
}

impl FromStr for Url {
    type Err = Error;

    /// # Errors
    ///
    /// Fails if the scheme is not supported, there is no bucket, or the key has an empty part, `.`, `..` or a
    /// control character.
    fn from_str(text: &str) -> Result<Self, Error> {
        let unknown = || Error::Scheme { url: text.to_owned(), instead: instead_of(text) };
        let scheme = scheme_of(text).and_then(|scheme| scheme.parse().ok()).ok_or_else(unknown)?;
        let rest = text.split_once("://").map_or("", |(_, rest)| rest);
        let (bucket, key) = rest.split_once('/').unwrap_or((rest, ""));
        let key = key.strip_suffix('/').unwrap_or(key);
        match fault_of(bucket, key) {
            Some(reason) => Err(Error::Malformed { url: text.to_owned(), reason }),
            None => Ok(Self { scheme, bucket: bucket.to_owned(), key: key.to_owned() }),
        }
    }
}

/// The end of the error message: a suggestion if `text` has a scheme that other programs use for the same
/// stores or for local files; otherwise, an empty string.
fn instead_of(text: &str) -> &'static str {
    match scheme_of(text) {
        Some("s3a" | "s3n" | "S3") => "; write s3://",
        Some("gcs" | "GS") => "; write gs://",
        Some("abfs" | "abfss" | "wasb" | "wasbs" | "azure" | "adl") => "; write az://CONTAINER/KEY",
        Some("file") => "; write the path alone",
        _ => "",
    }
}

/// The reason why no object can have this name.
fn fault_of(bucket: &str, key: &str) -> Option<&'static str> {
    let bad = |part: &str| part.is_empty() || part == "." || part == "..";
    if bucket.is_empty() {
        Some("it names no bucket")
    } else if bucket.chars().chain(key.chars()).any(char::is_control) {
        Some("it has a control character")
    } else if !bucket.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._".contains(&byte)) {
        Some("the name of a bucket has letters, digits, `-`, `.` and `_` only")
    } else if !key.is_empty() && key.split('/').any(bad) {
        Some("a part between two `/` is empty, `.` or `..`")
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Url {
        text.parse().unwrap()
    }

    #[test]
    fn urls_are_told_from_paths() {
        for text in ["s3://b/k", "gs://b", "az://c/k", "s3a://b/k", "https://host/x", "file:///x"] {
            assert!(is_url(text), "{text}");
        }
        for text in ["games.pgn", "/s3://x", "C:\\games.pgn", "a b://c", "://x", "3s://x", "s3:/b/k", ""] {
            assert!(!is_url(text), "{text}");
        }
    }

    #[test]
    fn a_url_is_displayed_as_it_was_written() {
        for text in
            ["s3://bucket/a/b.pgn", "gs://b", "az://c/k", "s3://b/a b?c#d%20e", "s3://b/.games.table.x"]
        {
            assert_eq!(url(text).to_string(), text);
        }
        assert_eq!(url("s3://bucket/games.table/").to_string(), "s3://bucket/games.table");
        assert_eq!(url("s3://bucket/").to_string(), "s3://bucket");
    }

    #[test]
    fn parents_and_names_are_those_of_paths() {
        let part = url("s3://bucket/tables/games.table").join("part-00000.parquet").unwrap();
        assert_eq!(part.to_string(), "s3://bucket/tables/games.table/part-00000.parquet");
        assert_eq!(part.file_name(), Some("part-00000.parquet"));
        let parents: Vec<_> =
            std::iter::successors(Some(part), Url::parent).skip(1).map(|url| url.to_string()).collect();
        assert_eq!(parents, ["s3://bucket/tables/games.table", "s3://bucket/tables", "s3://bucket"]);
        assert_eq!(url("s3://bucket").file_name(), None);
        assert_eq!(url("s3://bucket").join("a/b").unwrap().to_string(), "s3://bucket/a/b");
    }

    #[test]
    fn names_that_no_object_has_are_refused_with_the_reason() {
        let reason = |text: &str| text.parse::<Url>().unwrap_err().to_string();
        assert!(reason("s3a://bucket/key").ends_with("; write s3://"), "{}", reason("s3a://bucket/key"));
        assert!(reason("https://bucket/key").contains("s3://, gs:// or az://"));
        assert!(reason("s3://").contains("names no bucket"));
        assert!(reason("s3:///key").contains("names no bucket"));
        assert!(reason("s3://bu cket/key").contains("the name of a bucket"));
        for text in ["s3://b//k", "s3://b/a//k", "s3://b/../k", "s3://b/a/.", "s3://b/k//"] {
            assert!(reason(text).contains("is empty, `.` or `..`"), "{text}: {}", reason(text));
        }
        assert!(reason("s3://b/k\n").contains("control character"));
        assert!(url("s3://b/a").join("../c").is_err());
    }
}
