//! Where text came from.

use serde::{Deserialize, Serialize};

/// The place of a byte in the text of the inputs. Places are ordered by input, in the order in which the
/// inputs were given, and then by position in the text.
///
/// A pzstd file is read in parts. The offset of a part in the file's text is known only once the earlier
/// parts have been read, so the offset in a place is relative to the start of its part. Once everything has
/// been read, [`ReadInputs::locate`](crate::input::ReadInputs::locate) computes the offset in the file's
/// text.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Place {
    /// The index of the input, from 0.
    pub input: u32,
    /// The index of its part, from 0: parts are the members of an archive, or the runs of frames of a pzstd
    /// file; any other input is one part.
    pub part: u32,
    /// Byte offset in the decompressed text of the part.
    pub offset: u64,
}
