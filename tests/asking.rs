//! Servers, and requests to them, byte by byte as a client sends them.

use std::{
    io::{BufRead as _, BufReader, Read, Write},
    net::TcpStream,
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use serde_json::Value;

/// A server that says in its first line where it listens, killed when it is dropped.
pub(crate) struct Listening {
    process: Child,
    /// Its first line.
    pub(crate) line: String,
    pub(crate) address: String,
    /// The token in the fragment of its address; empty where there is none.
    pub(crate) token: String,
}

impl Listening {
    /// Starts it, and waits until it listens.
    pub(crate) fn start(command: &mut Command) -> Self {
        let mut process = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.split_whitespace().next().and_then(|word| word.strip_prefix("http://"));
        let address = address.unwrap_or_else(|| panic!("{line}"));
        let (address, token) = address.split_once("/#token=").unwrap_or((address, ""));
        let (address, token) = (address.to_owned(), token.to_owned());
        Self { process, line, address, token }
    }

    /// Where requests go, without a path.
    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Asks it to end, and expects that it does.
    pub(crate) fn stop(mut self) {
        let pid = self.process.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &pid]).status().unwrap().success());
        let begin = Instant::now();
        while self.process.try_wait().unwrap().is_none() {
            assert!(begin.elapsed() < Duration::from_mins(1), "it does not end");
            thread::sleep(Duration::from_millis(10));
        }
        assert!(self.process.wait().unwrap().success());
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// What was answered: status, headers in small letters, body.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: String,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.lines().find_map(|line| Some(line.strip_prefix(name)?.strip_prefix(": ")?.trim()))
    }
}

/// A request with headers, one a line; `Host` is the address unless a line is another one.
pub(crate) fn ask(address: &str, request: &str, headers: &str, body: &[u8]) -> Answer {
    let has_host = headers.lines().any(|line| line.starts_with("Host:"));
    let host = if has_host { String::new() } else { format!("Host: {address}\n") };
    ask_over(TcpStream::connect(address).unwrap(), request, &(host + headers), body)
}

/// A request over a connection, with headers, one a line.
pub(crate) fn ask_over(mut stream: impl Read + Write, request: &str, headers: &str, body: &[u8]) -> Answer {
    let headers = headers.lines().fold(String::new(), |all, line| all + line + "\r\n");
    let head =
        format!("{request} HTTP/1.1\r\nConnection: close\r\nContent-Length: {}\r\n{headers}\r\n", body.len());
    stream.write_all(head.as_bytes()).unwrap();
    // A server that refuses a body may close before it has read all of it.
    let _ = stream.write_all(body);
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    let end = answer.windows(4).position(|bytes| bytes == b"\r\n\r\n").unwrap();
    let headers = String::from_utf8_lossy(&answer[..end]).to_lowercase();
    let status = headers.split(' ').nth(1).unwrap().parse().unwrap();
    let body = unchunked(&headers, answer[end + 4..].to_vec());
    Answer { status, headers, body }
}

/// A body without the lengths of its chunks.
fn unchunked(headers: &str, body: Vec<u8>) -> Vec<u8> {
    if !headers.contains("transfer-encoding: chunked") {
        return body;
    }
    let (mut rest, mut whole) = (&body[..], Vec::new());
    loop {
        let end = rest.windows(2).position(|bytes| bytes == b"\r\n").unwrap();
        let length = usize::from_str_radix(std::str::from_utf8(&rest[..end]).unwrap(), 16).unwrap();
        if length == 0 {
            return whole;
        }
        whole.extend_from_slice(&rest[end + 2..end + 2 + length]);
        rest = &rest[end + 4 + length..];
    }
}
