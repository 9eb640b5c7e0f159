//! Encodes values one after another in `postcard`'s format, so that they can be decoded later.

use serde::{Deserialize, Serialize};

/// Appends a value to `bytes`.
pub(crate) fn encode(value: &impl Serialize, bytes: &mut Vec<u8>) {
    let Ok(more) = postcard::to_extend(value, std::mem::take(bytes)) else {
        unreachable!("memory takes all that serde can write")
    };
    *bytes = more;
}

/// Decodes the value at the beginning of `bytes`, and advances `bytes` past it.
///
/// # Panics
///
/// Panics if the bytes were encoded as another type. That would be a bug: only this crate writes such bytes,
/// and files that another process left behind are protected by checksums.
pub(crate) fn decode<'b, T: Deserialize<'b>>(bytes: &mut &'b [u8]) -> T {
    let Ok((value, rest)) = postcard::take_from_bytes(bytes) else { unreachable!("it was encoded here") };
    *bytes = rest;
    value
}
