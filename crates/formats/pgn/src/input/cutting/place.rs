//! Where text came from.

use serde::{Deserialize, Serialize};

/// The place of a byte of text. Places are ordered as the inputs were given, then as their text is read.
///
/// A pzstd file is read in parts that know where they begin only when those before them were read, so a place
/// counts from the start of its part; [`ReadInputs::locate`](crate::input::ReadInputs::locate) gives the rest
/// at the end.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Place {
    /// Which input, counted from 0.
    pub input: u32,
    /// Which part of it, counted from 0: a member of an archive, some frames of a pzstd file; else 0.
    pub part: u32,
    /// Byte offset in the unpacked text of the part.
    pub offset: u64,
}
