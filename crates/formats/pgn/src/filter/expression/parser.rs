//! Builds an expression from tokens, by recursive descent.
//!
//! ```text
//! any        = all { "or" all }
//! all        = unary { "and" unary }
//! unary      = "not" unary | "(" any ")" | "has" NAME | comparison
//! comparison = NAME OPERATOR VALUE
//! ```

use super::{
    ExprError, Node,
    comparison::{Comparison, Literal, Subject},
    lexer::{Joint, Lexer, Operator, Token, TokenKind, operator_meant},
};

/// The maximum nesting depth of parentheses and `not`, which limits how deep the parser and other functions
/// recurse.
const DEPTH_MAX: usize = 100;

/// Parses a whole expression.
pub(super) fn parse(text: &str) -> Result<Node, ExprError> {
    let mut lexer = Lexer::new(text);
    let token = lexer.next()?;
    if token.kind == TokenKind::End {
        return Err(
            lexer.error(token.at, "the expression is empty: expected a comparison such as WhiteElo >= 2400")
        );
    }
    let mut parser = Parser { lexer, token, depth: 0 };
    let root = parser.joined(Joint::Or)?;
    match parser.token.kind {
        TokenKind::End => Ok(root),
        TokenKind::Close => Err(parser.error_here("this parenthesis closes nothing")),
        _ => Err(parser.error_here("expected `and`, `or` or the end of the expression")),
    }
}

struct Parser<'e> {
    lexer: Lexer<'e>,
    /// The next token.
    token: Token<'e>,
    depth: usize,
}

impl<'e> Parser<'e> {
    fn error_here(&self, message: impl Into<String>) -> ExprError {
        self.lexer.error(self.token.at, message)
    }

    /// Returns the next token and reads the one after it.
    fn take(&mut self) -> Result<Token<'e>, ExprError> {
        let next = self.lexer.next()?;
        Ok(std::mem::replace(&mut self.token, next))
    }

    /// Reads one or more parts that are separated by `joint`; `and` binds more tightly than `or`.
    fn joined(&mut self, joint: Joint) -> Result<Node, ExprError> {
        let mut parts = Vec::new();
        loop {
            let part = match joint {
                Joint::Or => self.joined(Joint::And)?,
                Joint::And => self.unary()?,
            };
            match part {
                Node::Joined(inner, nested) if inner == joint => parts.extend(nested),
                part => parts.push(part),
            }
            if self.token.kind != TokenKind::Joint(joint) {
                return Ok(one_or_joined(parts, joint));
            }
            self.take()?;
        }
    }

    fn unary(&mut self) -> Result<Node, ExprError> {
        if self.depth == DEPTH_MAX {
            return Err(
                self.error_here(format!("the expression is nested more than {DEPTH_MAX} levels deep"))
            );
        }
        self.depth += 1;
        let node = match self.token.kind {
            TokenKind::Not => {
                self.take()?;
                Node::Not(Box::new(self.unary()?))
            }
            TokenKind::Open => self.parentheses()?,
            TokenKind::Has => {
                self.take()?;
                Node::Has(self.subject("expected the name of a tag after `has`")?)
            }
            _ => self.comparison()?,
        };
        self.depth -= 1;
        Ok(node)
    }

    fn parentheses(&mut self) -> Result<Node, ExprError> {
        let open = self.take()?;
        let inner = self.joined(Joint::Or)?;
        match self.token.kind {
            TokenKind::Close => self.take().map(|_| inner),
            TokenKind::End => Err(self.lexer.error(open.at, "this parenthesis is never closed")),
            _ => Err(self.error_here("expected `and`, `or` or `)`")),
        }
    }

    fn comparison(&mut self) -> Result<Node, ExprError> {
        let subject = self.subject("expected the name of a tag, as in WhiteElo >= 2400")?;
        let operator = self.operator(subject.name())?;
        let at = self.token.at;
        let literal = self.literal()?;
        let comparison = Comparison::new(subject, operator, literal);
        comparison.map(Node::Compare).map_err(|message| self.lexer.error(at, message))
    }

    fn subject(&mut self, expected: &str) -> Result<Subject, ExprError> {
        match self.token.kind {
            TokenKind::Name(name) => self.take().map(|_| Subject::of_name(name)),
            TokenKind::Quoted(_) | TokenKind::Bare(_) => {
                Err(self.error_here(format!("{expected}: write the tag first, without quotes")))
            }
            _ => Err(self.error_here(expected)),
        }
    }

    fn operator(&mut self, tag: &str) -> Result<Operator, ExprError> {
        match self.token.kind {
            TokenKind::Operator(operator) => self.take().map(|_| operator),
            TokenKind::Name(word) if operator_meant(word).is_some() => {
                let meant = operator_meant(word).unwrap_or_default();
                Err(self.error_here(format!("`{word}` is not an operator: did you mean `{meant}`?")))
            }
            TokenKind::Joint(_) | TokenKind::Close | TokenKind::End => Err(self.error_here(format!(
                "expected a comparison after {tag}: = != < <= > >= =~ !~ (or `has {tag}`)"
            ))),
            _ => Err(self.error_here(format!("expected a comparison after {tag}: = != < <= > >= =~ !~"))),
        }
    }

    fn literal(&mut self) -> Result<Literal<'e>, ExprError> {
        match self.token.kind {
            TokenKind::Quoted(raw) => self.take().map(|_| Literal::Quoted(raw)),
            TokenKind::Bare(text) => self.take().map(|_| Literal::Bare(text)),
            TokenKind::Name(word) if is_often_a_tag(word) => Err(self.error_here(format!(
                "expected a number, or text in quotes: a tag cannot be compared with another tag, such as {word}"
            ))),
            TokenKind::Name(word) => {
                Err(self
                    .error_here(format!("expected a number, or text in quotes: did you mean \"{word}\"?")))
            }
            _ => Err(self.error_here("expected a number, or text in quotes")),
        }
    }
}

/// Joins several parts into one node with `joint`; returns a single part unchanged.
fn one_or_joined(mut parts: Vec<Node>, joint: Joint) -> Node {
    match parts.pop() {
        Some(only) if parts.is_empty() => only,
        last => {
            parts.extend(last);
            Node::Joined(joint, parts)
        }
    }
}

/// Whether a word without quotes is more likely the name of a tag than a value.
fn is_often_a_tag(word: &str) -> bool {
    const ENDINGS: [&str; 6] = ["Elo", "Date", "Time", "Title", "RatingDiff", "PlyCount"];
    matches!(word, "White" | "Black" | "Player") || ENDINGS.iter().any(|ending| word.ends_with(ending))
}
