//! The kinds of findings.

use position::no_name_of;
use serde::Serialize;
use strum::{Display, EnumString, IntoStaticStr, VariantArray, VariantNames};

/// A kind of finding.
#[derive(
    Clone,
    Copy,
    Debug,
    Display,
    EnumString,
    Eq,
    IntoStaticStr,
    Ord,
    PartialEq,
    PartialOrd,
    Serialize,
    VariantArray,
    VariantNames,
)]
#[strum(parse_err_fn = no_name_of::<FindingKind>, parse_err_ty = String, serialize_all = "kebab-case")]
#[serde(rename_all = "kebab-case")]
pub enum FindingKind {
    /// Moves of the opponent that the book has no answer to.
    Holes,
    /// Positions where the repertoire's side has more than one move.
    Choices,
    /// Moves that score more than a given margin below the best-scoring move in their position.
    Worse,
    /// Moves that lead back to an earlier position of the same line.
    Repetitions,
    /// Lines that end before a given ply.
    DeadEnds,
    /// Positions that no line reaches.
    Unreachable,
    /// Illegal moves, duplicate moves, moves that are never played, and positions that have fewer games than
    /// their moves have in total.
    Weights,
}

impl FindingKind {
    /// All kinds, in the order in which they are reported.
    pub const ALL: &[Self] = <Self as VariantArray>::VARIANTS;
}
