//! One comparison of a tag with a value, checked when it is built.

use std::{borrow::Cow, cmp::Ordering};

use regex::Regex;

use super::lexer::Operator;
use crate::{
    filter::{DateBound, date::PartialDate, rating::read_elo},
    tags::{TagValue, Tags},
};

/// The tag, or the two tags, whose values are compared.
#[derive(Clone, Debug)]
pub(super) enum Subject {
    /// One tag.
    Tag(Box<str>),
    /// Three names: one that stands for both players' tags, then those of White's tag and of Black's tag.
    Either(&'static [&'static str; 3]),
}

const EITHER: [[&str; 3]; 3] =
    [["Player", "White", "Black"], ["Elo", "WhiteElo", "BlackElo"], ["Title", "WhiteTitle", "BlackTitle"]];

impl Subject {
    pub(super) fn of_name(name: &str) -> Self {
        let either = EITHER.iter().find(|[both, ..]| *both == name);
        either.map_or_else(|| Self::Tag(name.into()), Self::Either)
    }

    /// The name in expressions.
    pub(super) fn name(&self) -> &str {
        match self {
            Subject::Tag(name) => name,
            Subject::Either([name, ..]) => name,
        }
    }

    /// The names of its tags.
    pub(super) fn tags(&self) -> Vec<&str> {
        match self {
            Subject::Tag(name) => vec![name],
            Subject::Either([_, white, black]) => vec![white, black],
        }
    }

    /// Returns the values of its tags, leaving out missing and empty ones.
    pub(super) fn values<'t>(&self, tags: &Tags<'t>) -> impl Iterator<Item = TagValue<'t>> {
        self.slots(tags).flatten()
    }

    /// Returns the value of each compared tag, or `None` if the tag is missing or empty.
    fn slots<'t>(&self, tags: &Tags<'t>) -> impl Iterator<Item = Option<TagValue<'t>>> {
        let value = |name: &str| tags.get(name).filter(|value| !value.bytes().is_empty());
        let (first, second) = match self {
            Subject::Tag(name) => (value(name), None),
            Subject::Either([_, white, black]) => (value(white), Some(value(black))),
        };
        std::iter::once(first).chain(second)
    }

    fn is_date(&self) -> bool {
        matches!(self.name(), "Date" | "UTCDate" | "EventDate")
    }

    fn is_rating(&self) -> bool {
        self.name().ends_with("Elo")
    }
}

/// A tag, an operator and a value.
#[derive(Clone, Debug)]
pub(super) struct Comparison {
    pub(super) subject: Subject,
    pub(super) operator: Operator,
    pub(super) operand: Operand,
}

/// The value with which a tag is compared.
#[derive(Clone, Debug)]
pub(super) enum Operand {
    /// Text, compared byte by byte.
    Text(Box<str>),
    /// A number and the text that it was read from; only the number is compared.
    Number(f64, Box<str>),
    /// A date. Only the parts that are known both in this date and in the tag's date are compared.
    Date(DateBound),
    Pattern(Regex),
}

