//! The units into which the text is cut: games, the records of a learning file, or lines.

use super::line_ends::LineEnds;

/// The unit into which the text is cut. The lines of a chunk alone determine where its units start, so each
/// chunk can be cut without the text around it.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
#[must_use]
pub enum Unit {
    /// Games: a game starts at a tag line after a blank line, or at any line that begins `[Event "`.
    #[default]
    Games,
    /// Records: a record starts at a tag line that does not follow another tag line. Blank lines do not
    /// matter, and every line that begins with a bracket and a letter is a tag line. This rule suits learning
    /// files, which have no blank lines between records, and annotation files, which write tags in many ways.
    Records,
    /// Lines that are not blank: rows of evaluated positions.
    Lines,
}

/// The rule by which a stream is cut: how its lines end, and the unit into which it is cut.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Rule {
    pub(crate) ends: LineEnds,
    pub(crate) unit: Unit,
}

impl Rule {
    /// The rule that cuts a stream into games.
    pub(crate) fn games(ends: LineEnds) -> Self {
        Self { ends, unit: Unit::Games }
    }
}
