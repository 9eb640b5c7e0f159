//! Why a line is rejected.

use strum::{Display, IntoStaticStr};

/// Why a line is rejected, by the name in reports and lists of rejections. The first reason met counts.
#[derive(Clone, Copy, Debug, Display, Eq, Hash, IntoStaticStr, Ord, PartialEq, PartialOrd)]
#[strum(serialize_all = "kebab-case")]
pub enum EvalReason {
    /// The text does not have the form of its list.
    BadText,
    /// A field or column that is not known, whose meaning might change that of the others.
    UnknownField,
    /// A field that must be there is not, or is there twice.
    MissingField,
    /// A number that is none, or is larger than such numbers are.
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

/// Why a line is rejected, and the text at fault.
pub type Refusal<'l> = (EvalReason, &'l [u8]);
