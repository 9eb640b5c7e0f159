//! An error in an expression: the message, and the place of the mistake.

use std::fmt;

/// An expression that cannot be used.
///
/// Displayed as three lines: the message, the expression, and a `^` under the mistake.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct ExprError {
    /// The byte offset of the mistake in the expression.
    pub at: usize,
    /// What is wrong, or what was expected there.
    pub message: String,
    /// The whole expression.
    pub text: String,
}

/// The maximum number of characters shown on each side of the mistake.
const CONTEXT_CHARS: usize = 70;

impl fmt::Display for ExprError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (before, after) = self.text.split_at(self.at);
        let hidden_chars = before.chars().count().saturating_sub(CONTEXT_CHARS);
        let before_shown = before.chars().skip(hidden_chars);
        let cut_before = if hidden_chars > 0 { "…" } else { "" };
        let cut_after = if after.chars().nth(CONTEXT_CHARS).is_some() { "…" } else { "" };
        let line = |c: char| if c.is_control() { ' ' } else { c };
        let shown: String = before_shown.chain(after.chars().take(CONTEXT_CHARS)).map(line).collect();
        let column = before.chars().count() - hidden_chars + cut_before.chars().count();
        writeln!(f, "{}", self.message)?;
        writeln!(f, "  {cut_before}{shown}{cut_after}")?;
        write!(f, "  {:column$}^", "")
    }
}

impl std::error::Error for ExprError {}
