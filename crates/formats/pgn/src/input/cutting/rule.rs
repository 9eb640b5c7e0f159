//! The units that a text is cut into: games, the records of a learning file, or lines.

use super::line_ends::LineEnds;

/// The unit that a text is cut into. Each unit is recognised by its lines alone, so any chunk can be cut by
/// itself.
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

/// How a stream is cut: its line ends and its unit.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Rule {
    pub(crate) ends: LineEnds,
    pub(crate) unit: Unit,
}

impl Rule {
    /// Cuts games.
    pub(crate) fn games(ends: LineEnds) -> Self {
        Self { ends, unit: Unit::Games }
    }
}
