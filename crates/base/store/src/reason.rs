//! Explains a client's error to the user, leaving out anything secret.

use std::error::Error as _;

use object_store::Error as Cause;

use crate::{Error, Scheme, Url};

/// The requests that clients send to the machine's metadata server if the environment has no credentials.
const ROLE_REQUESTS: [&str; 4] =
    ["/latest/api/token", "/latest/meta-data/", "/computeMetadata/v1/", "/metadata/identity/"];

/// The codes with which servers report that a bucket is missing.
const MISSING_BUCKETS: [&str; 2] = ["<Code>NoSuchBucket</Code>", "<Code>ContainerNotFound</Code>"];

/// The reason that is reported if an endpoint without TLS is refused. By default, all such endpoints are
/// refused.
const NOT_ALLOWED: &str = "the endpoint in the environment is http://; AWS_ALLOW_HTTP=true, AZURE_ALLOW_HTTP=true or \
                           GOOGLE_ALLOW_HTTP=true allows that";

/// Makes the error for `url` from a client's `cause`; `done` is the action that failed, such as `read`.
pub(crate) fn failure(url: &Url, done: &'static str, cause: &Cause) -> Error {
    let text = cause.to_string();
    let scheme = url.scheme;
    let url = url.to_string();
    let reason = reason_of(cause, &text);
    match cause {
        Cause::NotFound { .. } => Error::Missing { url, done, reason },
        Cause::PermissionDenied { .. } | Cause::Unauthenticated { .. } => {
            Error::Refused { url, done, reason, expected: credentials(scheme) }
        }
        _ if MISSING_BUCKETS.iter().any(|code| text.contains(code)) => Error::Missing { url, done, reason },
        _ if ROLE_REQUESTS.iter().any(|request| text.contains(request)) => {
            let reason = "there are none, and this machine has no role".to_owned();
            Error::Refused { url, done, reason, expected: credentials(scheme) }
        }
        _ => Error::Failed { url, done, reason, attempts: attempts(&text) },
    }
}

/// The variables that hold credentials.
fn credentials(scheme: Scheme) -> &'static str {
    match scheme {
        Scheme::S3 => {
            "AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN, or the role of the machine"
        }
        Scheme::Gs => "GOOGLE_SERVICE_ACCOUNT or GOOGLE_APPLICATION_CREDENTIALS, or the role of the machine",
        Scheme::Az => {
            "AZURE_STORAGE_ACCOUNT_NAME with AZURE_STORAGE_ACCOUNT_KEY, AZURE_STORAGE_SAS_TOKEN or AZURE_CLIENT_ID, or \
             the role of the machine"
        }
    }
}

/// The server's code and message; if there are none, the innermost error, which comes from the system or the
/// protocol.
///
/// The rest of the server's answer is not printed, because S3 puts the access key's id and the signed text
/// there.
fn reason_of(cause: &Cause, text: &str) -> String {
    let said = [element(text, "Code"), element(text, "Message")];
    let mut reason = said.into_iter().flatten().collect::<Vec<_>>().join(": ");
    if reason.is_empty() {
        reason = without_queries(&innermost(cause));
    }
    if reason.contains("URL scheme is not allowed") {
        reason = NOT_ALLOWED.into();
    }
    reason
}

/// The first line in the first XML element with this name.
fn element<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let (_, rest) = text.split_once(&format!("<{name}>"))?;
    let (content, _) = rest.split_once(&format!("</{name}>"))?;
    content.lines().next()
}

fn innermost(cause: &Cause) -> String {
    let text = std::iter::successors(cause.source(), |&source| source.source()).last();
    let text = text.map_or_else(|| cause.to_string(), ToString::to_string);
    text.lines().next().unwrap_or_default().trim_end_matches([' ', ':', '.']).to_owned()
}

/// Removes everything after the `?` in each URL, because that part may contain signatures.
fn without_queries(text: &str) -> String {
    let words = text.split(' ').map(|word| word.split_once('?').map_or(word, |(url, _)| url));
    words.collect::<Vec<_>>().join(" ")
}

/// The number of attempts that the client's message reports.
pub(crate) fn attempts(text: &str) -> usize {
    let retries = text.split_once(", after ").and_then(|(_, rest)| rest.split_once(" retries"));
    retries.and_then(|(number, _)| number.parse::<usize>().ok()).unwrap_or(0) + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    const REFUSAL: &str = "Error performing GET http://127.0.0.1:5000/bucket/key in 2ms - Server returned non-2xx status \
        code: 403 Forbidden: <?xml version=\"1.0\"?>\n<Error><Code>SignatureDoesNotMatch</Code><Message>The signature is \
        another one.</Message><AWSAccessKeyId>AKIA1</AWSAccessKeyId><StringToSign>GET /key</StringToSign></Error>";

    fn message(url: &str, cause: &Cause) -> String {
        failure(&url.parse().unwrap(), "read", cause).to_string()
    }

    #[test]
    fn of_an_answer_only_code_and_message_are_printed() {
        let cause = Cause::PermissionDenied { path: "key".into(), source: REFUSAL.into() };
        let message = message("s3://bucket/key", &cause);
        assert!(message.contains("(SignatureDoesNotMatch: The signature is another one.)"), "{message}");
        assert!(message.contains("AWS_SECRET_ACCESS_KEY"), "{message}");
        assert!(!message.contains("AKIA1") && !message.contains("GET /key"), "{message}");
    }

    #[test]
    fn signatures_in_urls_are_not_printed() {
        let text = "error sending request for https://account.blob.example/c/k?sv=2026&sig=secret now";
        let cause = Cause::Generic { store: "MicrosoftAzure", source: text.into() };
        let message = message("az://c/k", &cause);
        assert!(
            message.ends_with("error sending request for https://account.blob.example/c/k now"),
            "{message}"
        );
    }

    #[test]
    fn a_machine_without_a_role_lacks_credentials() {
        for request in ROLE_REQUESTS {
            let text = format!("Error performing PUT http://127.0.0.1{request}, after 10 retries");
            let cause = Cause::Generic { store: "S3", source: text.into() };
            let message = message("gs://bucket/key", &cause);
            assert!(message.contains("there are none, and this machine has no role"), "{message}");
            assert!(message.contains("GOOGLE_SERVICE_ACCOUNT"), "{message}");
        }
    }

    #[test]
    fn a_bucket_that_cannot_be_listed_is_missing() {
        for code in ["NoSuchBucket", "ContainerNotFound"] {
            let text = format!("404 Not Found: <Error><Code>{code}</Code><Message>None.</Message></Error>");
            let message = message("s3://b/k", &Cause::Generic { store: "S3", source: text.into() });
            assert!(message.contains(&format!("no such bucket ({code}: None.)")), "{message}");
        }
    }

    #[test]
    fn an_endpoint_without_tls_must_be_allowed() {
        let text = "error sending request: URL scheme is not allowed";
        let message = message("s3://b/k", &Cause::Generic { store: "S3", source: text.into() });
        assert!(message.contains("AWS_ALLOW_HTTP=true"), "{message}");
    }

    #[test]
    fn repeated_requests_are_counted() {
        let cause = Cause::Generic { store: "S3", source: "gone, after 10 retries, max_retries: 10".into() };
        assert!(message("s3://b/k", &cause).ends_with("11 attempts"));
        let cause = Cause::Generic { store: "S3", source: "gone".into() };
        assert!(message("s3://b/k", &cause).ends_with("gone"));
    }
}
