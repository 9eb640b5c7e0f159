//! The reasons why lines are rejected.

use strum::{Display, IntoStaticStr};

/// Why a line is rejected. Reports and lists of rejections use the names of these reasons. If there are
/// several reasons, the first one found is reported.
#[derive(Clone, Copy, Debug, Display, Eq, Hash, IntoStaticStr, Ord, PartialEq, PartialOrd)]
#[strum(serialize_all = "kebab-case")]
pub enum EvalReason {
    /// The line does not have the form that lines of its list must have.
    BadText,
    /// A field or column is unknown, and might change the meaning of the other fields or columns.
    UnknownField,
    /// A required field is missing, or a field occurs twice.
    MissingField,
    /// A number cannot be read, or is out of range.
    BadNumber,
    /// The position is not a FEN, or is not legal.
    BadPosition,
    /// A move is not legal in the position.
    IllegalMove,
    /// The position has no evaluation.
    NoEvaluation,
    /// A line longer than a mebibyte.
    TooLong,
}

/// The reason why a line is rejected, and the faulty text.
pub type Refusal<'l> = (EvalReason, &'l [u8]);
