//! How values wait outside their types: as `postcard` encodes them, one after another.

use serde::{Deserialize, Serialize};

/// Appends a value to `bytes`.
pub(crate) fn encode(value: &impl Serialize, bytes: &mut Vec<u8>) {
    let Ok(more) = postcard::to_extend(value, std::mem::take(bytes)) else {
        unreachable!("memory takes all that serde can write")
    };
    *bytes = more;
}

/// Takes the value with which `bytes` begin off them.
///
/// # Panics
///
/// If they were encoded as another type. That is a bug: only this crate writes such bytes, and a file of them
/// that another process left has checksums.
pub(crate) fn decode<'b, T: Deserialize<'b>>(bytes: &mut &'b [u8]) -> T {
    let Ok((value, rest)) = postcard::take_from_bytes(bytes) else { unreachable!("it was encoded here") };
    *bytes = rest;
    value
}
