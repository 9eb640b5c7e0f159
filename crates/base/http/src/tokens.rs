//! Decides which clients may write, based on their tokens.
//!
//! # Format
//!
//! A token file is a text file with one line per client. A line has two or three words, separated by
//! whitespace: the client's name, its token (16 characters or more), and `all` if the client may also clear
//! what other clients have written. Empty lines and lines that begin with `#` are skipped.

use std::{
    fs::{self, File},
    io::{self, Read as _},
    path::{Path, PathBuf},
};

/// The minimum length of a token in characters.
const TOKEN_CHARACTERS_MIN: usize = 16;
/// The maximum length of a name in bytes.
const NAME_BYTES_MAX: usize = 64;

/// The size of a random token in bytes.
const RANDOM_BYTES: usize = 16;
/// The device from which random bytes are read.
const RANDOM: &str = "/dev/urandom";

/// The clients that may write, with their tokens.
#[derive(Clone, Debug, Default)]
pub struct Tokens(Vec<(String, Client)>);

/// A client, identified by its token.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Client {
    /// Its name.
    pub name: String,
    /// Whether the client may clear what other clients have written.
    pub may_clear_all: bool,
}

/// Why a token file cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum TokensError {
    /// Reading failed.
    #[error("{path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// A line does not describe a client.
    #[error("{path}, line {line}: {what}")]
    Line {
        /// The file.
        path: PathBuf,
        /// The line number, from 1.
        line: usize,
        /// What is wrong with the line.
        what: &'static str,
    },
    /// The token file lists no clients.
    #[error("{path} lists no clients: write a name and a token on each line", path = .0.display())]
    Empty(PathBuf),
}

impl Tokens {
    /// Reads a file.
    ///
    /// # Errors
    ///
    /// [`TokensError`] with the line.
    pub fn read(path: &Path) -> Result<Self, TokensError> {
        let text =
            fs::read_to_string(path).map_err(|source| TokensError::Io { path: path.to_owned(), source })?;
        let mut tokens = Self::default();
        for (index, line) in text.lines().enumerate() {
            let at = |what| TokensError::Line { path: path.to_owned(), line: index + 1, what };
            if let Some((token, client)) = client(line).map_err(at)? {
                tokens.add(token, client).map_err(at)?;
            }
        }
        if tokens.0.is_empty() { Err(TokensError::Empty(path.to_owned())) } else { Ok(tokens) }
    }

    /// Makes a random token for the client `name`. Also returns the token itself, as 32 hexadecimal digits.
    ///
    /// # Errors
    ///
    /// Fails if the system returns no random bytes.
    pub fn random(name: &str) -> Result<(Self, String), TokensError> {
        let mut bytes = [0; RANDOM_BYTES];
        let read = File::open(RANDOM).and_then(|mut file| file.read_exact(&mut bytes));
        read.map_err(|source| TokensError::Io { path: RANDOM.into(), source })?;
        let token = format!("{:032x}", u128::from_le_bytes(bytes));
        let client = Client { name: name.to_owned(), may_clear_all: false };
        Ok((Self(vec![(token.clone(), client)]), token))
    }

    fn add(&mut self, token: &str, client: Client) -> Result<(), &'static str> {
        if self.0.iter().any(|(known, other)| known == token || other.name == client.name) {
            return Err("its name or its token is also on an earlier line");
        }
        self.0.push((token.to_owned(), client));
        Ok(())
    }

    /// Returns the client whose token is in the `Authorization` header, which must be `Bearer TOKEN`.
    #[must_use]
    pub fn of(&self, authorization: &str) -> Option<&Client> {
        let (scheme, token) = authorization.split_once(' ')?;
        if !scheme.eq_ignore_ascii_case("bearer") {
            return None;
        }
        let token = token.trim();
        // Every token is compared in full, so that the time taken does not reveal how many characters match.
        self.0.iter().fold(None, |found, (known, client)| {
            if is_equal(known.as_bytes(), token.as_bytes()) { Some(client) } else { found }
        })
    }
}

/// Reads the token and the client from a line; `None` if the line is empty or a comment.
fn client(line: &str) -> Result<Option<(&str, Client)>, &'static str> {
    let mut words = line.split_whitespace();
    let Some(name) = words.next().filter(|name| !name.starts_with('#')) else { return Ok(None) };
    let token = words.next().ok_or("a name without a token")?;
    let may_clear_all = match (words.next(), words.next()) {
        (None, _) => false,
        (Some("all"), None) => true,
        _ => return Err("expected a name, a token and perhaps `all`, but there is more"),
    };
    if name.len() > NAME_BYTES_MAX {
        return Err("a name of more than 64 bytes");
    }
    if token.len() < TOKEN_CHARACTERS_MIN || !token.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err("a token of fewer than 16 characters, or of others than ASCII's");
    }
    Ok(Some((token, Client { name: name.to_owned(), may_clear_all })))
}

fn is_equal(a: &[u8], b: &[u8]) -> bool {
    a.len() == b.len() && a.iter().zip(b).fold(0, |unlike, (a, b)| unlike | (a ^ b)) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Tokens, TokensError> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tokens");
        fs::write(&path, text).unwrap();
        Tokens::read(&path)
    }

    #[test]
    fn clients_are_known_by_their_tokens() {
        let tokens = read("# ours\n\nada 0123456789abcdef\n bob\tfedcba9876543210 all\n").unwrap();
        let name =
            |header: &str| tokens.of(header).map(|client| (client.name.as_str(), client.may_clear_all));
        assert_eq!(name("Bearer 0123456789abcdef"), Some(("ada", false)));
        assert_eq!(name("bearer fedcba9876543210"), Some(("bob", true)));
        for header in
            ["", "Bearer", "Bearer ", "Bearer 0123456789abcdeg", "Basic 0123456789abcdef", "Bearer 0123"]
        {
            assert_eq!(name(header), None, "{header}");
        }
    }

    #[test]
    fn a_random_token_is_another_one_each_time() {
        let [(tokens, first), (_, second)] = [(); 2].map(|()| Tokens::random("page").unwrap());
        assert!(first.len() == 32 && first != second, "{first}");
        assert!(tokens.of(&format!("Bearer {first}")).is_some_and(|client| client.name == "page"));
        assert_eq!(tokens.of(&format!("Bearer {second}")), None);
    }

    #[test]
    fn lines_that_are_no_clients_are_named() {
        for (text, line) in [
            ("ada\n", 1),
            ("# x\nada short\n", 2),
            ("ada 0123456789abcdef some\n", 1),
            ("ada 0123456789abcdef all more\n", 1),
            ("ada 0123456789abcdef\nbob 0123456789abcdef\n", 2),
            ("ada 0123456789abcdef\nada fedcba9876543210\n", 2),
            ("ada 0123456789abcdé0\n", 1),
        ] {
            match read(text) {
                Err(TokensError::Line { line: found, .. }) => assert_eq!(found, line, "{text}"),
                other => panic!("{text}: {other:?}"),
            }
        }
        assert!(matches!(read("# nothing\n"), Err(TokensError::Empty { .. })));
        assert!(matches!(Tokens::read(Path::new("/none")), Err(TokensError::Io { .. })));
    }
}
