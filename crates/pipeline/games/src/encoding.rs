//! Encodes values as bytes while they wait, one value after another, in the format of `postcard`.

use serde::{Deserialize, Serialize};

/// Appends a value to `bytes`.
pub(crate) fn encode(value: &impl Serialize, bytes: &mut Vec<u8>) {
    let Ok(more) = postcard::to_extend(value, std::mem::take(bytes)) else {
        unreachable!("memory takes all that serde can write")
    };
    *bytes = more;
}

/// Decodes the value at the beginning of `bytes`, and removes it from them.
///
/// # Panics
///
/// Panics if the bytes were encoded as another type. That would be a bug: only this crate writes such bytes,
/// and if another process has left a file of them, the file has checksums.
pub(crate) fn decode<'b, T: Deserialize<'b>>(bytes: &mut &'b [u8]) -> T {
    let Ok((value, rest)) = postcard::take_from_bytes(bytes) else { unreachable!("it was encoded here") };
    *bytes = rest;
    value
}
