//! The counts and sizes of a book.

/// The counts and sizes of a book.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct BookStats {
    /// Positions, including leaves.
    pub positions: u64,
    /// The number of kept moves in all positions.
    pub edges: u64,
    /// The number of positions that have no kept move.
    pub leaves: u64,
    /// The size of the file in bytes.
    pub bytes: u64,
    /// The size of the entries section in bytes.
    pub entries_bytes: u64,
    /// The size of the index section in bytes.
    pub index_bytes: u64,
}
