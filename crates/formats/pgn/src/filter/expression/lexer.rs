//! Cuts an expression into tokens.

use strum::{Display, EnumString};

use super::ExprError;

/// One token and its offset.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'e> {
    pub(super) kind: TokenKind<'e>,
    /// The byte offset at which the token begins.
    pub(super) at: usize,
}

/// What a token is.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum TokenKind<'e> {
    /// A word that is not a keyword: a tag's name.
    Name(&'e str),
    /// The text between quotes, escapes included.
    Quoted(&'e str),
    /// A number or date without quotes.
    Bare(&'e str),
    Operator(Operator),
    Joint(Joint),
    Not,
    Has,
    Open,
    Close,
    End,
}

/// A word that joins parts of an expression.
#[derive(Clone, Copy, Debug, Display, Eq, PartialEq)]
#[strum(serialize_all = "lowercase")]
pub(super) enum Joint {
    And,
    Or,
}

/// The operator of a comparison.
#[derive(Clone, Copy, Debug, Display, EnumString, Eq, PartialEq)]
pub(super) enum Operator {
    #[strum(to_string = "=", serialize = "==")]
    Equal,
    #[strum(to_string = "!=")]
    NotEqual,
    #[strum(to_string = "<")]
    Less,
    #[strum(to_string = "<=")]
    AtMost,
    #[strum(to_string = ">")]
    More,
    #[strum(to_string = ">=")]
    AtLeast,
    #[strum(to_string = "=~", serialize = "~")]
    Matches,
    #[strum(to_string = "!~")]
    MatchesNot,
}

/// Our operators, each followed by spellings that are used in other languages or by mistake.
const MISSPELT: [(&str, &[&str]); 8] = [
    ("=", &["===", "is", "eq"]),
    ("!=", &["<>", "><", "=!", "!==", "ne"]),
    ("<", &["lt"]),
    ("<=", &["=<", "le"]),
    (">", &["gt"]),
    (">=", &["=>", "ge"]),
    ("=~", &["~=", "==~", "~~", "like", "contains", "matches", "regex"]),
    ("!~", &["!=~", "~!"]),
];

/// Returns the operator that the user probably meant by `word`; `None` if there is no likely candidate.
pub(super) fn operator_meant(word: &str) -> Option<&'static str> {
    let is_spelt_so = |wrong: &&str| word.eq_ignore_ascii_case(wrong);
    MISSPELT.iter().find(|(_, wrong)| wrong.iter().any(is_spelt_so)).map(|&(right, _)| right)
}

/// Reads tokens one after another.
pub(super) struct Lexer<'e> {
    text: &'e str,
    at: usize,
}

impl<'e> Lexer<'e> {
    pub(super) fn new(text: &'e str) -> Self {
        Self { text, at: 0 }
    }

    /// Returns the next token, which is always [`TokenKind::End`] at the end of the text.
    pub(super) fn next(&mut self) -> Result<Token<'e>, ExprError> {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
        let at = self.at;
        let kind =
            match self.rest().as_bytes().first() {
                None => TokenKind::End,
                Some(b'(') => self.take(1, TokenKind::Open),
                Some(b')') => self.take(1, TokenKind::Close),
                Some(quote @ (b'"' | b'\'')) => self.quoted(*quote)?,
                Some(b'a'..=b'z' | b'A'..=b'Z' | b'_') => self.word(),
                Some(b'0'..=b'9' | b'+' | b'-' | b'.') => TokenKind::Bare(self.run(|b| {
                    b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.' | b'/' | b':' | b'?')
                })),
                Some(b'&' | b'|') => self.joint()?,
                Some(b'=' | b'!' | b'<' | b'>' | b'~') => self.operator()?,
                Some(_) => return Err(self.error(at, self.describe_stray())),
            };
        Ok(Token { kind, at })
    }

    /// An error at byte `at` of the expression.
    pub(super) fn error(&self, at: usize, message: impl Into<String>) -> ExprError {
        ExprError { at, message: message.into(), text: self.text.into() }
    }

    fn rest(&self) -> &'e str {
        &self.text[self.at..]
    }

    fn take(&mut self, len: usize, kind: TokenKind<'e>) -> TokenKind<'e> {
        self.at += len;
        kind
    }

    /// Consumes ASCII bytes from the current offset as long as `accept` returns true.
    fn run(&mut self, accept: impl Fn(u8) -> bool) -> &'e str {
        let rest = self.rest();
        let len = rest.bytes().take_while(|&byte| byte.is_ascii() && accept(byte)).count();
        self.at += len;
        &rest[..len]
    }

    fn word(&mut self) -> TokenKind<'e> {
        let word = self.run(|b| b.is_ascii_alphanumeric() || b == b'_');
        let keywords = [
            ("and", TokenKind::Joint(Joint::And)),
            ("or", TokenKind::Joint(Joint::Or)),
            ("not", TokenKind::Not),
            ("has", TokenKind::Has),
        ];
        let keyword = keywords.into_iter().find(|(name, _)| word.eq_ignore_ascii_case(name));
        keyword.map_or(TokenKind::Name(word), |(_, kind)| kind)
    }

    /// Reads text up to the closing quote; a backslash and the character after it are part of the text.
    fn quoted(&mut self, quote: u8) -> Result<TokenKind<'e>, ExprError> {
        let inner = &self.rest()[1..];
        let mut bytes = inner.bytes().enumerate();
        while let Some((len, byte)) = bytes.next() {
            if byte == quote {
                return Ok(self.take(len + 2, TokenKind::Quoted(&inner[..len])));
            }
            if byte == b'\\' {
                bytes.next();
            }
        }
        Err(self.error(self.at, "this quote is never closed"))
    }

    fn joint(&mut self) -> Result<TokenKind<'e>, ExprError> {
        match self.rest() {
            rest if rest.starts_with("&&") => Ok(self.take(2, TokenKind::Joint(Joint::And))),
            rest if rest.starts_with("||") => Ok(self.take(2, TokenKind::Joint(Joint::Or))),
            rest => {
                let (wrong, right) = if rest.starts_with('&') { ("&", "&&") } else { ("|", "||") };
                Err(self.error(self.at, format!("`{wrong}` is not an operator: did you mean `{right}`?")))
            }
        }
    }

    /// Reads a comparison operator. An exclamation mark that is not part of a comparison operator means
    /// `not`.
    fn operator(&mut self) -> Result<TokenKind<'e>, ExprError> {
        let at = self.at;
        let symbol = self.run(|b| b"=!<>~".contains(&b));
        if let Ok(operator) = symbol.parse::<Operator>() {
            return Ok(TokenKind::Operator(operator));
        }
        if symbol.bytes().all(|b| b == b'!') {
            self.at = at + 1;
            return Ok(TokenKind::Not);
        }
        let hint = match operator_meant(symbol) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => "the comparisons are = != < <= > >= =~ !~".into(),
        };
        Err(self.error(at, format!("`{symbol}` is not an operator: {hint}")))
    }

    fn describe_stray(&self) -> String {
        let stray = self.rest().chars().next().unwrap_or_default().escape_debug();
        format!("`{stray}` is not allowed here: if it belongs to a string, put the string in quotes")
    }
}
