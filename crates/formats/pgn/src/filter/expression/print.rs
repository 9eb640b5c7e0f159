//! Prints the canonical text of an expression, which parses to the same expression.

use std::fmt::{Display, Formatter, Result, Write as _};

use super::{
    Node, Where,
    comparison::{Comparison, Operand},
    lexer::Joint,
};

impl Display for Where {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        self.root.fmt(f)
    }
}

impl Display for Node {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Node::Joined(joint, parts) => join(f, *joint, parts),
            Node::Not(part) => {
                f.write_str("not ")?;
                print(f, part, matches!(**part, Node::Joined(..)))
            }
            Node::Has(subject) => write!(f, "has {}", subject.name()),
            Node::Compare(comparison) => comparison.fmt(f),
        }
    }
}

fn join(f: &mut Formatter<'_>, joint: Joint, parts: &[Node]) -> Result {
    for (index, part) in parts.iter().enumerate() {
        if index > 0 {
            write!(f, " {joint} ")?;
        }
        print(f, part, joint == Joint::And && matches!(part, Node::Joined(Joint::Or, _)))?;
    }
    Ok(())
}

fn print(f: &mut Formatter<'_>, part: &Node, in_parentheses: bool) -> Result {
    if in_parentheses { write!(f, "({part})") } else { part.fmt(f) }
}

impl Display for Comparison {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "{} {} ", self.subject.name(), self.operator)?;
        match &self.operand {
            Operand::Number(_, text) => f.write_str(text),
            Operand::Date(bound) => write!(f, "\"{bound}\""),
            Operand::Text(text) => write!(f, "\"{}\"", text.replace('\\', r"\\").replace('"', r#"\""#)),
            Operand::Pattern(pattern) => print_pattern(f, pattern.as_str()),
        }
    }
}

/// Escapes the quotes in a pattern, and leaves its backslashes as they are.
fn print_pattern(f: &mut Formatter<'_>, pattern: &str) -> Result {
    let mut chars = pattern.chars();
    f.write_char('"')?;
    while let Some(c) = chars.next() {
        if c == '"' {
            f.write_char('\\')?;
        }
        f.write_char(c)?;
        if c == '\\' {
            chars.next().map_or(Ok(()), |escaped| f.write_char(escaped))?;
        }
    }
    f.write_char('"')
}
