//! The counts and sizes of a book.

/// The counts and sizes of a book.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct BookStats {
    /// Positions, including leaves.
    pub positions: u64,
    /// Kept moves of all positions.
    pub edges: u64,
    /// Positions without a kept move.
    pub leaves: u64,
    /// Bytes of the file.
    pub bytes: u64,
    /// Bytes of the entries section.
    pub entries_bytes: u64,
    /// Bytes of the index section.
    pub index_bytes: u64,
}