/// A value as it is spelled in the expression.
#[derive(Clone, Copy, Debug)]
pub(super) enum Literal<'e> {
    /// Text that was between quotes.
    Quoted(&'e str),
    /// A value that was written without quotes.
    Bare(&'e str),
}

impl Comparison {
    /// Creates a comparison, if the value is allowed for the tag and the operator.
    ///
    /// # Errors
    ///
    /// Fails with a message that states what is wrong with the value.
    pub(super) fn new(subject: Subject, operator: Operator, literal: Literal<'_>) -> Result<Self, String> {
        let operand = match (operator, literal) {
            (Operator::Matches | Operator::MatchesNot, _) => pattern(literal)?,
            (_, Literal::Bare(text)) => bare(&subject, text)?,
            (_, Literal::Quoted(raw)) => quoted(&subject, operator, unescape(raw, true))?,
        };
        Ok(Self { subject, operator, operand })
    }

    /// Whether the comparison is true; `None` (unknown) if the tag is missing, empty or cannot be read as the
    /// type of the operand. If the subject stands for both players' tags, the comparison is true if it is
    /// true for at least one of them. Only `!=` and `!~` differ: they are the negations of `=` and `=~`.
    pub(super) fn truth(&self, tags: &Tags<'_>) -> Option<bool> {
        let any = super::fold(self.subject.slots(tags).map(|value| self.holds(value?)), true);
        match self.operator {
            Operator::NotEqual | Operator::MatchesNot => any.map(|any| !any),
            _ => any,
        }
    }

    /// Whether a single value satisfies the comparison. Negation is ignored here: `!=` is treated as `=`, and
    /// `!~` as `=~`.
    fn holds(&self, value: TagValue<'_>) -> Option<bool> {
        let ordering = match &self.operand {
            Operand::Pattern(pattern) => return Some(pattern.is_match(value.text().trim_ascii())),
            Operand::Text(text) => value.text().trim_ascii().cmp(text),
            Operand::Date(bound) => PartialDate::read(value.bytes())?.cmp_known(*bound),
            Operand::Number(number, _) if self.subject.is_rating() => {
                f64::from(read_elo(value.bytes())?).partial_cmp(number)?
            }
            Operand::Number(number, _) => {
                read_number(std::str::from_utf8(value.bytes()).ok()?)?.partial_cmp(number)?
            }
        };
        Some(self.accepts(ordering))
    }

    fn accepts(&self, ordering: Ordering) -> bool {
        match self.operator {
            Operator::Equal | Operator::NotEqual | Operator::Matches | Operator::MatchesNot => {
                ordering.is_eq()
            }
            Operator::Less => ordering.is_lt(),
            Operator::AtMost => ordering.is_le(),
            Operator::More => ordering.is_gt(),
            Operator::AtLeast => ordering.is_ge(),
        }
    }
}

fn pattern(literal: Literal<'_>) -> Result<Operand, String> {
    let Literal::Quoted(raw) = literal else { return Err("expected a regular expression in quotes".into()) };
    Regex::new(&unescape(raw, false)).map(Operand::Pattern).map_err(|error| {
        let message = error.to_string();
        let reason = message.lines().last().unwrap_or_default().trim_start_matches("error: ");
        format!("invalid regular expression: {reason}")
    })
}

fn bare(subject: &Subject, text: &str) -> Result<Operand, String> {
    if subject.is_date() {
        return text.parse().map(Operand::Date).map_err(|error: crate::Error| error.to_string());
    }
    let number = read_number(text)
        .ok_or_else(|| format!("`{text}` is not a number: if it is text, put it in quotes"))?;
    Ok(Operand::Number(number, text.into()))
}

/// Checks text in quotes. With an ordering operator, text for a date tag must be a date, and text for any
/// other tag must not look like a number. Otherwise the text would be compared byte by byte, which is
/// probably not what the user wants.
fn quoted(subject: &Subject, operator: Operator, text: Cow<'_, str>) -> Result<Operand, String> {
    let is_ordering = !matches!(operator, Operator::Equal | Operator::NotEqual);
    if subject.is_date() {
        match text.parse() {
            Ok(bound) => return Ok(Operand::Date(bound)),
            Err(error @ crate::Error::Value { .. }) if is_ordering => return Err(error.to_string()),
            Err(_) => {}
        }
    } else if is_ordering && read_number(&text).is_some() {
        return Err(format!("to compare numbers, write {text} without quotes"));
    }
    Ok(Operand::Text(text.into()))
}

/// Reads digits with or without a sign and a fraction. At most fifteen digits are allowed before the point,
/// so that whole numbers are exact, and at most fifteen after it.
fn read_number(text: &str) -> Option<f64> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
    let all_digits =
        |part: &str| !part.is_empty() && part.len() <= 15 && part.bytes().all(|b| b.is_ascii_digit());
    (all_digits(whole) && all_digits(fraction)).then(|| text.parse().ok())?
}

/// Removes each backslash before a quote and, if `backslashes` is true, the first of two backslashes. Any
/// other backslash is kept.
fn unescape(raw: &str, backslashes: bool) -> Cow<'_, str> {
    if !raw.contains('\\') {
        return Cow::Borrowed(raw);
    }
    let mut text = String::with_capacity(raw.len());
    let mut chars = raw.chars();
    while let Some(c) = chars.next() {
        match (c, chars.clone().next()) {
            ('\\', Some(quote @ ('"' | '\''))) => {
                text.push(quote);
                chars.next();
            }
            ('\\', Some('\\')) => {
                text.push_str(if backslashes { r"\" } else { r"\\" });
                chars.next();
            }
            _ => text.push(c),
        }
    }
    Cow::Owned(text)
}
