//! Expressions over tags: `WhiteElo >= 2400 and Event !~ "Bullet"`.
//!
//! # Flow
//!
//! 1. `lexer` cuts the text into tokens, each with its offset.
//! 2. `parser` builds a `Node` from the tokens. In this step, `comparison` checks every comparison, so that
//!    evaluation cannot fail.
//! 3. [`Where::matches`] evaluates the `Node` in three-valued logic, because a comparison with a missing tag
//!    is neither true nor false.
//! 4. `print` writes the canonical text, which parses to the same expression.

mod comparison;
mod lexer;
mod parser;
mod print;

use std::str::FromStr;

pub use crate::error::ExprError;
use comparison::{Comparison, Subject};
use lexer::Joint;
use serde::{Deserialize, Serialize};

use crate::{Error, Result, tags::Tags};

/// A checked expression over tags.
///
/// Comparisons are `=` `!=` `<` `<=` `>` `>=` and, with a regular expression, `=~` `!~`; they are combined
/// with `and`, `or`, `not` and parentheses. `has Tag` is true if the tag is present and not empty. Each of
/// `Player`, `Elo` and `Title` stands for two tags, White's and Black's.
///
/// A comparison with a tag that is missing, empty or unreadable is *unknown*. `not`, `and` and `or` treat
/// unknown parts as SQL does. A game passes only if the whole expression is true for it.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(try_from = "String", into = "String")]
pub struct Where {
    root: Node,
}

/// A part of an expression.
#[derive(Clone, Debug)]
enum Node {
    /// Two or more parts that are joined with `and` or with `or`.
    Joined(Joint, Vec<Node>),
    Not(Box<Node>),
    Has(Subject),
    Compare(Comparison),
}

impl Where {
    /// Reads an expression.
    ///
    /// # Errors
    ///
    /// Fails with an [`ExprError`] that points at the first mistake and states what was expected there.
    pub fn parse(text: &str) -> std::result::Result<Self, ExprError> {
        parser::parse(text).map(|root| Self { root })
    }

    /// Joins this expression and `other` with `and`.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        let parts = [self.root, other.root].into_iter().flat_map(|root| match root {
            Node::Joined(Joint::And, parts) => parts,
            other => vec![other],
        });
        Self { root: Node::Joined(Joint::And, parts.collect()) }
    }

    /// Whether the expression is true (not false and not unknown) for a game with these tags. Nothing is
    /// allocated for tags in ASCII without escapes.
    #[must_use]
    pub fn matches(&self, tags: &Tags<'_>) -> bool {
        self.root.truth(tags) == Some(true)
    }

    /// The tags that the expression reads, in the order in which it names them. Each of `Player`, `Elo` and
    /// `Title` stands for two tags.
    #[must_use]
    pub fn tags(&self) -> Vec<Vec<&str>> {
        let mut tags = Vec::new();
        self.root.add_tags(&mut tags);
        tags
    }
}

impl FromStr for Where {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        Ok(Self::parse(text)?)
    }
}

impl TryFrom<String> for Where {
    type Error = Error;

    fn try_from(text: String) -> Result<Self> {
        text.parse()
    }
}

impl From<Where> for String {
    fn from(expression: Where) -> Self {
        expression.to_string()
    }
}

impl Node {
    fn add_tags<'n>(&'n self, tags: &mut Vec<Vec<&'n str>>) {
        match self {
            Node::Joined(_, parts) => parts.iter().for_each(|part| part.add_tags(tags)),
            Node::Not(part) => part.add_tags(tags),
            Node::Has(subject) | Node::Compare(Comparison { subject, .. }) => tags.push(subject.tags()),
        }
    }

    /// Whether this part is true; `None` if that is unknown.
    fn truth(&self, tags: &Tags<'_>) -> Option<bool> {
        match self {
            Node::Joined(joint, parts) => {
                fold(parts.iter().map(|part| part.truth(tags)), *joint == Joint::Or)
            }
            Node::Not(part) => part.truth(tags).map(|truth| !truth),
            Node::Has(subject) => Some(subject.values(tags).next().is_some()),
            Node::Compare(comparison) => comparison.truth(tags),
        }
    }
}

/// Combines truth values with `or` if `decisive` is true, and with `and` if `decisive` is false. If any part
/// equals `decisive`, the result is `decisive`. Otherwise, if any part is unknown, the result is unknown too.
fn fold(parts: impl Iterator<Item = Option<bool>>, decisive: bool) -> Option<bool> {
    let mut truth = Some(!decisive);
    for part in parts {
        match part {
            Some(part) if part == decisive => return Some(decisive),
            Some(_) => {}
            None => truth = None,
        }
    }
    truth
}

#[cfg(test)]
mod tests;
