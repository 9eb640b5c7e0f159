//! Spellings that PGN does not allow but that can be understood in only one way, and the number of times that
//! each kind occurred.

use strum::{IntoStaticStr, VariantArray};

/// A kind of spelling that PGN does not allow but that lenient reading accepts.
#[derive(Clone, Copy, Debug, Eq, IntoStaticStr, PartialEq, VariantArray)]
#[strum(serialize_all = "kebab-case")]
pub enum Misspelling {
    /// A piece move or a capture, written with its origin and target squares: `g1f3`, `e1-g1`, `Ke1g1`.
    Coordinates,
    /// A capture without `x`: `Ne5`, `ed5`.
    CapturesWithoutX,
    /// A capture with a sign other than `x`: `e:d5`, `N×e5`.
    CaptureSigns,
    /// `/ep` after a capture.
    EnPassantMarks,
    /// A figurine of the piece instead of its letter: `♘f3`.
    Figurines,
    /// An evaluation sign outside ASCII: `±`, `⩲`.
    EvaluationSigns,
    /// A dash, a space or an ellipsis outside ASCII: `1–0`, `1…e5`.
    Typography,
    /// A result with no space before it: `Qg20-1`.
    GluedResults,
    /// A move number with no space before it: `e52.Nf3`.
    GluedNumbers,
    /// A tag that cannot be read but is not needed.
    BrokenTags,
}

/// The number of times that each kind occurred in one game.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Misspellings([u32; Misspelling::VARIANTS.len()]);

impl Misspellings {
    /// Counts one more occurrence of this kind of misspelling.
    pub(crate) fn add(&mut self, kind: Misspelling) {
        self.0[kind as usize] += 1;
    }

    /// The kinds that occurred, each with the number of times that it occurred.
    pub fn iter(&self) -> impl Iterator<Item = (Misspelling, u32)> + '_ {
        let all = Misspelling::VARIANTS.iter().map(|&kind| (kind, self.0[kind as usize]));
        all.filter(|(_, times)| *times > 0)
    }
}
